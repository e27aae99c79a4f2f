import { describe, expect, it } from 'vitest';
import { brandVars } from '@kist/contract/brand';
import { contrast, parseHex, toHex } from '@kist/contract/contrast';
import { TOKENS, type Mode } from '@kist/contract/tokens';

const files = import.meta.glob<string>(
  [
    '../../index.html',
    '../../public/update-page.js',
    '../../public/manifest.webmanifest',
    '../../public/icons/icon.svg',
  ],
  { query: '?raw', import: 'default', eager: true },
);
const AWKWARD = ['#ffd600', '#ff9100', '#ffffff', '#000000', '#00e5ff', '#808080', '#e53935', '#3538a6'];
/** Every seventeenth of each channel: 4,096 colours, from black to white. */
const ALL = Array.from({ length: 4096 }, (_, at) => toHex([(at >> 8) * 17, ((at >> 4) & 15) * 17, (at & 15) * 17]));
/** What stands on the soft accent: a row that is chosen keeps its words. */
const WORDS = ['ink', 'ink-2', 'ok', 'due', 'over', 'lock'] as const;

describe.each(['light', 'dark'] as Mode[])('a brand in %s mode', (mode) => {
  it.each(AWKWARD)('%s gives text of at least 4.5:1 wherever the accent is used', (accent) => {
    const vars = brandVars(accent, mode);
    const ratio = (a: keyof typeof vars, b: string) => contrast(parseHex(vars[a]), parseHex(b));
    expect(ratio('--accent-fg', vars['--accent'])).toBeGreaterThanOrEqual(4.5);
    const { bg, card, raise } = TOKENS[mode];
    for (const surface of [bg, card, raise, vars['--accent-soft']])
      expect(ratio('--accent-text', surface)).toBeGreaterThanOrEqual(4.5);
  });
  it('of any of 4,096 colours leaves every word readable, on it and on its soft ground, and every button to be seen', () => {
    const { card, ...house } = TOKENS[mode];
    const unreadable = ALL.flatMap((accent) => {
      const vars = brandVars(accent, mode);
      const pairs: (readonly [string, string])[] = [
        [vars['--accent-fg'], vars['--accent']],
        ...[card, house.bg, house.raise, vars['--accent-soft']].map(
          (ground) => [vars['--accent-text'], ground] as const,
        ),
        ...WORDS.map((word) => [house[word], vars['--accent-soft']] as const),
      ];
      const isSeen =
        contrast(parseHex(vars['--accent']), parseHex(card)) >= 1.5 || vars['--accent-edge'] === house.edge;
      return [
        ...pairs
          .filter(([word, ground]) => contrast(parseHex(word), parseHex(ground)) < 4.5)
          .map((pair) => [accent, ...pair]),
        ...(isSeen ? [] : [[accent, 'not seen']]),
      ];
    });
    expect(unreadable).toEqual([]);
  });
});

describe('the house colours', () => {
  it.each(['light', 'dark'] as const)(
    '%s: words on paper, card and their own soft ground reach 4.5:1, control edges 3:1',
    (mode) => {
      const of = (name: keyof (typeof TOKENS)['light']) => parseHex(TOKENS[mode][name]);
      for (const word of ['ink', 'ink-2', 'ok', 'due', 'over', 'lock', 'accent-text'] as const)
        for (const ground of ['bg', 'card', 'raise'] as const)
          expect(contrast(of(word), of(ground)), `${word} on ${ground}`).toBeGreaterThanOrEqual(4.5);
      for (const tone of ['ok', 'due', 'over', 'lock'] as const)
        expect(contrast(of(tone), of(`${tone}-soft`)), tone).toBeGreaterThanOrEqual(4.5);
      expect(contrast(of('over-fg'), of('over'))).toBeGreaterThanOrEqual(4.5);
      for (const ground of ['bg', 'card'] as const) expect(contrast(of('edge'), of(ground))).toBeGreaterThanOrEqual(3);
    },
  );
  it('are the only ones that the static files know', () => {
    const known = new Set([...Object.values(TOKENS.light), ...Object.values(TOKENS.dark), '#fff']);
    const shown = Object.entries(files).flatMap(([name, text]) =>
      [...text.matchAll(/#(?:[0-9a-f]{8}|[0-9a-f]{6}|[0-9a-f]{3})\b/gi)].map(([colour]) => ({ name, colour })),
    );
    expect(shown.length).toBeGreaterThan(8);
    expect(shown.filter(({ colour }) => !known.has(colour))).toEqual([]);
  });
});
