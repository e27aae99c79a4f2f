import { expect, test } from 'vitest';
import type { FactRow } from './facts-store.ts';
import { type CauseClaim, desiredLock } from './desired-lock.ts';

const row = {} as FactRow;
const [SOON, LATER] = ['2026-03-05T06:45:00.000Z', '2026-03-05T07:00:00.000Z'];
const claim = (cause: CauseClaim['cause'], level: CauseClaim['level'], endsAt: string | null): CauseClaim => ({
  cause,
  level,
  reason: 'ENROLMENT_TEST',
  endsAt,
});

test.each<[string, CauseClaim[], string | undefined]>([
  ['the end of the one cause that holds it', [claim('enrolment_test', 4, SOON)], SOON],
  ['the last of several', [claim('enrolment_test', 4, SOON), claim('override', 3, LATER)], LATER],
  [
    'none as long as one holds it whose end nobody knows',
    [claim('enrolment_test', 4, SOON), claim('debt', 1, null)],
    undefined,
  ],
  ['none of what holds it no more', [claim('enrolment_test', 0, SOON), claim('debt', 3, null)], undefined],
])('a phone that nobody reaches frees itself by its document: %s', (_what, claims, until) => {
  expect(desiredLock(row, claims).until).toBe(until);
});
