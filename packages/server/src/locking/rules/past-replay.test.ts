import { POLICY_PRESETS } from '@kist/contract/lock-policy';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { DAY_MS, HOUR_MS, dateOf, dayOfDate, onDay, overdue } from '#test/lock-facts.ts';
import { type Gate, gate } from './gate.ts';
import { type Past, createPastReplay, pastReplay } from './past-replay.ts';
import type { ReplayedStep } from './replay.ts';

const DUE = dayOfDate('2026-03-10');
const EMI = 272_700;
const { dealer, 'rbi-2026': rbi } = POLICY_PRESETS;

/** Three EMIs of 10 March, 9 April and 9 May; looked back at from 1 June. */
const lived = (paid: Past['paid'], change: Partial<Past> = {}, policy = dealer): Past => {
  const facts = overdue(80, policy);
  return {
    facts,
    agreement: facts.agreement!,
    instalments: [0, 1, 2].map((no) => ({ no: no + 1, dueOn: dateOf(DUE + no * 30), paise: EMI })),
    paid,
    heldFromMs: onDay(DUE - 30),
    heldToMs: null,
    ...change,
  };
};
const at = (dpd: number, hour = 12) => onDay(DUE + dpd, hour * HOUR_MS);
const told = (past: Past, days = 20, by = pastReplay) =>
  by(past, onDay(DUE - 5), at(days)).map(({ on, kind, no, level }) => `${dayOfDate(on) - DUE} ${kind} ${no ?? level}`);

describe('the past under a policy', () => {
  it('is the ladder of the preset where nothing was paid', () => {
    const reminders = ['-3 reminder 1', '-1 reminder 2', '0 reminder 3'];
    expect(told(lived([]))).toEqual([...reminders, '1 notice 1', '1 level 1', '2 level 2', '3 level 3', '7 level 4']);
    expect(told(lived([], {}, rbi), 20).filter((one) => !one.includes('reminder'))).toEqual([]);
  });

  it('opens at the moment of the payment, and begins anew with the next instalment', () => {
    const steps = told(lived([{ no: 1, atMs: at(4), paise: EMI }]), 33).filter((one) => !one.includes('reminder'));
    expect(steps).toEqual([
      '1 notice 1',
      '1 level 1',
      '2 level 2',
      '3 level 3',
      '4 unlock 0',
      '31 notice 1',
      '31 level 1',
      '32 level 2',
      '33 level 3',
    ]);
  });

  it('knows a payment from when it was known, and one that was taken back as owed again', () => {
    const back = [
      { no: 1, atMs: at(-1), paise: EMI },
      { no: 1, atMs: at(9), paise: -EMI },
    ];
    expect(told(lived(back), 8).filter((one) => /notice|level/.test(one))).toEqual([]);
    expect(told(lived(back), 11).filter((one) => /notice|level/.test(one))).toContain('10 level 1');
  });

  it('holds no phone before it was set up nor after it was let go; who owes is told all the same', () => {
    const away = { heldFromMs: at(2, 0), heldToMs: at(3, 0) };
    const steps = told(lived([], away), 8).filter((one) => /notice|level/.test(one));
    expect(steps).toEqual(['1 notice 1', '2 level 1']);
  });
});

const pastArb = fc
  .record({
    policy: fc.constantFrom(dealer, rbi),
    paid: fc.array(
      fc.record({
        no: fc.integer({ min: 1, max: 3 }),
        dpd: fc.integer({ min: -20, max: 200 }),
        hour: fc.integer({ min: 0, max: 23 }),
      }),
      { maxLength: 6 },
    ),
  })
  .map(({ policy, paid }) => {
    const events = paid.map(({ no, dpd, hour }) => ({ no, atMs: at(dpd, hour) })).toSorted((a, b) => a.atMs - b.atMs);
    const left = new Map<number, number>();
    // Paid, taken back, paid again.
    const moves = events.map(({ no, atMs }) => {
      const isPaid = (left.get(no) ?? EMI) === 0;
      left.set(no, isPaid ? EMI : 0);
      return { no, atMs, paise: isPaid ? -EMI : EMI };
    });
    return lived(moves, {}, policy);
  });

/** @returns the first end of a day at which a phone stands on a level with nothing overdue, or null. */
function restrictedPaidUp(past: Past, by: typeof pastReplay): string | null {
  const steps: ReplayedStep[] = by(past, onDay(DUE - 20), onDay(DUE + 200));
  let level = 0;
  for (let day = DUE - 20; day < DUE + 200; day++) {
    for (const step of steps.filter(({ on }) => on === dateOf(day))) level = step.level ?? level;
    const endMs = onDay(day) + DAY_MS - 1;
    const owes = past.instalments.some(({ no, dueOn, paise }) => {
      const came = past.paid.reduce((sum, one) => (one.no === no && one.atMs <= endMs ? sum + one.paise : sum), 0);
      return dayOfDate(dueOn) < day && came < paise;
    });
    if (level > 0 && !owes) return dateOf(day);
  }
  return null;
}

it('no paid-up phone ever stood restricted, whatever came in when', () => {
  fc.assert(
    fc.property(pastArb, (past) => {
      expect(restrictedPaidUp(past, pastReplay)).toBeNull();
    }),
    { numRuns: 200 },
  );
});

it('a gate that takes debts of tomorrow for late is caught by that', () => {
  const early: Gate = (facts) => gate({ ...facts, nowMs: facts.nowMs + 5 * DAY_MS });
  const drawn = fc.sample(pastArb, { numRuns: 60, seed: 20261129 });
  expect(drawn.some((past) => restrictedPaidUp(past, createPastReplay(early)) !== null)).toBe(true);
});
