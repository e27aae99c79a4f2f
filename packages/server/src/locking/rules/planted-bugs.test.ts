import { addDays, type IsoDate } from '@kist/contract/dates';
import type { LockReason, RuleCode } from '@kist/contract/lock-policy';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { LAWS, type Law } from '#test/gate-laws.ts';
import { DAY_MS, factsArb, HOUR_MS } from '#test/lock-facts.ts';
import { refused, type Check, type RuleCheck } from './check.ts';
import { CHECKS } from './checks.ts';
import type { AgreementFacts, GateFacts } from './facts.ts';
import { createGate, gate, type Gate } from './gate.ts';

/** The laws are worth something only if a broken gate breaks them. One fixed draw of facts serves every bug. */
const DRAWN = fc.sample(factsArb, { numRuns: 6000, seed: 20261120 });

/** @returns the laws that a gate breaks. */
function broken(suspect: Gate, laws: readonly (keyof typeof LAWS)[]): string[] {
  return laws.filter((name) => DRAWN.some((facts) => (LAWS as Record<string, Law>)[name]?.(facts, suspect) !== null));
}

const WHEN = 'a lock is allowed exactly when the law allows it';
const HIGHEST = 'the level of the verdict is the highest the phone may be on';
const PAID = 'no phone without a late instalment is restricted for a debt';
const FIRST = 'a refusal names moments that are first moments';
const NEXT = 'the next raise is possible at its moment and not a millisecond before';
const APART = 'a debt and a protection lock never serve as one another';
const LATER = 'what stands at one moment stands at every later one, so a clock set back can only delay';
const MONOTONE = 'more days past due never lower the level, fewer never raise it';
const NAMED = 'a phone without an agreement is told so';
const UNLOCK = 'an unlock is always allowed';

const change = (rule: RuleCode, to: Partial<RuleCheck>): Gate =>
  createGate(CHECKS.map((one) => (one.rule === rule ? { ...one, ...to } : one)));
/** A rule that is shown other facts than the true ones. */
const deceive = (rule: RuleCode, view: (facts: GateFacts) => GateFacts): Gate => {
  const check: Check = CHECKS.find((one) => one.rule === rule)?.check ?? (() => null);
  return change(rule, { check: (facts) => check(view(facts)) });
};
const agreementOf = (facts: GateFacts, to: (agreement: AgreementFacts) => Partial<AgreementFacts>): GateFacts => ({
  ...facts,
  agreement: facts.agreement && { ...facts.agreement, ...to(facts.agreement) },
});
const dueEarlier = (facts: GateFacts): GateFacts =>
  agreementOf(facts, ({ oldestUnpaidDueOn: on }) => ({ oldestUnpaidDueOn: on && addDays(on, -1) }));
const policyOf = (facts: GateFacts, to: Partial<GateFacts['policy']>): GateFacts => ({
  ...facts,
  policy: { ...facts.policy, ...to },
});
const noticesOf = (facts: GateFacts, to: (on: IsoDate) => Partial<GateFacts['notices'][number]>): GateFacts => {
  const dueOn = facts.agreement?.oldestUnpaidDueOn;
  return dueOn ? { ...facts, notices: facts.notices.map((one) => ({ ...one, ...to(dueOn) })) } : facts;
};
const testOf = (facts: GateFacts, to: Partial<GateFacts['device']['test']>): GateFacts => ({
  ...facts,
  device: { ...facts.device, test: { ...facts.device.test, ...to } },
});
const always: Check = () => null;
const only = (...reasons: LockReason[]) => ({ reasons });

describe('a gate without one of its rules is caught', () => {
  test.each(CHECKS.map(({ rule }) => rule))('%s left out', (rule) => {
    // Without an agreement there is no late instalment either; the rule is there to say so.
    const law = rule === 'NO_AGREEMENT' ? NAMED : WHEN;
    expect(broken(createGate(CHECKS.filter((one) => one.rule !== rule)), [law])).toEqual([law]);
  });
});

