import { POLICY_PRESETS, type RuleCode } from '@kist/contract/lock-policy';
import { describe, expect, test } from 'vitest';
import {
  asking,
  climbing,
  consented,
  DAY_MS,
  dateOf,
  dayOf,
  dayOfDate,
  HOUR_MS,
  onDay,
  overdue,
  told,
} from '#test/lock-facts.ts';
import type { GateFacts } from './facts.ts';
import { gate } from './gate.ts';
import { noticesDue, type NoticeId } from './notices.ts';

const RBI = POLICY_PRESETS['rbi-2026'];
const DUE = dayOfDate('2026-03-10');
const manual = (facts: GateFacts): GateFacts => ({ ...facts, request: { ...facts.request, trigger: 'manual' } });

describe('dealer', () => {
  /** Level 3 on its first day: reminded, told on day 1, a level each day. */
  const ready = climbing(told(overdue(3), 1, 1), 3, 2);
  /** A shop that restricts later than on the third day. */
  const lateSteps = {
    ...POLICY_PRESETS.dealer,
    steps: POLICY_PRESETS.dealer.steps.map((step) => (step.level < 3 ? step : { ...step, fromDpd: 9 })),
  };

  test('level 3 on the third day past due, told on the first', () => {
    expect(gate(ready)).toMatchObject({ allowed: true, level: 3, rule: 'OVERDUE_STEP', explain: { level: 3, dpd: 3 } });
  });

  test('one day before it is refused with the rule and its first moment', () => {
    const early = manual(climbing(told(overdue(2), 1, 1), 3, 1));
    expect(gate(early)).toMatchObject({
      allowed: false,
      level: 2,
      rule: 'BELOW_DPD',
      explain: { level: 3, dpd: 2, from_dpd: 3, from_on: '2026-03-13' },
      next: { level: 3, at: '2026-03-12T18:30:00.000Z', assumes_notices: [] },
      reached_at: '2026-03-12T18:30:00.000Z',
    });
  });

  test('the same by itself waits for 10:00 in India', () => {
    const early = climbing(told(overdue(2), 1, 1), 3, 1);
    expect(gate(early)).toMatchObject({ rule: 'BELOW_DPD', next: { level: 3, at: '2026-03-13T04:30:00.000Z' } });
  });

  test('without the notice there is no moment, but there is one if it is delivered now', () => {
    const verdict = gate(manual(climbing(overdue(3), 3, 2)));
    expect(verdict).toMatchObject({
      allowed: false,
      level: 2,
      rule: 'NOTICE_NOT_DELIVERED',
      explain: { notice_no: 1 },
    });
    expect(verdict.failing).toEqual([{ rule: 'NOTICE_NOT_DELIVERED', at: null, params: { level: 3, notice_no: 1 } }]);
    // Delivered on the 13th with one day to pay: the 14th is the customer's, the 15th is possible.
    expect(verdict.next).toEqual({ level: 3, at: '2026-03-14T18:30:00.000Z', assumes_notices: [1] });
  });

  test('a shop that wants level 3 at once is told to go step by step, and when it could be there', () => {
    const verdict = gate(
      manual({ ...told(overdue(5), 1, 1), request: { reason: 'EMI_OVERDUE', level: 3, trigger: 'manual' } }),
    );
    expect(verdict).toMatchObject({
      allowed: false,
      level: 1,
      rule: 'LEVEL_STEP',
      explain: { current_level: 0, next_level: 1 },
    });
    expect(verdict.next).toMatchObject({ level: 1, at: '2026-03-15T05:30:00.000Z' });
    expect(verdict.reached_at).toBe('2026-03-16T18:30:00.000Z');
  });

  test('an allowed step names the one after it', () => {
    expect(gate(ready).next).toEqual({ level: 4, at: '2026-03-17T04:30:00.000Z', assumes_notices: [] });
  });

  test('nothing late: refused, and no moment when nothing is unpaid', () => {
    const paid = { ...ready, agreement: ready.agreement && { ...ready.agreement, oldestUnpaidDueOn: null } };
    expect(gate(paid)).toMatchObject({
      allowed: false,
      level: 0,
      rule: 'NOT_OVERDUE',
      next: { at: null },
      reached_at: null,
    });
    expect(gate(overdue(0))).toMatchObject({
      rule: 'NOT_OVERDUE',
      level: 0,
      next: { level: 1, at: '2026-03-11T04:30:00.000Z' },
    });
  });

  test('the due day is the customer’s to its last millisecond, at midnight in India', () => {
    const at = (nowMs: number) => gate({ ...manual(overdue(1)), nowMs }).allowed;
    expect([at(onDay(DUE + 1) - 1), at(onDay(DUE + 1))]).toEqual([false, true]);
    expect(new Date(onDay(DUE + 1)).toISOString()).toBe('2026-03-10T18:30:00.000Z');
  });

  test('paying the oldest instalment lowers at once what the younger one does not support', () => {
    const held = { ...ready, device: { ...ready.device, currentDebtLevel: 4 as const } };
    const younger = { ...held, agreement: held.agreement && { ...held.agreement, oldestUnpaidDueOn: dateOf(DUE + 1) } };
    // Two days late now, and the notice spoke of the instalment that is paid.
    expect(gate(younger)).toMatchObject({ level: 2, allowed: false, rule: 'BELOW_DPD' });
  });

  test.each<[string, number, boolean]>([
    ['09:59:59.999', 10 * HOUR_MS - 1, false],
    ['10:00', 10 * HOUR_MS, true],
    ['17:59:59.999', 18 * HOUR_MS - 1, true],
    ['18:00', 18 * HOUR_MS, false],
  ])('%s (%d ms into the day): the daily run and a lease may lock: %s', (_time, intoMs, may) => {
    const nowMs = onDay(DUE + 3, intoMs);
    expect(gate({ ...ready, nowMs }).allowed).toBe(may);
    expect(gate({ ...ready, nowMs, request: { ...ready.request, trigger: 'lease' } }).allowed).toBe(may);
    expect(gate({ ...manual(ready), nowMs }).allowed).toBe(true);
  });

  test('a holiday moves the step to the next working day, 10:00', () => {
    const holidays = [dateOf(DUE + 3), dateOf(DUE + 4)];
    const verdict = gate({ ...ready, policy: { ...ready.policy, holidays } });
    expect(verdict).toMatchObject({ rule: 'HOLIDAY', level: 2, next: { level: 3, at: '2026-03-15T04:30:00.000Z' } });
  });

  test('a dispute holds the ladder for the shop too, and lowers nothing', () => {
    const disputes = [{ openedAtMs: onDay(DUE + 2), untilMs: null }];
    expect(gate({ ...manual(ready), disputes })).toMatchObject({
      rule: 'DISPUTE_OPEN',
      level: 2,
      holds: [{ kind: 'dispute' }],
    });
    const held = { ...ready, disputes, device: { ...ready.device, currentDebtLevel: 3 as const } };
    expect(gate(held)).toMatchObject({ allowed: true, level: 3, rule: 'LEVEL_KEPT' });
  });

  test('a hold lasts through its last day', () => {
    const holds = [{ kind: 'medical' as const, untilOn: dateOf(DUE + 3) }];
    expect(gate({ ...manual(ready), holds })).toMatchObject({
      rule: 'HOLD_ACTIVE',
      next: { at: '2026-03-13T18:30:00.000Z' },
    });
    expect(gate({ ...manual(ready), holds, nowMs: onDay(DUE + 4) }).allowed).toBe(true);
  });

  test('another phone of the customer, a closed agreement and a missing clause are refused', () => {
    const { agreement } = ready;
    const other = { ...ready, device: { ...ready.device, imeis: ['356938035643809'], serial: 'X' } };
    expect(gate(other)).toMatchObject({ level: 0, rule: 'NOT_THIS_PHONE', next: { at: null } });
    expect(gate({ ...ready, agreement: agreement && { ...agreement, deviceId: 'device-2' } }).rule).toBe(
      'NOT_THIS_PHONE',
    );
    expect(gate({ ...ready, agreement: agreement && { ...agreement, state: 'completed' } }).rule).toBe(
      'AGREEMENT_CLOSED',
    );
    expect(gate({ ...ready, agreement: null }).rule).toBe('NO_AGREEMENT');
    expect(gate({ ...ready, consents: [] }).rule).toBe('CONSENT_MISSING');
  });

  test.each<[string, Partial<GateFacts['consents'][number]>]>([
    ['the text’s version', { textVersion: '' }],
    ['the text’s hash', { hash: '' }],
  ])('a clause without %s is no consent, for a shop as for the daily run', (_what, lacking) => {
    const consents = [{ ...consented(0), ...lacking }];
    for (const asked of [ready, manual(ready), asking(ready, 'ORG_OVERRIDE', 3, 'the owner agreed on the phone')])
      expect(gate({ ...asked, consents })).toMatchObject({ level: 0, rule: 'CONSENT_MISSING', next: { at: null } });
  });

  test('days count from the day the customer agreed when that came after the due date', () => {
    const late = consented(onDay(DUE + 40, 12 * HOUR_MS));
    const at = (dpd: number) => gate({ ...manual(overdue(dpd)), consents: [late] });
    expect(at(39)).toMatchObject({ level: 0, rule: 'CONSENT_MISSING' });
    expect(at(40)).toMatchObject({ level: 0, rule: 'CONSENT_MISSING' });
    const lastMoment = { ...manual(overdue(40)), consents: [late], nowMs: onDay(DUE + 41) - 1 };
    expect(gate(lastMoment)).toMatchObject({ rule: 'NOT_OVERDUE', days_past_due: 0 });
    expect(at(41)).toMatchObject({ allowed: true, level: 1, days_past_due: 1 });
    // What was said before counts for nothing either.
    const told40 = climbing(told({ ...overdue(43), consents: [late] }, 1, 40, 11), 3, 42);
    expect(gate(manual(told40)).rule).toBe('NOTICE_NOT_DELIVERED');
    expect(gate(manual(climbing(told({ ...overdue(43), consents: [late] }, 1, 41), 3, 42))).allowed).toBe(true);
  });

  test.each<[string, number, { dueOn: ReturnType<typeof dateOf>; paise: number }[], number, number]>([
    ['₹99.99 of a small EMI', 9_999, [], 500_00, 1],
    ['₹100 of a small EMI', 10_000, [], 500_00, 4],
    ['a paisa less than a tenth', 27_269, [], 2_727_00, 1],
    ['a tenth', 27_270, [], 2_727_00, 4],
    ['a rest and the next EMI that is late too', 50_00, [{ dueOn: dateOf(DUE + 7), paise: 272_700 }], 2_727_00, 4],
    ['a rest and the next EMI that is not late yet', 50_00, [{ dueOn: dateOf(DUE + 8), paise: 272_700 }], 2_727_00, 1],
  ])('%s may bring level … at most', (_what, oldestUnpaidPaise, laterUnpaid, emiPaise, most) => {
    const base = climbing(told(overdue(8), 1, 1), 4, 7);
    const facts = { ...base, agreement: { ...base.agreement!, oldestUnpaidPaise, laterUnpaid, emiPaise } };
    const held = { ...facts, device: { ...facts.device, currentDebtLevel: 4 as const } };
    expect(gate(held).level).toBe(most);
    const override = asking(facts, 'ORG_OVERRIDE', 4, 'the owner agreed on the phone');
    expect(gate(override).allowed).toBe(most === 4);
    if (most === 1) expect(gate(override).rule).toBe('TOO_LITTLE');
  });

  test('a notice from before a payment was taken back counts for nothing', () => {
    const base = ready.agreement!;
    expect(gate({ ...ready, agreement: { ...base, noticesFromMs: onDay(DUE + 1, 12 * HOUR_MS) } }).allowed).toBe(true);
    expect(gate({ ...ready, agreement: { ...base, noticesFromMs: onDay(DUE + 1, 12 * HOUR_MS) + 1 } }).rule).toBe(
      'NOTICE_NOT_DELIVERED',
    );
  });

  test('an answered dispute still holds the ladder to its last moment', () => {
    const disputes = [{ openedAtMs: onDay(DUE + 1), untilMs: onDay(DUE + 10) }];
    expect(gate({ ...manual(ready), disputes })).toMatchObject({
      rule: 'DISPUTE_ANSWERED',
      explain: { until_on: dateOf(DUE + 9) },
      holds: [{ kind: 'dispute', until_on: dateOf(DUE + 9) }],
    });
    expect(gate({ ...manual(ready), disputes, nowMs: onDay(DUE + 10) }).allowed).toBe(true);
  });

  test('a phone managed by Google is not locked for money without Google’s approval, yet for its owner', () => {
    const google = { ...ready, device: { ...ready.device, provisioning: 'AMAPI' as const } };
    expect(gate(google)).toMatchObject({ level: 0, rule: 'VENDOR_POLICY' });
    expect(gate({ ...google, vendorApproval: { reference: 'G-7', recordedAtMs: 0 } }).allowed).toBe(true);
    const theftReport = { deviceId: 'device-1', reportedBy: 'customer' as const, reportedAtMs: 0 };
    const stolen = asking({ ...google, evidence: { theftReport, customerRequest: null } }, 'THEFT_REPORTED', 4);
    expect(gate(stolen)).toMatchObject({ allowed: true, level: 4, rule: 'THEFT_REPORT' });
  });

  test('an override needs words, a debt and the next step; the days past due it goes past', () => {
    const text = 'the owner agreed on the phone';
    const early = climbing(told({ ...overdue(4), policy: lateSteps }, 1, 1), 3, 2);
    expect(gate(asking(early, 'EMI_OVERDUE', 3)).rule).toBe('BELOW_DPD');
    expect(gate(asking(early, 'ORG_OVERRIDE', 3, text))).toMatchObject({
      allowed: true,
      level: 3,
      rule: 'OVERRIDE_TEXT',
    });
    expect(gate(asking(early, 'ORG_OVERRIDE', 3, `${' '.repeat(9)}because I say so${' '.repeat(9)}`)).rule).toBe(
      'OVERRIDE_NEEDS_TEXT',
    );
    expect(gate(asking(early, 'ORG_OVERRIDE', 4, text)).rule).toBe('LEVEL_STEP');
    const alone = asking(early, 'ORG_OVERRIDE', 3, text);
    expect(gate({ ...alone, request: { ...alone.request, hasSecond: false } }).rule).toBe('OVERRIDE_NEEDS_SECOND');
    // The level below was taken today.
    const today = { ...early, device: { ...early.device, levelSinceMs: early.nowMs - 1 } };
    expect(gate(asking(today, 'ORG_OVERRIDE', 3, text)).allowed).toBe(true);
    expect(gate(asking(climbing(overdue(0), 1, 0), 'ORG_OVERRIDE', 1, text)).rule).toBe('NOT_OVERDUE');
    expect(gate({ ...asking(early, 'ORG_OVERRIDE', 3, text), policy: RBI }).rule).toBe('OVERRIDE_OFF');
    const byItself = asking(early, 'ORG_OVERRIDE', 3, text);
    expect(gate({ ...byItself, request: { ...byItself.request, trigger: 'automatic' } }).rule).toBe(
      'TRIGGER_NOT_ALLOWED',
    );
  });

  test.each<[string, GateFacts, RuleCode]>([
    ['a dispute', { ...ready, disputes: [{ openedAtMs: onDay(DUE + 2), untilMs: null }] }, 'DISPUTE_OPEN'],
    ['a notice that was not delivered', { ...ready, notices: [] }, 'NOTICE_NOT_DELIVERED'],
    ['the days of a notice', climbing(told(overdue(3), 1, 2), 3, 2), 'NOTICE_PERIOD'],
    ['a hold', { ...ready, holds: [{ kind: 'medical', untilOn: dateOf(DUE + 3) }] }, 'HOLD_ACTIVE'],
    ['a holiday', { ...ready, policy: { ...ready.policy, holidays: [dateOf(DUE + 3)] } }, 'HOLIDAY'],
    ['the clause', { ...ready, consents: [] }, 'CONSENT_MISSING'],
    ['a paid instalment', climbing(overdue(0), 3, 0), 'NOT_OVERDUE'],
  ])('no override goes past %s', (_what, facts, rule) => {
    const verdict = gate(asking(facts, 'ORG_OVERRIDE', 3, 'the owner agreed on the phone'));
    expect(verdict).toMatchObject({ allowed: false, rule });
  });

  test('a phone held by override falls when the notice it stood on no longer speaks of the oldest debt', () => {
    const held = { ...ready, device: { ...ready.device, currentDebtLevel: 3 as const } };
    const younger = { ...held, agreement: held.agreement && { ...held.agreement, oldestUnpaidDueOn: dateOf(DUE + 1) } };
    expect(gate(asking(held, 'ORG_OVERRIDE', 3))).toMatchObject({ allowed: true, rule: 'LEVEL_KEPT' });
    expect(gate(asking(younger, 'ORG_OVERRIDE', 3))).toMatchObject({ level: 2, rule: 'NOTICE_NOT_DELIVERED' });
  });
});

