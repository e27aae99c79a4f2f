import { POLICY_PRESETS } from '@kist/contract/lock-policy';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { mayLock } from '#test/gate-laws.ts';
import {
  climbing,
  DAY_MS,
  dateOf,
  dayOf,
  dayOfDate,
  factsArb,
  HOUR_MS,
  onDay,
  overdue,
  told,
} from '#test/lock-facts.ts';
import { CHECKS } from './checks.ts';
import { atInstant, withDebtLevel, type GateFacts } from './facts.ts';
import { gate } from './gate.ts';
import { createLeaseRules, spreadMs } from './lease-ladder.ts';

const { firstAllowedAt, leaseLadder, leasePlan } = createLeaseRules(CHECKS);
const DUE = dayOfDate('2026-03-10');
const RBI = POLICY_PRESETS['rbi-2026'];
const intoDay = (ms: number) => ms - onDay(dayOf(ms));

/** @returns what is wrong with a ladder; every step is judged by the law as if the phone had taken the ones before it. */
function wrongStep(facts: GateFacts, ladder: ReturnType<typeof leaseLadder>): string | null {
  const { fromHour, toHour } = facts.policy.automaticHours;
  // The phone stands one below the first step: what did not stand any more was lowered when the lease was made.
  let before = withDebtLevel(facts, below(ladder[0]?.level ?? 0), facts.device.levelSinceMs);
  for (const { level, atMs } of ladder) {
    const then = atInstant(asLease(before, level), atMs);
    const hour = intoDay(atMs) / HOUR_MS;
    if (level !== before.device.currentDebtLevel + 1) return `level ${level} skips one`;
    if (atMs < facts.nowMs) return `level ${level} in the past`;
    if (!mayLock(then)) return `level ${level} at ${new Date(atMs).toISOString()} is not allowed`;
    if (hour < fromHour || hour >= toHour) return `level ${level} in quiet hours`;
    if (facts.policy.holidays.some((on) => dayOfDate(on) === dayOf(atMs))) return `level ${level} on a holiday`;
    before = withDebtLevel(atInstant(before, atMs), level, atMs);
  }
  return null;
}
const below = (level: number) => ([0, 0, 1, 2, 3] as const)[level as 0] ?? 0;
const asLease = (facts: GateFacts, level: 1 | 2 | 3 | 4 | 0): GateFacts => ({
  ...facts,
  request: { reason: 'EMI_OVERDUE', level, trigger: 'lease' },
});

describe('a lease', () => {
  test('given before the due date it climbs by itself as far as notices allow', () => {
    const ahead = overdue(-5);
    const spread = spreadMs('device-1');
    const at = (day: number) => onDay(DUE + day, 10 * HOUR_MS + spread);
    expect(leaseLadder(ahead)).toEqual([
      { level: 1, atMs: at(1) },
      { level: 2, atMs: at(2) },
    ]);
    expect(leaseLadder(told(overdue(1), 1, 1, 10)).map(({ level }) => level)).toEqual([1, 2, 3, 4]);
    expect(leaseLadder(told(overdue(1, undefined, 9), 1, 1, 8))).toEqual(
      [1, 2, 3, 7].map((day, index) => ({ level: index + 1, atMs: at(day) })),
    );
  });

  test('keeps the second that a phone has fallen on so far', () => {
    expect(spreadMs('0197a3b0-1000-7abc-8abc-0123456789ab')).toBe(464_000);
    expect(spreadMs('ffffffff-ffff-7fff-bfff-ffffffffffff')).toBe(24_000);
  });

  test('the same phone always falls on the same second, many phones over two hours', () => {
    const spreads = Array.from({ length: 2000 }, (_, index) => spreadMs(`device-${index}`));
    expect(spreads).toEqual(Array.from({ length: 2000 }, (_, index) => spreadMs(`device-${index}`)));
    const quarters = [0, 1, 2, 3, 4, 5, 6, 7].map(
      (quarter) => spreads.filter((ms) => Math.floor(ms / (15 * 60_000)) === quarter).length,
    );
    expect(Math.max(...spreads)).toBeLessThan(2 * HOUR_MS);
    expect(Math.min(...quarters)).toBeGreaterThan(180);
  });

  test('a payment, a dispute or a hold without end leaves it nothing to do', () => {
    const ready = climbing(told(overdue(3), 1, 1), 3, 2);
    const paid = { ...ready, agreement: ready.agreement && { ...ready.agreement, oldestUnpaidDueOn: null } };
    expect(leaseLadder(paid)).toEqual([]);
    expect(leaseLadder({ ...ready, disputes: [{ openedAtMs: 0, untilMs: null }] })).toEqual([]);
    const holds = [{ kind: 'hardship' as const, untilOn: dateOf(DUE + 40) }];
    expect(leaseLadder({ ...ready, holds }).map(({ atMs }) => dayOf(atMs) - DUE)).toEqual([41, 42]);
  });

  test('the next level alone: its first moment, or none while a notice is missing', () => {
    expect(firstAllowedAt(climbing(told(overdue(2), 1, 1), 3, 1), 3)).toBe(onDay(DUE + 3, 10 * HOUR_MS));
    expect(firstAllowedAt(climbing(overdue(2), 3, 1), 3)).toBeNull();
    expect(firstAllowedAt(overdue(2), 3)).toBeNull();
  });
});

