/** A decoded image: four bytes (red, green, blue, alpha) for each pixel, row by row. */
export interface Pixels {
  width: number;
  height: number;
  data: Uint8Array;
}

/** An image that is not kept: 'unreadable' the bytes are broken, or a variant that we do not take apart, 'size' it has more than we take apart. */
export class UnusableImage extends Error {
  readonly reason: 'unreadable' | 'size';
  constructor(reason: 'unreadable' | 'size') {
    super(reason);
    this.name = 'UnusableImage';
    this.reason = reason;
  }
}

/** @throws UnusableImage when a picture has no area, or more pixels than may be taken apart; asked before any memory is spent on them. */
export function checkArea(width: number, height: number, mostPixels: number): void {
  if (width < 1 || height < 1) throw new UnusableImage('unreadable');
  if (width * height > mostPixels) throw new UnusableImage('size');
}