describe('rbi-2026', () => {
  const twice = told(told(overdue(90, RBI), 1, 60), 2, 82);

  test('restricts on day 90 after both notices and their days', () => {
    expect(gate(climbing(twice, 3, 83))).toMatchObject({ allowed: true, rule: 'OVERDUE_STEP', days_past_due: 90 });
    const dayBefore = { ...climbing(twice, 3, 82), nowMs: onDay(DUE + 90) - 1 };
    expect(gate(manual(dayBefore))).toMatchObject({
      allowed: false,
      rule: 'BELOW_DPD',
      next: { at: new Date(onDay(DUE + 90)).toISOString() },
    });
  });

  test.each<[string, GateFacts, string]>([
    ['notice 1 given on day 59', told(told(overdue(130, RBI), 1, 59, 23), 2, 90), 'NOTICE_NOT_DELIVERED'],
    [
      'notice 2 given on the last of the 21 days',
      told(told(overdue(130, RBI), 1, 60), 2, 81, 23),
      'NOTICE_NOT_DELIVERED',
    ],
    ['only notice 1', told(overdue(130, RBI), 1, 60), 'NOTICE_NOT_DELIVERED'],
    ['notice 2 seven days ago', told(told(overdue(130, RBI), 1, 60), 2, 123), 'NOTICE_PERIOD'],
  ])('does not restrict on day 130 with %s', (_what, facts, rule) => {
    expect(gate(manual(climbing(facts, 3, 83)))).toMatchObject({ allowed: false, rule });
  });

  test('the days of the last notice end with the day, and the refusal says so', () => {
    const late = told(told(overdue(100, RBI), 1, 60), 2, 95);
    expect(gate(manual(climbing(late, 3, 83)))).toMatchObject({
      rule: 'NOTICE_PERIOD',
      explain: { notice_no: 2, delivered_on: dateOf(DUE + 95), pay_by_on: dateOf(DUE + 102) },
      next: { level: 3, at: new Date(onDay(DUE + 103)).toISOString() },
    });
  });
});

