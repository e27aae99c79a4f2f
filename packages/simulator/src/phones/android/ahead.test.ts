import { expect, it } from 'vitest';
import { DAY, HOUR, T0, dealerLease, enrolled, iso } from '#simulator-test/android-play.ts';
import { aheadOf, nextLockMs } from './lease.ts';
import type { Agent } from './state.ts';

const agent: Agent = {
  ...enrolled().agent!,
  lease: {
    ...dealerLease(),
    reminders: [
      { at: iso(T0 + HOUR), key: 'D-1' },
      { at: iso(T0 + 2 * HOUR), key: 'D0' },
    ],
  },
};

it('the due day, the notice and the first lock lie ahead, each at its moment, its notice delivered or not', () => {
  expect(aheadOf(agent, T0)).toEqual({ due: T0 + 2 * HOUR, notice: T0 + DAY, lock: T0 + 3 * DAY });
  expect(aheadOf(agent, T0 + 2 * HOUR)).toMatchObject({ due: null, notice: T0 + DAY });
});

it('nothing lies ahead of a phone that was let go, nor of one that no lease tells anything', () => {
  const nothing = { due: null, notice: null, lock: null };
  expect(aheadOf({ ...agent, policy: { ...agent.policy, released: true } }, T0)).toEqual(nothing);
  expect(aheadOf({ ...agent, lease: null }, T0)).toEqual(nothing);
  expect(aheadOf(agent, T0 + 400 * DAY)).toEqual(nothing);
});

it('no lock is named that would come only after the lease’s end: by then it allows none', () => {
  const ending = (validUntil: number): Agent => ({
    ...agent,
    lease: dealerLease({
      valid_until: iso(validUntil),
      // So late that the step waits two days more, to day 5.
      notices: [{ no: 1, at: iso(T0), delivered_at: iso(T0 + 3 * DAY) }],
    }),
  });
  expect(nextLockMs(ending(T0 + 5 * DAY), T0)).toBe(T0 + 5 * DAY);
  expect(nextLockMs(ending(T0 + 5 * DAY - 1), T0)).toBeNull();
});
