import { isoDate } from '@kist/contract/dates';
import { POLICY_PRESETS, type LockLevel } from '@kist/contract/lock-policy';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { DAY_MS, dateOf, dayOf, dayOfDate, onDay, overdue } from '#test/lock-facts.ts';
import { type Gate, gate } from './gate.ts';
import { type Life, createReplay, replay } from './replay.ts';

const DUE = dayOfDate('2026-03-10');
const { dealer, 'rbi-2026': rbi } = POLICY_PRESETS;

/** One instalment of 10 March unpaid, the next of 10 April to come. */
const late = (dpd: number, policy = dealer, change: Partial<Life> = {}): Life => ({
  facts: overdue(dpd, policy, 9),
  state: 'active',
  unpaid: [
    { dueOn: dateOf(DUE), unpaidPaise: 272_700 },
    { dueOn: dateOf(DUE + 31), unpaidPaise: 272_700 },
  ],
  sent: [],
  isHoldable: true,
  ...change,
});
const short = (life: Life, days: number, by = replay) =>
  by(life, days).map(({ on, kind, no, level }) => `${dayOfDate(on) - DUE} ${kind} ${no ?? level}`);

describe('a replay', () => {
  it('tells the dealer ladder day by day, as the preset says it runs', () => {
    expect(short(late(0), 9)).toEqual([
      '0 reminder 3',
      '1 notice 1',
      '1 level 1',
      '2 level 2',
      '3 level 3',
      '7 level 4',
    ]);
  });

  it('tells the ladder of regulated lenders: day 60, 82, 90, 97', () => {
    const told = short(late(59, rbi), 40).filter((one) => !one.includes('reminder'));
    expect(told).toEqual(['60 notice 1', '60 level 1', '82 notice 2', '82 level 2', '90 level 3', '97 level 4']);
  });

  it('raises nothing on a holiday, while held, or while disputed', () => {
    const holiday = { ...dealer, holidays: [1, 2, 3, 4].map((dpd) => dateOf(DUE + dpd)) };
    expect(short(late(1, holiday), 5)).toEqual(['1 notice 1', '5 level 1']);
    const facts = { ...overdue(1, dealer, 9), holds: [{ kind: 'medical' as const, untilOn: dateOf(DUE + 3) }] };
    expect(short(late(1, dealer, { facts }), 5)).toEqual(['1 notice 1', '4 level 1', '5 level 2']);
    const disputed = { ...overdue(1, dealer, 9), disputes: [{ openedAtMs: onDay(DUE), untilMs: null }] };
    expect(short(late(1, dealer, { facts: disputed }), 30).filter((one) => one.includes('level'))).toEqual([]);
  });

  it('unlocks at once what a milder policy lets stand no more, and never touches a phone that was let go', () => {
    const facts = overdue(5, rbi, 9);
    const held = { ...facts, device: { ...facts.device, currentDebtLevel: 3 as LockLevel, levelSinceMs: facts.nowMs } };
    expect(short(late(5, rbi, { facts: held }), 10)).toEqual(['5 unlock 0']);
    expect(short(late(5, rbi, { facts: held, isHoldable: false }), 10)).toEqual([]);
  });
});

const lifeArb = fc
  .record({
    policy: fc.constantFrom(dealer, rbi),
    dpd: fc.integer({ min: -40, max: 120 }),
    hour: fc.integer({ min: 0, max: 23 }),
    level: fc.constantFrom<LockLevel>(0, 1, 2, 3, 4),
    unpaidFrom: fc.integer({ min: 0, max: 4 }),
  })
  .map(({ policy, dpd, hour, level, unpaidFrom }): Life => {
    const unpaid = [0, 1, 2, 3].map((no) => ({ dueOn: dateOf(DUE + no * 30), unpaidPaise: 272_700 })).slice(unpaidFrom);
    const facts = overdue(dpd, policy, hour);
    const oldest = unpaid[0];
    return {
      state: oldest ? 'active' : 'completed',
      unpaid,
      sent: [],
      isHoldable: true,
      facts: {
        ...facts,
        agreement: {
          ...facts.agreement!,
          state: oldest ? 'active' : 'completed',
          oldestUnpaidDueOn: oldest?.dueOn ?? null,
          oldestUnpaidPaise: oldest?.unpaidPaise ?? 0,
        },
        device: { ...facts.device, currentDebtLevel: level, levelSinceMs: level > 0 ? facts.nowMs - DAY_MS : null },
      },
    };
  });

/** @returns the first day on which a phone that owes nothing late would be on a level, or null. */
function restrictedPaidUp(life: Life, by: (life: Life, days: number) => ReturnType<typeof replay>): string | null {
  const dueDay = life.unpaid[0] ? dayOfDate(life.unpaid[0].dueOn) : Infinity;
  let level: number = life.facts.device.currentDebtLevel;
  const steps = by(life, 30);
  for (let at = 0; at < 30; at++) {
    const on = dateOf(dayOf(life.facts.nowMs) + at);
    for (const step of steps.filter((one) => one.on === isoDate(on))) level = step.level ?? level;
    if (level > 0 && dayOfDate(on) <= dueDay) return on;
  }
  return null;
}

it('no paid-up phone is ever restricted, whatever the policy, the level it is on and the day', () => {
  fc.assert(
    fc.property(lifeArb, (life) => {
      expect(restrictedPaidUp(life, replay)).toBeNull();
    }),
    { numRuns: 500 },
  );
});

it('a replay by a gate that takes debts of tomorrow for late is caught by that', () => {
  const early: Gate = (facts) => gate({ ...facts, nowMs: facts.nowMs + 5 * DAY_MS });
  const drawn = fc.sample(lifeArb, { numRuns: 300, seed: 20261123 });
  expect(drawn.some((life) => restrictedPaidUp(life, createReplay(early)) !== null)).toBe(true);
});
