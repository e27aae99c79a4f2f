import { contrast, lightness, mix, parseHex, relight, toHex, type Rgb } from './contrast.ts';
import { TOKENS, type Mode } from './tokens.ts';

/** The variables that a brand decides; everything else is the house's. */
export interface BrandVars {
  '--accent': string;
  '--accent-fg': string;
  '--accent-text': string;
  '--accent-soft': string;
  /** Around what is filled with the accent: nothing, or a line where the fill alone would not be seen on a card. */
  '--accent-edge': string;
}

const WHITE: Rgb = [255, 255, 255];
const INK: Rgb = parseHex(TOKENS.light.ink);
const BLACK: Rgb = [0, 0, 0];
/** 4.5:1 for text (WCAG 1.4.3) with a margin for rounding to 8 bits. */
const TEXT = 4.6;
/** Under this against a card a fill is not seen. */
const SEEN = 1.5;
/** How much of the brand is in its soft ground at most. */
const SOFT: Record<Mode, number> = { light: 0.09, dark: 0.24 };

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

/** What stands on the soft accent besides its own text: a row that is chosen has all of it. */
const ON_SOFT = ['ink', 'ink-2', 'ok', 'due', 'over', 'lock'] as const;

/** The brand's breath on a card: as much of it as leaves every word on it readable. */
function softOf(brand: Rgb, mode: Mode): Rgb {
  const house = TOKENS[mode];
  const words = ON_SOFT.map((name) => parseHex(house[name]));
  const card = parseHex(house.card);
  for (let share = SOFT[mode]; share > 0; share -= 0.01) {
    const soft = parseHex(toHex(mix(card, brand, share)));
    if (words.every((word) => contrast(word, soft) >= TEXT)) return soft;
  }
  return card;
}

/**
 * @param accent the organisation's colour, `#rrggbb`; any colour is allowed, also yellow, white or black.
 * @returns the accent variables of one mode, all readable: text on the accent, accent-coloured text on paper, card and soft accent.
 */
export function brandVars(accent: string, mode: Mode): BrandVars {
  const brand = parseHex(accent);
  const house = TOKENS[mode];
  const papers = [house.bg, house.card, house.raise].map(parseHex);
  const soft = softOf(brand, mode);
  const text = untilReadable(brand, mode === 'light' ? 0 : 1, [...papers, soft]);
  const fill = mode === 'light' ? brand : text;
  return {
    '--accent': toHex(fill),
    '--accent-fg': toHex(foreground(parseHex(toHex(fill)))),
    '--accent-text': toHex(text),
    '--accent-soft': toHex(soft),
    '--accent-edge': contrast(fill, parseHex(house.card)) < SEEN ? house.edge : 'transparent',
  };
}
