import { describe, expect, it } from 'vitest';
import { brandVars, SURFACES, type Mode } from '@kist/contract/brand';
import { contrast, parseHex } from '@kist/contract/contrast';
import css from './tokens.css?raw';

const AWKWARD = ['#ffd400', '#ff8a00', '#ffffff', '#000000', '#00e5a8', '#808080', '#e53935', '#3538a6'];

describe.each(['light', 'dark'] as Mode[])('a brand in %s mode', (mode) => {
  it.each(AWKWARD)('%s gives text of at least 4.5:1 wherever the accent is used', (accent) => {
    const vars = brandVars(accent, mode);
    const ratio = (a: keyof typeof vars, b: string) => contrast(parseHex(vars[a]), parseHex(b));
    expect(ratio('--accent-fg', vars['--accent'])).toBeGreaterThanOrEqual(4.5);
    for (const surface of [...Object.values(SURFACES[mode]), vars['--accent-soft']])
      expect(ratio('--accent-text', surface)).toBeGreaterThanOrEqual(4.5);
  });
});

describe('the house colours', () => {
  const block = (selector: string) => {
    const body = css.slice(css.indexOf(`${selector} {`)).split('}')[0] ?? '';
    return Object.fromEntries(
      [...body.matchAll(/--([\w-]+): (#[0-9a-f]+);/g)].map(([, name, hex]) => [
        name,
        (hex as string).length === 4 ? (hex as string).replace(/[0-9a-f]/g, '$&$&') : hex,
      ]),
    ) as Record<string, string>;
  };
  const modes = { light: block(':root'), dark: block(':root.dark') };
  it.each(['light', 'dark'] as const)(
    '%s: words on paper, card and their own soft ground reach 4.5:1, control edges 3:1',
    (mode) => {
      const of = (name: string) => parseHex(modes[mode][name] as string);
      expect(modes[mode]).toMatchObject(SURFACES[mode]);
      for (const word of ['ink', 'ink-2', 'ok', 'due', 'over', 'lock', 'accent-text'])
        for (const ground of ['bg', 'card', 'raise'])
          expect(contrast(of(word), of(ground)), `${word} on ${ground}`).toBeGreaterThanOrEqual(4.5);
      for (const tone of ['ok', 'due', 'over', 'lock'])
        expect(contrast(of(tone), of(`${tone}-soft`)), tone).toBeGreaterThanOrEqual(4.5);
      expect(contrast(of('over-fg'), of('over'))).toBeGreaterThanOrEqual(4.5);
      for (const ground of ['bg', 'card']) expect(contrast(of('edge'), of(ground))).toBeGreaterThanOrEqual(3);
    },
  );
});
