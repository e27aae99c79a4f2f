import { expect, test } from 'vitest';
import { MONEY_CAUSES, OWED_CAUSES, OWNERS_CAUSES, lockCauseSchema } from './agent.ts';
import { LOCK_REASONS } from './lock-policy.ts';

test('each cause is either the agreement’s or the owner’s', () => {
  expect([...OWED_CAUSES, ...OWNERS_CAUSES].toSorted()).toEqual(lockCauseSchema.options.toSorted());
});

test('what is held for money is what a reason of debt asks for', () => {
  const owed = Object.values(LOCK_REASONS).flatMap(({ basis, cause }) => (basis === 'debt' ? [cause] : []));
  expect(owed.toSorted()).toEqual([...MONEY_CAUSES].toSorted());
});