describe('a gate with a planted bug is caught', () => {
  test.each<[string, Gate, (keyof typeof LAWS)[]]>([
    ['counts days past due from the day before', deceive('BELOW_DPD', dueEarlier), [WHEN, HIGHEST, NEXT]],
    ['treats the due day as late', deceive('NOT_OVERDUE', dueEarlier), [PAID]],
    [
      'begins the day at midnight of another time zone',
      deceive('NOT_OVERDUE', (f) => ({ ...f, nowMs: f.nowMs + 5.5 * HOUR_MS })),
      [PAID],
    ],
    ['reads the machine’s clock', deceive('NOT_OVERDUE', (f) => ({ ...f, nowMs: Date.now() })), [PAID]],
    ['locks a paid-up phone by override', change('NOT_OVERDUE', only('EMI_OVERDUE')), [PAID]],
    [
      'ignores that the unpaid amount is nothing',
      deceive('NOT_OVERDUE', (f) => agreementOf(f, () => ({ oldestUnpaidPaise: 1 }))),
      [PAID],
    ],
    [
      'gives one day too few to pay',
      deceive('NOTICE_PERIOD', (f) =>
        policyOf(f, { notices: f.policy.notices.map((one) => ({ ...one, minDaysToPay: one.minDaysToPay - 1 })) }),
      ),
      [WHEN, NEXT],
    ],
    [
      'takes a notice about an older instalment',
      deceive('NOTICE_NOT_DELIVERED', (f) => noticesOf(f, (dueOn) => ({ dueOn }))),
      [WHEN],
    ],
    [
      'takes a notice without proof of delivery',
      deceive('NOTICE_NOT_DELIVERED', (f) => noticesOf(f, () => ({ proof: 'sent' }))),
      [WHEN],
    ],
    [
      'lets notice 2 come before notice 1 is over',
      deceive('NOTICE_NOT_DELIVERED', (f) =>
        policyOf(f, { notices: f.policy.notices.map((one) => ({ ...one, afterNotice: undefined })) }),
      ),
      [WHEN],
    ],
    [
      'counts a notice before it is delivered',
      deceive('NOTICE_NOT_DELIVERED', (f) => noticesOf(f, () => ({ deliveredAtMs: f.nowMs }))),
      [WHEN],
    ],
    [
      'lets a person lock during a dispute',
      deceive('DISPUTE_OPEN', (f) => (f.request.trigger === 'manual' ? { ...f, disputes: [] } : f)),
      [WHEN, HIGHEST],
    ],
    [
      'overrides a dispute',
      deceive('DISPUTE_OPEN', (f) => (f.request.reason === 'ORG_OVERRIDE' ? { ...f, disputes: [] } : f)),
      [WHEN, HIGHEST],
    ],
    ['overrides a notice that never came', change('NOTICE_NOT_DELIVERED', only('EMI_OVERDUE')), [WHEN, HIGHEST]],
    ['overrides the days of a notice', change('NOTICE_PERIOD', only('EMI_OVERDUE')), [WHEN, HIGHEST]],
    ['overrides a hold', change('HOLD_ACTIVE', only('EMI_OVERDUE')), [WHEN, HIGHEST]],
    ['overrides the least sum', change('TOO_LITTLE', only('EMI_OVERDUE')), [WHEN, HIGHEST]],
    ['overrides the clause', change('CONSENT_MISSING', only('EMI_OVERDUE')), [WHEN, HIGHEST]],
    ['overrides a holiday', change('HOLIDAY', only('EMI_OVERDUE')), [WHEN, HIGHEST]],
    [
      'ends a hold when its last day begins',
      deceive('HOLD_ACTIVE', (f) => ({ ...f, nowMs: f.nowMs + DAY_MS })),
      [WHEN],
    ],
    ['skips a level', deceive('LEVEL_STEP', (f) => ({ ...f, request: { ...f.request, level: 1 } })), [WHEN]],
    ['takes two levels on one day', deceive('LEVEL_DWELL', (f) => policyOf(f, { minDwellDays: 0 })), [WHEN, NEXT]],
    [
      'stays open one hour longer',
      deceive('QUIET_HOURS', (f) =>
        policyOf(f, { automaticHours: { fromHour: f.policy.automaticHours.fromHour, toHour: 24 } }),
      ),
      [WHEN, NEXT],
    ],
    [
      'keeps quiet hours of another time zone',
      deceive('QUIET_HOURS', (f) => ({ ...f, nowMs: f.nowMs - 5.5 * HOUR_MS })),
      [WHEN, FIRST],
    ],
    [
      'lets a lease lock at night',
      deceive('QUIET_HOURS', (f) => ({
        ...f,
        request: { ...f.request, trigger: f.request.trigger === 'lease' ? 'manual' : f.request.trigger },
      })),
      [WHEN],
    ],
    [
      'forgets all holidays but the first',
      deceive('HOLIDAY', (f) => policyOf(f, { holidays: f.policy.holidays.slice(0, 1) })),
      [WHEN, NEXT],
    ],
    ['counts days from before the consent', deceive('BELOW_DPD', (f) => ({ ...f, consents: [] })), [WHEN]],
    ['takes a notice of before the consent', deceive('NOTICE_NOT_DELIVERED', (f) => ({ ...f, consents: [] })), [WHEN]],
    [
      'takes a notice of before a reversal',
      deceive('NOTICE_NOT_DELIVERED', (f) => agreementOf(f, () => ({ noticesFromMs: null }))),
      [WHEN],
    ],
    [
      'restricts for ₹99.99 and for less than a tenth',
      deceive('TOO_LITTLE', (f) => policyOf(f, { tooLittle: { paise: 9_999, bpsOfEmi: 999 } })),
      [WHEN, HIGHEST],
    ],
    [
      'counts what falls due later as overdue',
      deceive('TOO_LITTLE', (f) =>
        agreementOf(f, ({ laterUnpaid, oldestUnpaidDueOn: on }) => ({
          laterUnpaid: laterUnpaid.map((one) => ({ ...one, dueOn: on ?? one.dueOn })),
        })),
      ),
      [WHEN],
    ],
    [
      'takes an answered dispute for closed',
      deceive('DISPUTE_ANSWERED', (f) => ({ ...f, disputes: [] })),
      [WHEN, HIGHEST],
    ],
    [
      'overrides on one person’s word',
      deceive('OVERRIDE_NEEDS_SECOND', (f) => ({ ...f, request: { ...f.request, hasSecond: true } })),
      [WHEN],
    ],
    [
      'makes an override wait on the level below',
      change('LEVEL_DWELL', only('EMI_OVERDUE', 'ORG_OVERRIDE')),
      [WHEN, HIGHEST],
    ],
    [
      'takes another phone of the customer',
      change('NOT_THIS_PHONE', { check: (f) => (f.device.serial === 'R58N' ? null : refused(null)) }),
      [WHEN],
    ],
    ['overrides without a person', change('TRIGGER_NOT_ALLOWED', only('EMI_OVERDUE')), [WHEN]],
    [
      'locks for theft because of a debt',
      change('THEFT_NOT_REPORTED', { check: (f) => (f.agreement?.oldestUnpaidDueOn ? null : refused(null)) }),
      [WHEN, APART],
    ],
    [
      'locks for theft on the shop’s word',
      change('THEFT_NOT_REPORTED', { check: (f) => (f.evidence.theftReport ? null : refused(null)) }),
      [WHEN],
    ],
    [
      'locks for a debt because of a theft',
      change('NOT_OVERDUE', {
        check: (f) =>
          f.evidence.theftReport ? null : (CHECKS.find(({ rule }) => rule === 'NOT_OVERDUE')?.check(f) ?? null),
      }),
      [WHEN, PAID, APART],
    ],
    ['tests a phone a moment too late', deceive('TEST_WINDOW_OVER', (f) => ({ ...f, nowMs: f.nowMs - 1 })), [WHEN]],
    [
      'tests a phone as new that has only enrolled again',
      deceive('TEST_WINDOW_OVER', (f) => testOf(f, { firstEnrolledAtMs: f.device.enrolledAtMs })),
      [WHEN],
    ],
    ['tests a phone a moment too long', deceive('TEST_USED', (f) => ({ ...f, nowMs: f.nowMs - 1 })), [WHEN]],
    ['tests a phone again that was freed of its test', deceive('TEST_USED', (f) => testOf(f, { isOn: true })), [WHEN]],
    [
      'tests a phone that is late by a day',
      deceive('TEST_OVERDUE', (f) => ({ ...f, nowMs: f.nowMs - DAY_MS })),
      [WHEN],
    ],
    ['tests a phone in a dispute', change('DISPUTE_OPEN', only('EMI_OVERDUE', 'ORG_OVERRIDE')), [WHEN]],
    ['tests another phone than the sold one', change('NOT_THIS_PHONE', only('EMI_OVERDUE', 'ORG_OVERRIDE')), [WHEN]],
    [
      'promises the step for the opening hour, not the first moment',
      change('BELOW_DPD', { check: later('BELOW_DPD', 10 * HOUR_MS) }),
      [FIRST, NEXT],
    ],
    [
      'promises the day after the holiday one day early',
      change('HOLIDAY', { check: later('HOLIDAY', -DAY_MS) }),
      [FIRST],
    ],
    ['lets a notice lapse after a month', change('NOTICE_NOT_DELIVERED', { check: lapsing }), [LATER, MONOTONE]],
    [
      'answers with the asked level, not the lawful one',
      (f) => ({ ...gate(f), level: f.request.level }),
      [HIGHEST, PAID],
    ],
    [
      'takes spaces for a reason',
      change('OVERRIDE_NEEDS_TEXT', { check: (f) => ((f.request.noteText ?? '').length >= 20 ? null : refused(null)) }),
      [WHEN],
    ],
    [
      'refuses an unlock in a dispute',
      (f) => (f.disputes.length > 0 ? { ...gate(f), allowed: false, rule: 'DISPUTE_OPEN' } : gate(f)),
      [UNLOCK],
    ],
  ])('it %s', (_bug, suspect, laws) => {
    expect(broken(suspect, laws)).toEqual(laws);
  });
});

function later(rule: RuleCode, byMs: number): Check {
  const check = CHECKS.find((one) => one.rule === rule)?.check ?? always;
  return (facts) => {
    const refusal = check(facts);
    return refusal && { ...refusal, atMs: refusal.atMs === null ? null : refusal.atMs + byMs };
  };
}

function lapsing(facts: GateFacts) {
  const check = CHECKS.find((one) => one.rule === 'NOTICE_NOT_DELIVERED')?.check ?? always;
  const fresh = facts.notices.filter((one) => one.deliveredAtMs > facts.nowMs - 30 * DAY_MS);
  return check({ ...facts, notices: fresh });
}
