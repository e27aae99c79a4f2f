import { DAY_MS, businessDate, type IsoDate } from '@kist/contract/dates';
import { daysPastDueAt } from '@kist/contract/dues';
import type { LevelStep } from '@kist/contract/lock-policy';
import { dateStartMs, endOfDayMs } from './calendar.ts';
import { refused, type Check, type Refusal } from './check.ts';
import type { AgreementFacts, GateFacts } from './facts.ts';
import { noticeTime, payByOn, type NoticeTime } from './notice-times.ts';

/** @returns days past due of the oldest unpaid instalment on the business day of `nowMs`; 0 when nothing is late. */
export const daysPastDue = (agreement: AgreementFacts | null, nowMs: number): number =>
  daysPastDueAt(unpaidSince(agreement), nowMs);

const unpaidSince = (agreement: AgreementFacts | null): IsoDate | null =>
  agreement !== null && agreement.oldestUnpaidPaise > 0 ? agreement.oldestUnpaidDueOn : null;

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

export const hasConsent: Check = ({ consents, policy, nowMs }) => {
  if (!policy.consentRequired) return null;
  const counting = consents.filter(({ textVersion, hash }) => textVersion !== '' && hash !== '');
  if (counting.length === 0) return refused(null);
  const atMs = Math.min(...counting.map((consent) => consent.acceptedAtMs));
  return atMs <= nowMs ? null : refused(atMs);
};

/** The due day itself is the customer's to its end. */
export const isOverdue: Check = ({ agreement, nowMs }) => {
  const dueOn = unpaidSince(agreement);
  if (dueOn === null) return refused(null, () => ({ due_on: '' }));
  const atMs = endOfDayMs(dueOn);
  return nowMs >= atMs ? null : refused(atMs, () => ({ due_on: dueOn }));
};

export const isLevelInPolicy: Check = (facts) =>
  stepOf(facts) ? null : refused(null, () => ({ level: facts.request.level }));

export const isDpdReached: Check = (facts) => {
  const step = stepOf(facts);
  const dueOn = unpaidSince(facts.agreement);
  if (!step || dueOn === null) return null;
  const atMs = dateStartMs(dueOn) + step.fromDpd * DAY_MS;
  if (facts.nowMs >= atMs) return null;
  const { agreement, nowMs } = facts;
  return refused(atMs, () => ({
    level: step.level,
    dpd: daysPastDue(agreement, nowMs),
    from_dpd: step.fromDpd,
    from_on: businessDate(atMs),
  }));
};

/** The notices a level needs; none when the level or the debt is not there at all (other rules say so). */
function needed(facts: GateFacts): NoticeTime[] {
  const dueOn = unpaidSince(facts.agreement);
  const needsNotices = stepOf(facts)?.needsNotices ?? [];
  if (dueOn === null) return [];
  const times = needsNotices.map((no) => noticeTime(facts.policy, dueOn, facts.notices, no));
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
