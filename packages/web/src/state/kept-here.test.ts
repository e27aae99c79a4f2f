import { afterEach, expect, inject, it, vi } from 'vitest';
import { keptHere } from './kept-here.ts';

afterEach(() => vi.unstubAllGlobals());

const english = {
  ...import.meta.glob<object>('../../public/locales/en.json', { import: 'default', eager: true }),
  ...import.meta.glob<object>('../../public/locales/*/en.json', { import: 'default', eager: true }),
};

it('that something is safe on this phone is said where it can be kept there; over plain http, that nothing is', () => {
  vi.stubGlobal('crypto', { subtle: {} });
  expect(keptHere('states.saved_safe')).toBe('states.saved_safe');
  vi.stubGlobal('crypto', {});
  expect(keptHere('states.saved_safe')).toBe('shell.memory_only');
});

/** A file that was downloaded lies on the phone wherever the page came from; where nothing can be kept a log-out says that instead. */
const OTHERWISE = ['my_data.saved', 'shell.logout_queued'];

it('no sentence that says so is said without asking', () => {
  const promising = Object.values(english).flatMap((areas) =>
    Object.entries(areas as Record<string, Record<string, unknown>>).flatMap(([area, texts]) =>
      Object.entries(texts)
        .filter(([, text]) => typeof text === 'string' && /\bsafe\b|^Saved on this phone\./.test(text))
        .map(([name]) => `${area}.${name.replace(/_(one|other)$/, '')}`),
    ),
  );
  expect(promising.length).toBeGreaterThan(5);
  const { ours } = inject('sources');
  const unasked = [...new Set(promising)].filter((key) => {
    const said = ours.split(`'${key}'`).slice(0, -1);
    return said.some((before) => !/keptHere\([^()]*$/.test(before)) && !OTHERWISE.includes(key);
  });
  expect(unasked).toEqual([]);
});
