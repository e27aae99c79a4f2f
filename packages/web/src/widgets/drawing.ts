import type Pad from 'signature_pad';
import type { PointGroup, SignatureEvent } from 'signature_pad';

/** Above this a canvas of a big screen makes a file that a slow line feels, and no line is seen better. */
const MAX_SCALE = 2;

const scaled = (strokes: PointGroup[], factor: number): PointGroup[] =>
  strokes.map((stroke) => ({
    ...stroke,
    points: stroke.points.map((point) => ({ ...point, x: point.x * factor, y: point.y * factor })),
  }));

/**
 * Of a paper that lies a quarter of a turn to the right: its left edge is the upper one of its box on the screen, its upper edge the right one.
 * @returns where a point of the screen would be if the paper lay straight, its corner where the corner of its box is
 */
export const turnedBack = (
  { left, top, right }: Pick<DOMRect, 'left' | 'top' | 'right'>,
  { x, y }: { x: number; y: number },
): { x: number; y: number } => ({ x: left + y - top, y: top + right - x });

/** A drawing laid aside, with the CSS pixels of the box that it was drawn in. */
export interface Drawn {
  strokes: PointGroup[];
  width: number;
  height: number;
}

/** A signature in the making. It outlives the canvas that shows it: a step back and forth, a turned phone or another tab keep it. */
export class Drawing {
  /** As the last of them was drawn. */
  #strokes: PointGroup[] = [];
  /** CSS pixels of the box that they were drawn in: every other box shows them from here, or each turn of the phone would make them smaller. */
  #drawnIn = { width: 0, height: 0 };
  #pad: Pad | null = null;
  #canvas: HTMLCanvasElement | null = null;

  /** @param before what was laid aside, also on a page that is gone: it goes on from there. */
  constructor(before?: Drawn) {
    if (!before) return;
    const { strokes, width, height } = before;
    this.#strokes = strokes;
    this.#drawnIn = { width, height };
  }

  /**
   * Lets people draw on a canvas.
   * @param pad what takes the strokes: given, for its code is as large as all of a step and comes with the paper
   * @param onChange after each stroke
   * @param isTurned whether the paper lies a quarter of a turn to the right now. @returns a function that lets go of the canvas.
   */
  attach(
    canvas: HTMLCanvasElement,
    pad: Pad,
    onChange: (isEmpty: boolean) => void,
    isTurned: () => boolean = () => false,
  ): () => void {
    this.#pad = pad;
    this.#canvas = canvas;
    // The pad reckons from the corner of the box on the screen: it reads the point after this was heard.
    pad.addEventListener('beforeUpdateStroke', (heard) => {
      const { detail: point } = heard as CustomEvent<SignatureEvent>;
      if (isTurned()) Object.assign(point, turnedBack(canvas.getBoundingClientRect(), point));
    });
    pad.addEventListener('endStroke', () => {
      this.#strokes = pad.toData();
      this.#drawnIn = { width: canvas.offsetWidth, height: canvas.offsetHeight };
      onChange(pad.isEmpty());
    });
    const watcher = new ResizeObserver(() => this.#fit(pad, canvas));
    watcher.observe(canvas);
    return () => {
      watcher.disconnect();
      pad.off();
      this.#pad = null;
      this.#canvas = null;
    };
  }

  clear(): void {
    this.#strokes = [];
    this.#pad?.clear();
  }

  get isEmpty(): boolean {
    return this.#strokes.length === 0;
  }

  /** To lay aside; undefined while nothing is drawn. */
  get drawn(): Drawn | undefined {
    return this.isEmpty ? undefined : { strokes: this.#strokes, ...this.#drawnIn };
  }

  /** Differs whenever the drawing does. */
  get mark(): string {
    return JSON.stringify(this.#strokes.map((stroke) => stroke.points.map(({ time }) => time)));
  }

  /** @throws ImageError; also when no canvas shows the drawing. */
  async toPng(): Promise<Blob> {
    // Comes with the paper that is drawn on: who only begins does not wait for it.
    const { canvasPng } = await import('#web/native/images.ts');
    return canvasPng(this.#canvas);
  }

  /** Fits the bitmap to the box and draws the strokes again. */
  #fit(pad: Pad, canvas: HTMLCanvasElement): void {
    const { offsetWidth: width, offsetHeight: height } = canvas;
    if (width === 0) return;
    const scale = Math.min(MAX_SCALE, Math.max(1, window.devicePixelRatio));
    canvas.width = width * scale;
    canvas.height = height * scale;
    canvas.getContext('2d')?.scale(scale, scale);
    pad.clear();
    if (this.isEmpty) return;
    const { width: drawnWidth, height: drawnHeight } = this.#drawnIn;
    pad.fromData(scaled(this.#strokes, Math.min(width / drawnWidth, height / drawnHeight)));
  }
}