describe('a lease plan', () => {
  test('lets the phone show the missing notice and binds the steps that rest on it', () => {
    const { notices, steps } = leasePlan(overdue(-5));
    expect(notices).toEqual([{ no: 1, atMs: onDay(DUE + 1, 10 * HOUR_MS), deliveredAtMs: null }]);
    expect(
      steps.map(({ level, noticeNo, noticeDays, atMs }) => [dayOf(atMs) - DUE, level, noticeNo, noticeDays]),
    ).toEqual([
      [1, 1, null, 0],
      [2, 2, null, 0],
      [3, 3, 1, 2],
      [7, 4, 1, 2],
    ]);
  });

  test('a phone that showed the notice late, and then waits its days, is never early', () => {
    fc.assert(
      fc.property(fc.integer({ min: 0, max: 9 * DAY_MS }), fc.constantFrom(3 as const, 4 as const), (lateMs, level) => {
        const { notices, steps } = leasePlan(overdue(-5));
        const shownAtMs = (notices[0]?.atMs ?? 0) + lateMs;
        const step = steps.find((one) => one.level === level);
        const atMs = Math.max(step?.atMs ?? 0, shownAtMs + (step?.noticeDays ?? 0) * DAY_MS);
        const shown = { no: 1, dueOn: dateOf(DUE), deliveredAtMs: shownAtMs, proof: 'shown' };
        const then = withDebtLevel({ ...overdue(-5), notices: [shown] }, below(level), 0);
        const manual = { ...then.request, level, trigger: 'manual' as const };
        expect(mayLock({ ...then, request: manual, nowMs: atMs })).toBe(true);
      }),
    );
  });

  test('never rests a step on two notices that nobody has delivered', () => {
    expect(leasePlan(overdue(50, RBI)).steps.map(({ level }) => level)).toEqual([1, 2]);
    const { notices, steps } = leasePlan(told(overdue(70, RBI), 1, 60));
    expect(notices.map(({ no, deliveredAtMs }) => [no, deliveredAtMs === null])).toEqual([
      [1, false],
      [2, true],
    ]);
    expect(steps.map(({ level, noticeNo }) => [level, noticeNo])).toEqual([
      [1, null],
      [2, null],
      [3, 2],
      [4, 2],
    ]);
  });

  test('without missing notices it is the ladder', () => {
    fc.assert(
      fc.property(factsArb, (facts) => {
        const steps = leasePlan(facts).steps.filter(({ noticeNo }) => noticeNo === null);
        const ladder = leaseLadder(facts);
        expect(steps.map(({ level, atMs }) => ({ level, atMs }))).toEqual(ladder.slice(0, steps.length));
      }),
      { numRuns: 500 },
    );
  });
});

describe('for any facts', () => {
  test('no step of a lease comes before the gate allows it, in quiet hours, on a holiday, or over a level', () => {
    fc.assert(
      fc.property(factsArb, (facts) => {
        expect(wrongStep(facts, leaseLadder(facts))).toBeNull();
      }),
      { numRuns: 2000 },
    );
  });

  test('and no step that could be given is missing', () => {
    fc.assert(
      fc.property(factsArb, (facts) => {
        const ladder = leaseLadder(facts);
        const top = ladder.at(-1)?.level ?? gate(asLease(facts, 0)).level;
        const sinceMs = ladder.at(-1)?.atMs ?? facts.device.levelSinceMs;
        const after = withDebtLevel(facts, top, sinceMs);
        const next = ([1, 2, 3, 4, 0] as const)[top];
        const noons = [0, 1, 2, 7, 30, 120].map((days) => onDay(dayOf(facts.nowMs) + days, 14 * HOUR_MS));
        const later = noons.filter((ms) => ms >= Math.max(facts.nowMs, sinceMs ?? 0));
        expect(next !== 0 && later.some((ms) => mayLock(atInstant(asLease(after, next), ms)))).toBe(false);
      }),
      { numRuns: 1500 },
    );
  });

  const drawn = fc.sample(factsArb, { numRuns: 3000, seed: 20261120 });

  test.each([
    'QUIET_HOURS',
    'HOLIDAY',
    'BELOW_DPD',
    'NOTICE_NOT_DELIVERED',
    'NOTICE_PERIOD',
    'LEVEL_DWELL',
    'DISPUTE_OPEN',
    'HOLD_ACTIVE',
  ])('a ladder built without %s is caught', (rule) => {
    const { leaseLadder: careless } = createLeaseRules(CHECKS.filter((check) => check.rule !== rule));
    expect(drawn.some((facts) => wrongStep(facts, careless(facts)) !== null)).toBe(true);
  });
});
