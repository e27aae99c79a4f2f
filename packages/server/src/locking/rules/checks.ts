import type { LockReason, RuleCode } from '@kist/contract/lock-policy';
import type { Check, RuleCheck } from './check.ts';
import * as debt from './debt-checks.ts';
import * as protection from './protection-checks.ts';
import * as raise from './raise-checks.ts';

const ANY = ['EMI_OVERDUE', 'ORG_OVERRIDE', 'THEFT_REPORTED', 'CUSTOMER_REQUEST', 'ENROLMENT_TEST'] as const;
const DEBT = ['EMI_OVERDUE', 'ORG_OVERRIDE'] as const;
const OVERDUE = ['EMI_OVERDUE'] as const;
const OVERRIDE = ['ORG_OVERRIDE'] as const;
const TEST = ['ENROLMENT_TEST'] as const;

const standing = (rule: RuleCode, reasons: readonly LockReason[], check: Check): RuleCheck => ({
  rule,
  reasons,
  when: 'standing',
  check,
});
const raising = (rule: RuleCode, reasons: readonly LockReason[], check: Check): RuleCheck => ({
  rule,
  reasons,
  when: 'raise',
  check,
});

/**
 * The whole law of locking, one line a rule. An override, which two people must want, frees from the wait between levels (the days past due of its
 * level, the days on the level below) and from the quiet hours; it never frees from the debt itself, the least sum, the clause, the phone's link to the
 * agreement, a notice and its days, a dispute, a hold, a holiday, or the one-level step.
 */
export const CHECKS: readonly RuleCheck[] = [
  standing('NO_AGREEMENT', [...DEBT, ...TEST], debt.hasAgreement),
  standing('AGREEMENT_CLOSED', [...DEBT, ...TEST], debt.isAgreementActive),
  standing('NOT_THIS_PHONE', [...DEBT, ...TEST], debt.isThisPhone),
  raising('TRIGGER_NOT_ALLOWED', ANY, raise.isTriggerAllowed),
  standing('OVERRIDE_OFF', OVERRIDE, raise.isOverrideOn),
  raising('OVERRIDE_NEEDS_TEXT', OVERRIDE, raise.hasOverrideText),
  standing('VENDOR_POLICY', DEBT, debt.doesVendorAllow),
  standing('THEFT_NOT_REPORTED', ['THEFT_REPORTED'], protection.isTheftReported),
  standing('REQUEST_NOT_RECORDED', ['CUSTOMER_REQUEST'], protection.isRequestRecorded),
  standing('NOT_ENROLLED', TEST, protection.isEnrolled),
  standing('TEST_WINDOW_OVER', TEST, protection.isTestWindowOpen),
  standing('TEST_USED', TEST, protection.isTestUnused),
  standing('TEST_OVERDUE', TEST, protection.isNothingLate),
  standing('CONSENT_MISSING', DEBT, debt.hasConsent),
  standing('NOT_OVERDUE', DEBT, debt.isOverdue),
  standing('TOO_LITTLE', DEBT, debt.isEnough),
  standing('LEVEL_NOT_IN_POLICY', DEBT, debt.isLevelInPolicy),
  raising('DISPUTE_OPEN', [...DEBT, ...TEST], raise.isUndisputed),
  raising('DISPUTE_ANSWERED', [...DEBT, ...TEST], raise.isAnswerOld),
  raising('HOLD_ACTIVE', DEBT, raise.isNotHeld),
  standing('BELOW_DPD', OVERDUE, debt.isDpdReached),
  standing('NOTICE_NOT_DELIVERED', DEBT, debt.areNoticesDelivered),
  standing('NOTICE_PERIOD', DEBT, debt.areNoticeDaysOver),
  raising('LEVEL_STEP', DEBT, raise.isOneStep),
  raising('LEVEL_DWELL', OVERDUE, raise.isDwellOver),
  raising('HOLIDAY', DEBT, raise.isNoHoliday),
  raising('QUIET_HOURS', OVERDUE, raise.isInHours),
  // Last: who lacks nothing else is told to bring somebody, and nobody is brought in vain.
  raising('OVERRIDE_NEEDS_SECOND', OVERRIDE, raise.hasSecond),
];
