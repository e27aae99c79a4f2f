import { describe, expect, it } from 'vitest';
import { brandVars } from '@kist/contract/brand';
import { contrast, parseHex } from '@kist/contract/contrast';
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
const AWKWARD = ['#ffd400', '#ff8a00', '#ffffff', '#000000', '#00e5a8', '#808080', '#e53935', '#3538a6'];

describe.each(['light', 'dark'] as Mode[])('a brand in %s mode', (mode) => {
  it.each(AWKWARD)('%s gives text of at least 4.5:1 wherever the accent is used', (accent) => {
    const vars = brandVars(accent, mode);
    const ratio = (a: keyof typeof vars, b: string) => contrast(parseHex(vars[a]), parseHex(b));
    expect(ratio('--accent-fg', vars['--accent'])).toBeGreaterThanOrEqual(4.5);
    const { bg, card, raise } = TOKENS[mode];
    for (const surface of [bg, card, raise, vars['--accent-soft']])
      expect(ratio('--accent-text', surface)).toBeGreaterThanOrEqual(4.5);
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
