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
