import { DAY_MS, businessDate } from '@kist/contract/dates';
import { daysPastDueAt } from '@kist/contract/dues';
import { TOO_LITTLE } from '@kist/contract/lock-bounds';
import { LOCK_LEVELS, type LevelStep, type LockPolicy } from '@kist/contract/lock-policy';
import { dateStartMs, endOfDayMs } from './calendar.ts';
import { refused, type Check, type Refusal } from './check.ts';
import { consentAtMs, delayOf, unpaidSince } from './delay.ts';
import type { AgreementFacts, GateFacts } from './facts.ts';
import { noticeTime, payByOn, type NoticeTime } from './notice-times.ts';

/** @returns days past due as the law counts them, on the business day of `nowMs`: from the later of due date and consent; 0 when nothing is late. */
export const daysPastDue = (facts: GateFacts): number => daysPastDueAt(delayOf(facts)?.countsFrom ?? null, facts.nowMs);

/** @returns whether an instalment is late by the calendar alone, whenever the clause was accepted. */
export const isLate = (agreement: AgreementFacts | null, nowMs: number): boolean =>
  daysPastDueAt(unpaidSince(agreement), nowMs) > 0;

const stepOf = ({ policy, request }: GateFacts): LevelStep | undefined =>
  policy.steps.find((step) => step.level === request.level);

export const hasAgreement: Check = ({ agreement }) => (agreement === null ? refused(null) : null);

export const isAgreementActive: Check = ({ agreement }) =>
  agreement === null || agreement.state === 'active' ? null : refused(null, () => ({ state: agreement.state }));

/** The agreement names this phone, and with `loanMustFinanceThisPhone` its IMEI or serial is the one that was sold. */
export const isThisPhone: Check = ({ agreement, device, policy }) => {
  if (agreement === null) return null;
  const isLinked = agreement.deviceId === device.deviceId;
  const isFinanced =
    device.imeis.some((imei) => agreement.financedImeis.includes(imei)) ||
    (device.serial !== null && device.serial !== '' && device.serial === agreement.financedSerial);
  return isLinked && (isFinanced || !policy.loanMustFinanceThisPhone) ? null : refused(null);
};

/** Google's permissible-use policy excludes locking by payment status on phones it manages. */
export const doesVendorAllow: Check = ({ device, vendorApproval, nowMs }) => {
  if (device.provisioning !== 'AMAPI') return null;
  if (vendorApproval === null) return refused(null, () => ({ provisioning_type: device.provisioning }));
  const atMs = vendorApproval.recordedAtMs;
  return atMs <= nowMs ? null : refused(atMs, () => ({ provisioning_type: device.provisioning }));
};

/** Whatever else holds, no money locks a phone without its customer's consent. */
export const hasConsent: Check = ({ consents, nowMs }) => {
  const atMs = consentAtMs(consents);
  if (atMs === null) return refused(null);
  return atMs <= nowMs ? null : refused(atMs);
};

/** The due day itself is the customer's to its end, and so is the day of the consent. */
export const isOverdue: Check = (facts) => {
  const delay = delayOf(facts);
  if (delay === null) return refused(null, () => ({ due_on: '' }));
  const atMs = endOfDayMs(delay.countsFrom);
  return facts.nowMs >= atMs ? null : refused(atMs, () => ({ due_on: delay.countsFrom }));
};

/** @returns the least overdue sum that a phone is restricted for. */
export const leastPaise = ({ tooLittle = TOO_LITTLE }: Pick<LockPolicy, 'tooLittle'>, emiPaise: number): number =>
  Math.max(tooLittle.paise, Math.ceil((emiPaise * tooLittle.bpsOfEmi) / 10_000));

/** A few rupees that are late are worth a reminder, not a phone: no level above 1 while the overdue EMI is too little. */
export const isEnough: Check = ({ agreement, policy, request, nowMs }) => {
  const dueOn = unpaidSince(agreement);
  if (agreement === null || dueOn === null || request.level <= LOCK_LEVELS.reminder) return null;
  const least = leastPaise(policy, agreement.emiPaise);
  let overduePaise = 0;
  let sumPaise = 0;
  let enoughAtMs: number | null = null;
  for (const one of [{ dueOn, paise: agreement.oldestUnpaidPaise }, ...agreement.laterUnpaid]) {
    const atMs = endOfDayMs(one.dueOn);
    sumPaise += one.paise;
    if (atMs <= nowMs) overduePaise = sumPaise;
    if (sumPaise < least) continue;
    enoughAtMs = atMs;
    break;
  }
  // Of nothing that is overdue the rule before speaks.
  if (overduePaise === 0 || (enoughAtMs !== null && enoughAtMs <= nowMs)) return null;
  return refused(enoughAtMs, () => ({ overdue_paise: overduePaise, least_paise: least }));
};

export const isLevelInPolicy: Check = (facts) =>
  stepOf(facts) ? null : refused(null, () => ({ level: facts.request.level }));

export const isDpdReached: Check = (facts) => {
  const step = stepOf(facts);
  const delay = delayOf(facts);
  if (!step || delay === null) return null;
  const atMs = dateStartMs(delay.countsFrom) + step.fromDpd * DAY_MS;
  if (facts.nowMs >= atMs) return null;
  return refused(atMs, () => ({
    level: step.level,
    dpd: daysPastDue(facts),
    from_dpd: step.fromDpd,
    from_on: businessDate(atMs),
  }));
};

/** The notices a level needs; none when the level or the debt is not there at all (other rules say so). */
function needed(facts: GateFacts): NoticeTime[] {
  const delay = delayOf(facts);
  const needsNotices = stepOf(facts)?.needsNotices ?? [];
  if (delay === null) return [];
  const times = needsNotices.map((no) => noticeTime(facts.policy, delay, facts.notices, no));
  return times.filter((time) => time !== undefined);
}

/** A delivery recorded for a later moment than now (the clock went back) counts from that moment. */
export const areNoticesDelivered: Check = (facts) => {
  const waiting = needed(facts).filter(({ delivery }) => !delivery || delivery.atMs > facts.nowMs);
  const [first] = waiting;
  if (!first) return null;
  const latestMs = Math.max(...waiting.map(({ delivery }) => delivery?.atMs ?? Infinity));
  return refused(latestMs === Infinity ? null : latestMs, () => ({
    level: facts.request.level,
    notice_no: first.notice.no,
  }));
};

/** The notice whose days end last decides. */
export const areNoticeDaysOver: Check = (facts) => {
  let refusal: Refusal | null = null;
  for (const { notice, delivery } of needed(facts)) {
    if (!delivery || delivery.overAtMs <= Math.max(facts.nowMs, refusal?.atMs ?? 0)) continue;
    refusal = refused(delivery.overAtMs, () => ({
      level: facts.request.level,
      notice_no: notice.no,
      delivered_on: businessDate(delivery.atMs),
      pay_by_on: payByOn(delivery.overAtMs),
    }));
  }
  return refusal;
};
