import type { Pixels } from './picture.ts';

/** @returns the picture fitted into `edge` × `edge`, same shape, each pixel the mean of those that it stands for; never larger than it was. */
export function shrink(image: Pixels, edge: number): Pixels {
  const scale = Math.min(1, edge / image.width, edge / image.height);
  if (scale === 1) return image;
  const width = Math.max(1, Math.round(image.width * scale));
  const height = Math.max(1, Math.round(image.height * scale));
  const data = new Uint8Array(width * height * 4);
  for (let y = 0; y < height; y += 1) {
    const rows = spanOf(y, height, image.height);
    for (let x = 0; x < width; x += 1) average(image, spanOf(x, width, image.width), rows, data, (y * width + x) * 4);
  }
  return { width, height, data };
}

/** @returns the source pixels, from and up to, that pixel `at` of `count` stands for. */
const spanOf = (at: number, count: number, of: number): [number, number] => {
  const from = Math.floor((at * of) / count);
  return [from, Math.max(from + 1, Math.floor(((at + 1) * of) / count))];
};

/** Colours count by their alpha: what cannot be seen does not darken its neighbours. */
function average(
  { width, data }: Pixels,
  [left, right]: [number, number],
  [top, bottom]: [number, number],
  into: Uint8Array,
  place: number,
): void {
  const sums = [0, 0, 0, 0];
  for (let y = top; y < bottom; y += 1)
    for (let at = (y * width + left) * 4, end = (y * width + right) * 4; at < end; at += 4) {
      const alpha = data[at + 3] as number;
      for (let channel = 0; channel < 3; channel += 1)
        sums[channel] = (sums[channel] as number) + (data[at + channel] as number) * alpha;
      sums[3] = (sums[3] as number) + alpha;
    }
  const alpha = sums[3] as number;
  for (let channel = 0; channel < 3; channel += 1)
    into[place + channel] = alpha === 0 ? 0 : Math.round((sums[channel] as number) / alpha);
  into[place + 3] = Math.round(alpha / ((right - left) * (bottom - top)));
}

/** JPEG has no transparency: what shows through is paper. */
export function onWhite({ width, height, data }: Pixels): Pixels {
  const opaque = new Uint8Array(data.length);
  for (let at = 0; at < data.length; at += 4) {
    const alpha = data[at + 3] as number;
    for (let channel = 0; channel < 3; channel += 1)
      opaque[at + channel] = Math.round(((data[at + channel] as number) * alpha + 255 * (255 - alpha)) / 255);
    opaque[at + 3] = 255;
  }
  return { width, height, data: opaque };
}
