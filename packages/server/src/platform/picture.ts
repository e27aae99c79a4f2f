/** A decoded image: four bytes (red, green, blue, alpha) for each pixel, row by row. */
export interface Pixels {
  width: number;
  height: number;
  data: Uint8Array;
}

/** An image that is not kept: 'type' the bytes are no picture of a kind we take, 'size' it has more than we take apart. */
export class UnusableImage extends Error {
  readonly reason: 'type' | 'size';
  constructor(reason: 'type' | 'size') {
    super(reason);
    this.name = 'UnusableImage';
    this.reason = reason;
  }
}

/** @throws UnusableImage when a picture has no area, or more pixels than may be taken apart; asked before any memory is spent on them. */
export function checkArea(width: number, height: number, mostPixels: number): void {
  if (width < 1 || height < 1) throw new UnusableImage('type');
  if (width * height > mostPixels) throw new UnusableImage('size');
}
