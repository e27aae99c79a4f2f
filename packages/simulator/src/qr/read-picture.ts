import { findAlignment, findFinders, inOrder } from './locate.ts';
import type { Bitmap, Finder, Point } from './locate.ts';
import { readMatrix } from './matrix.ts';

/** Brightness, one byte a pixel. */
export interface Picture {
  width: number;
  height: number;
  grey: Uint8Array;
}

/** How many of the surest finder patterns are tried in threes. */
const TRIED = 6;

/** @returns the text of the QR code in a picture (a screenshot, or a photo taken straight on); undefined when none can be read. */
export function readQrPicture(picture: Picture): string | undefined {
  for (const bitmap of [byOneThreshold(picture), byNeighbourhood(picture)]) {
    const finders = findFinders(bitmap).slice(0, TRIED);
    for (const three of threesOf(finders)) {
      const text = readAt(bitmap, inOrder(three));
      if (text !== undefined && text !== '') return text;
    }
  }
  return undefined;
}

function* threesOf(finders: Finder[]): Generator<[Finder, Finder, Finder]> {
  for (const [i, a] of finders.entries()) {
    for (const [j, b] of finders.slice(i + 1).entries()) {
      for (const c of finders.slice(i + j + 2)) {
        const modules = [a.module, b.module, c.module];
        if (Math.max(...modules) < Math.min(...modules) * 1.6) yield [a, b, c];
      }
    }
  }
}

/** Otsu: the threshold that parts dark and light best. Right for screenshots. */
function byOneThreshold({ width, height, grey }: Picture): Bitmap {
  const histogram = Array.from({ length: 256 }, () => 0);
  for (const value of grey) histogram[value]! += 1;
  const total = histogram.reduce((sum, count, value) => sum + count * value, 0);
  let [below, sumBelow, best, threshold] = [0, 0, -1, 127];
  for (let value = 0; value < 256; value += 1) {
    below += histogram[value]!;
    sumBelow += histogram[value]! * value;
    const above = grey.length - below;
    if (below === 0 || above === 0) continue;
    const spread = below * above * (sumBelow / below - (total - sumBelow) / above) ** 2;
    if (spread > best) [best, threshold] = [spread, value];
  }
  return { width, height, dark: grey.map((value) => (value <= threshold ? 1 : 0)) };
}

/** Darker than its surroundings: right for photos with a shadow. */
function byNeighbourhood({ width, height, grey }: Picture): Bitmap {
  const sums = new Float64Array((width + 1) * (height + 1));
  for (let y = 0; y < height; y += 1) {
    let row = 0;
    for (let x = 0; x < width; x += 1) {
      row += grey[y * width + x]!;
      sums[(y + 1) * (width + 1) + x + 1] = sums[y * (width + 1) + x + 1]! + row;
    }
  }
  const radius = Math.max(8, Math.round(Math.min(width, height) / 10));
  const dark = new Uint8Array(width * height);
  for (let y = 0; y < height; y += 1) {
    const [top, bottom] = [Math.max(0, y - radius), Math.min(height, y + radius + 1)];
    for (let x = 0; x < width; x += 1) {
      const [left, right] = [Math.max(0, x - radius), Math.min(width, x + radius + 1)];
      const at = (cx: number, cy: number) => sums[cy * (width + 1) + cx]!;
      const sum = at(right, bottom) - at(left, bottom) - at(right, top) + at(left, top);
      dark[y * width + x] = grey[y * width + x]! * (right - left) * (bottom - top) < sum * 0.9 ? 1 : 0;
    }
  }
  return { width, height, dark };
}

function readAt(bitmap: Bitmap, [topLeft, topRight, bottomLeft]: [Finder, Finder, Finder]): string | undefined {
  const module = (topLeft.module + topRight.module + bottomLeft.module) / 3;
  const side =
    (Math.hypot(topRight.x - topLeft.x, topRight.y - topLeft.y) +
      Math.hypot(bottomLeft.x - topLeft.x, bottomLeft.y - topLeft.y)) /
    2;
  const guess = Math.round((side / module + 7 - 17) / 4);
  for (const version of [guess, guess + 1, guess - 1, guess + 2, guess - 2]) {
    if (version < 1 || version > 40) continue;
    const text = readVersion(bitmap, version, topLeft, topRight, bottomLeft);
    if (text !== undefined) return text;
  }
  return undefined;
}

/** With the fourth point where an alignment pattern is, else where a flat code would have it. */
function readVersion(
  bitmap: Bitmap,
  version: number,
  topLeft: Point,
  topRight: Point,
  bottomLeft: Point,
): string | undefined {
  const span = version * 4 + 10;
  const flat = (u: number, v: number): Point => ({
    x: topLeft.x + ((topRight.x - topLeft.x) * u + (bottomLeft.x - topLeft.x) * v) / span,
    y: topLeft.y + ((topRight.y - topLeft.y) * u + (bottomLeft.y - topLeft.y) * v) / span,
  });
  const module = Math.hypot(topRight.x - topLeft.x, topRight.y - topLeft.y) / span;
  const seen = version === 1 ? undefined : findAlignment(bitmap, flat(span - 3, span - 3), module);
  const candidates: [Point, number][] = [[flat(span, span), span]];
  if (seen) candidates.unshift([seen, span - 3]);
  for (const [fourth, reach] of candidates) {
    const place = perspective([topLeft, topRight, bottomLeft, fourth], span, reach);
    const text = readMatrix(version, (x, y) => {
      const { x: px, y: py } = place(x - 3, y - 3);
      const [column, row] = [Math.round(px), Math.round(py)];
      const isInside = column >= 0 && row >= 0 && column < bitmap.width && row < bitmap.height;
      return isInside && bitmap.dark[row * bitmap.width + column] === 1;
    });
    if (text !== undefined) return text;
  }
  return undefined;
}

/** Maps module coordinates (0,0 at the top left finder's centre) to pixels: three corners at `span`, the fourth at (`reach`, `reach`). */
function perspective(
  [a, b, c, d]: [Point, Point, Point, Point],
  span: number,
  reach: number,
): (u: number, v: number) => Point {
  // p(u,v) = (a + u·e + v·f) / (1 + g·u + h·v) with p(span,0)=b, p(0,span)=c: e and f follow from g and h, the fourth point gives those.
  const k = reach / span;
  const weight = 1 - 2 * k;
  const rest = { x: d.x - a.x * weight - k * (b.x + c.x), y: d.y - a.y * weight - k * (b.y + c.y) };
  // k·(b−d)·G + k·(c−d)·H = rest with G = g·span, H = h·span.
  const [m11, m12, m21, m22] = [k * (b.x - d.x), k * (c.x - d.x), k * (b.y - d.y), k * (c.y - d.y)];
  const det = m11 * m22 - m12 * m21;
  const g = det === 0 ? 0 : (rest.x * m22 - m12 * rest.y) / det / span;
  const h = det === 0 ? 0 : (m11 * rest.y - rest.x * m21) / det / span;
  const e = { x: (b.x * (1 + g * span) - a.x) / span, y: (b.y * (1 + g * span) - a.y) / span };
  const f = { x: (c.x * (1 + h * span) - a.x) / span, y: (c.y * (1 + h * span) - a.y) / span };
  return (u, v) => {
    const w = 1 + g * u + h * v;
    return { x: (a.x + u * e.x + v * f.x) / w, y: (a.y + u * e.y + v * f.y) / w };
  };
}