test.each<[string, GateFacts, number[]]>([
  ['dealer', overdue(-5), [1, 2, 3, 7]],
  ['rbi-2026', overdue(-5, RBI), [60, 82, 90, 97]],
])(
  'an unpaid phone under %s, told on the day it is due to be told, climbs on these days past due',
  (_name, start, days) => {
    const sent: NoticeId[] = [];
    const raisedOn: number[] = [];
    let facts = start;
    for (let nowMs = start.nowMs; nowMs < start.nowMs + 130 * DAY_MS; nowMs += DAY_MS) {
      facts = { ...facts, nowMs };
      const on = dateOf(dayOf(nowMs));
      const unpaid = [{ dueOn: facts.agreement?.oldestUnpaidDueOn ?? on, unpaidPaise: 272_700 }];
      for (const due of noticesDue(
        { state: 'active', unpaid, delivered: facts.notices, consentMs: null, noticesFromMs: null },
        facts.policy,
        on,
        sent,
      )) {
        sent.push(due);
        if (due.kind === 'notice') facts = told(facts, due.no, dayOf(nowMs) - DUE);
      }
      const { level } = gate({ ...facts, request: { reason: 'EMI_OVERDUE', level: 4, trigger: 'automatic' } });
      if (level <= facts.device.currentDebtLevel) continue;
      raisedOn.push(dayOf(nowMs) - DUE);
      facts = { ...facts, device: { ...facts.device, currentDebtLevel: level, levelSinceMs: nowMs } };
    }
    expect(raisedOn).toEqual(days);
  },
);
