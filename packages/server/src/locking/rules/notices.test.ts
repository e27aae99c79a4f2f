import { POLICY_PRESETS } from '@kist/contract/lock-policy';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { dateOf, dayOfDate, HOUR_MS, onDay } from '#test/lock-facts.ts';
import { noticesDue, type Arrears, type NoticeId } from './notices.ts';

const { dealer: DEALER, 'rbi-2026': RBI } = POLICY_PRESETS;
const DUE = dayOfDate('2026-03-10');
const one: Arrears = {
  state: 'active',
  unpaid: [{ dueOn: dateOf(DUE), unpaidPaise: 272_700 }],
  delivered: [],
  consentMs: null,
  noticesFromMs: null,
};
const ids = (list: readonly NoticeId[]) => list.map(({ kind, no, dueOn }) => `${kind} ${no} ${dueOn}`);
const on = (day: number, arrears = one, sent: readonly NoticeId[] = [], policy = DEALER) =>
  ids(noticesDue(arrears, policy, dateOf(DUE + day), sent));

describe('what to send on a business day', () => {
  test.each<[number, string[]]>([
    [-4, []],
    [-3, ['reminder 1 2026-03-10']],
    [-1, ['reminder 2 2026-03-10']],
    [0, ['reminder 3 2026-03-10']],
    [1, ['notice 1 2026-03-10']],
  ])('dealer, day %d: %j', (day, expected) => {
    expect(on(day)).toEqual(expected);
  });

  test('a day left out is made up for, but not with stale reminders', () => {
    expect(on(-2)).toEqual(['reminder 1 2026-03-10']);
    expect(on(5)).toEqual(['notice 1 2026-03-10']);
    const soon = { ...one, unpaid: [{ dueOn: dateOf(DUE + 5), unpaidPaise: 1 }] };
    expect(on(4, soon)).toEqual(['reminder 2 2026-03-15']);
  });

  test('a notice says what is owed, by when, and what follows on which day', () => {
    const two = { ...one, unpaid: [...one.unpaid, { dueOn: dateOf(DUE - 30), unpaidPaise: 100 }] };
    expect(noticesDue(two, DEALER, dateOf(DUE + 1), [])).toEqual([
      {
        kind: 'notice',
        no: 1,
        dueOn: dateOf(DUE - 30),
        unpaidPaise: 100,
        overduePaise: 272_800,
        payByOn: dateOf(DUE + 2),
        levels: [
          { level: 3, fromOn: dateOf(DUE + 3) },
          { level: 4, fromOn: dateOf(DUE + 3) },
        ],
      },
    ]);
  });

  test('rbi-2026: notice 2 waits until the 21 days of a delivered notice 1 are over', () => {
    const sent: NoticeId[] = [{ kind: 'notice', no: 1, dueOn: dateOf(DUE) }];
    const delivered = [{ no: 1, dueOn: dateOf(DUE), deliveredAtMs: onDay(DUE + 61, 15 * HOUR_MS), proof: 'sms:1' }];
    expect(on(59, one, [], RBI)).toEqual([]);
    expect(on(60, one, [], RBI)).toEqual(['notice 1 2026-03-10']);
    expect(on(200, one, sent, RBI)).toEqual([]);
    expect(on(82, { ...one, delivered }, sent, RBI)).toEqual([]);
    expect(on(83, { ...one, delivered }, sent, RBI)).toEqual(['notice 2 2026-03-10']);
  });

  test('nothing for a closed agreement, a paid instalment, or a penalty alone', () => {
    for (const arrears of [
      { ...one, state: 'completed' as const },
      { ...one, unpaid: [] },
      { ...one, unpaid: [{ dueOn: dateOf(DUE), unpaidPaise: 0 }] },
    ]) {
      for (const day of [-3, 0, 1, 9]) expect(on(day, arrears)).toEqual([]);
    }
  });

  test('run twice, in any order of days, with days left out: each message once, notices never before their day', () => {
    const daysArb = fc.array(fc.integer({ min: -10, max: 130 }), { maxLength: 60 });
    fc.assert(
      fc.property(daysArb, fc.constantFrom(DEALER, RBI), fc.integer({ min: 0, max: 3 }), (days, policy, lag) => {
        const sent: NoticeId[] = [];
        let delivered: Arrears['delivered'] = [];
        for (const day of days.flatMap((one) => [one, one])) {
          const unpaid = [DUE - 31, DUE, DUE + 30].map((due) => ({ dueOn: dateOf(due), unpaidPaise: 10 }));
          for (const due of noticesDue({ ...one, unpaid, delivered }, policy, dateOf(DUE + day), sent)) {
            expect(ids(sent)).not.toContain(ids([due])[0]);
            sent.push(due);
            if (due.kind !== 'notice') continue;
            expect(DUE + day - dayOfDate(due.dueOn)).toBeGreaterThanOrEqual(policy.notices[due.no - 1]?.fromDpd ?? 0);
            expect(due.levels.length).toBeGreaterThan(0);
            expect(due.levels.every(({ fromOn }) => fromOn > due.payByOn)).toBe(true);
            delivered = [...delivered, { ...due, deliveredAtMs: onDay(DUE + day + lag), proof: 'sms' }];
          }
        }
      }),
      { numRuns: 200 },
    );
  });
});
