import type { TFunction } from 'i18next';
import { expect, it } from 'vitest';
import { LIMITS } from '@kist/contract/limits';
import { reasonFault } from './reason-fault.ts';

const t = ((key: string, words?: object) => `${key} ${JSON.stringify(words ?? {})}`) as unknown as TFunction;

it.each([
  ['', 'field.required {}'],
  ['   ', 'field.required {}'],
  [' no ', `field.too_short {"min":${LIMITS.reasonLengthMin}}`],
  ['The slip was torn', undefined],
])('a reason of “%s” is told as %s', (reason, fault) => {
  expect(reasonFault(reason, t)).toBe(fault);
});

it('one word is enough where that is all that is asked', () => {
  expect(reasonFault('ok', t, 1)).toBeUndefined();
  expect(reasonFault(' ', t, 1)).toBe('field.required {}');
});

it('no form judges a reason by rules of its own', () => {
  const files = import.meta.glob<string>('../**/*.{ts,tsx}', { query: '?raw', import: 'default', eager: true });
  const own = Object.keys(files).filter((path) => /[<>]=? LIMITS\.reasonLengthMin/.test(files[path] ?? ''));
  expect(own).toEqual([]);
});
