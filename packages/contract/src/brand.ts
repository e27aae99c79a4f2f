import { contrast, lightness, mix, parseHex, relight, toHex, type Rgb } from './contrast.ts';
import { TOKENS, type Mode } from './tokens.ts';

/** The variables that a brand decides; everything else is the house's. */
export interface BrandVars {
  '--accent': string;
  '--accent-fg': string;
  '--accent-text': string;
  '--accent-soft': string;
}

const WHITE: Rgb = [255, 255, 255];
const INK: Rgb = parseHex(TOKENS.light.ink);
const BLACK: Rgb = [0, 0, 0];
/** 4.5:1 for text (WCAG 1.4.3) with a margin for rounding to 8 bits. */
const TEXT = 4.6;

const readable = (colour: Rgb, surfaces: readonly Rgb[]) =>
  surfaces.every((surface) => contrast(colour, surface) >= TEXT);

/** Makes a colour darker or lighter in 25 steps until it is readable on every surface. @param end lightness to go to: 0 or 1. */
function untilReadable(colour: Rgb, end: 0 | 1, surfaces: readonly Rgb[]): Rgb {
  const start = lightness(colour);
  for (let step = 0; step < 25; step++) {
    const tried = step === 0 ? colour : parseHex(toHex(relight(colour, start + ((end - start) * step) / 25)));
    if (readable(tried, surfaces)) return tried;
  }
  return end === 0 ? BLACK : WHITE;
}

/** White where it is readable, else ink, else black: one of white and black always reaches 4.58:1. */
function foreground(fill: Rgb): Rgb {
  if (contrast(WHITE, fill) >= TEXT) return WHITE;
  return contrast(INK, fill) >= TEXT ? INK : contrast(BLACK, fill) >= contrast(WHITE, fill) ? BLACK : WHITE;
}

/**
 * @param accent the organisation's colour, `#rrggbb`; any colour is allowed, also yellow, white or black.
 * @returns the accent variables of one mode, all readable: text on the accent, accent-coloured text on paper, card and soft accent.
 */
export function brandVars(accent: string, mode: Mode): BrandVars {
  const brand = parseHex(accent);
  const house = TOKENS[mode];
  const papers = [house.bg, house.card, house.raise].map(parseHex);
  const card = parseHex(house.card);
  if (mode === 'light') {
    const soft = mix(card, brand, 0.09);
    return vars(brand, untilReadable(brand, 0, [...papers, soft]), soft);
  }
  const soft = mix(card, brand, 0.24);
  const text = untilReadable(brand, 1, [...papers, soft]);
  return vars(text, text, soft);
}

const vars = (fill: Rgb, text: Rgb, soft: Rgb): BrandVars => {
  const rounded = parseHex(toHex(fill));
  return {
    '--accent': toHex(fill),
    '--accent-fg': toHex(foreground(rounded)),
    '--accent-text': toHex(text),
    '--accent-soft': toHex(soft),
  };
};
