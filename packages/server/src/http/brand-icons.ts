import { type Rgb, parseHex } from '@kist/contract/contrast';
import { TOKENS } from '@kist/contract/tokens';
import { UnusableImage, type Pixels } from '#server/platform/picture.ts';
import { readPng, writePng } from '#server/platform/png.ts';

/** The ground of the icons as they are built, and the sheet on it: between them lies every pixel of the sheet's soft edge. */
const { accent: GROUND, bg } = TOKENS.light;
const SHEET: Rgb = parseHex(bg);
/** How far the three channels may disagree about a pixel that is a mixture of ground and sheet: rounding to 8 bits, at the narrowest channel. */
const ROUNDING = 0.03;
/** The largest icon of a manifest is 512 × 512; somebody may bring a larger one. */
const MOST_PIXELS = 2048 * 2048;

/** @returns the app's icon on a ground of the organisation's own colour. */
export const brandedSvg = (svg: string, accent: string): string => svg.replaceAll(GROUND, accent);

/** The same of a PNG; one that we do not read, or too large a one, stays as it is. */
export function brandedPng(png: Buffer, accent: string): Buffer {
  const pixels = pixelsOf(png);
  if (!pixels) return png;
  const [from, to] = [parseHex(GROUND), parseHex(accent)];
  const { data } = pixels;
  for (let at = 0; at < data.length; at += 4) {
    const part = groundIn([data[at]!, data[at + 1]!, data[at + 2]!], from);
    if (part === 0) continue;
    for (const channel of [0, 1, 2] as const)
      data[at + channel] = Math.round(part * to[channel] + (1 - part) * SHEET[channel]);
  }
  return writePng(pixels);
}

function pixelsOf(png: Buffer): Pixels | undefined {
  try {
    return readPng(png, MOST_PIXELS);
  } catch (error) {
    if (error instanceof UnusableImage) return undefined;
    throw error;
  }
}

/** How much of a pixel is ground: 1 on it, between on its edge, 0 for what is no mixture of the two. */
function groundIn(pixel: Rgb, ground: Rgb): number {
  const parts = pixel.map((value, channel) => (SHEET[channel]! - value) / (SHEET[channel]! - ground[channel]!));
  const [least, most] = [Math.min(...parts), Math.max(...parts)];
  if (most - least > ROUNDING || least < -ROUNDING || most > 1 + ROUNDING) return 0;
  return Math.min(1, Math.max(0, (least + most) / 2));
}
