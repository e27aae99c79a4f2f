// @vitest-environment jsdom
import { render } from '@testing-library/react';
import { expect, it } from 'vitest';
import type { LockTimeline, LockView } from '@kist/contract/customers';
import { LockCard } from './lock-card.tsx';

const at = '2026-03-01T10:00:00.000Z';
const timeline = (level: number): LockTimeline =>
  ({
    level,
    events: [],
    next: null,
    pay_to_open_paise: 1_190_00,
    is_owners: false,
    holds: [],
    cure: null,
    owed_paise: 0,
  }) as unknown as LockTimeline;

/** Of a phone that was let go: what it says alone, without the button. */
function shown(strength: LockView['strength'], level: number) {
  const lock = {
    lock_status: level >= 3 ? 1 : 0,
    level,
    desired_level: level,
    pending: null,
    confirmed_at: at,
    strength,
    silent_since: null,
    cause: 'debt',
  } satisfies LockView;
  const { unmount, container } = render(
    <LockCard
      customerId="c"
      lock={lock}
      timeline={timeline(level)}
      isReleased
      isLockOffered={false}
      isGuardTold={false}
    />,
  );
  const text = container.textContent;
  unmount();
  return text;
}

it('says of a phone that could prove itself that it confirmed, of another that it reported', () => {
  expect(shown('enforced', 4)).toContain('customer.confirmed');
  expect(shown('unproven', 4)).toContain('customer.reported');
  expect(shown('unproven', 4)).not.toContain('customer.confirmed');
});

it('doubts a lock only where there is one', () => {
  expect(shown('unproven', 3)).toContain('lock.unproven');
  expect(shown('unproven', 2)).not.toContain('lock.unproven');
  expect(shown('enforced', 3)).not.toContain('lock.unproven');
});

it('says what unlocks a phone only while it is locked', () => {
  expect(shown('enforced', 3)).toContain('lock_timeline.pay_opens');
  expect(shown('enforced', 2)).not.toContain('lock_timeline.pay_opens');
});

it('speaks of what is owed for a late unlock only once something is', () => {
  const waiting = (owed_paise: number, as: { held_since?: string; confirmed_at?: string } = {}) => {
    const cure = { cured_at: at, confirmed_at: null, held_since: null, compensation_paise: 0, ...as };
    const lock = { lock_status: 1, level: 4, desired_level: 0, pending: null, confirmed_at: at, strength: 'enforced' };
    const { unmount, container } = render(
      <LockCard
        customerId="c"
        lock={lock as unknown as LockView}
        timeline={{ ...timeline(4), cure, owed_paise }}
        isReleased
        isLockOffered={false}
        isGuardTold
      />,
    );
    const text = container.textContent;
    unmount();
    return text;
  };
  expect(waiting(0)).toContain('customer.unlock_meter');
  expect(waiting(0)).not.toContain('customer.unlock_owed');
  expect(waiting(250_00)).toContain('customer.unlock_owed');
  expect(waiting(0, { confirmed_at: at })).not.toContain('customer.unlock_owed');
  // What was owed stays owed once the phone is open, and after the next lock that ended well.
  const past = waiting(250_00, { confirmed_at: at });
  expect(past).toContain('customer.unlock_owed');
  expect(past).not.toContain('customer.unlock_meter');
  const wrong = waiting(250_00, { held_since: at, confirmed_at: at });
  expect(wrong).toContain('lock_timeline.wrong');
  expect(wrong).toContain('customer.unlock_owed');
  expect(wrong).not.toContain('customer.unlock_meter');
});
