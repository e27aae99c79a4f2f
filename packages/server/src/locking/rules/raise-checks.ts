import { DAY_MS, businessDate } from '@kist/contract/dates';
import type { LockReason, LockTrigger } from '@kist/contract/lock-policy';
import { dayStartMs, endOfDayMs, opensAtMs } from './calendar.ts';
import { refused, type Check } from './check.ts';

/** An override is one person's written decision; only a debt lock may be left to the phone itself. */
const TRIGGERS: Record<LockReason, readonly LockTrigger[]> = {
  EMI_OVERDUE: ['automatic', 'manual', 'lease'],
  ORG_OVERRIDE: ['manual'],
  THEFT_REPORTED: ['automatic', 'manual'],
  CUSTOMER_REQUEST: ['automatic', 'manual'],
  ENROLMENT_TEST: ['automatic', 'manual'],
};
export const isTriggerAllowed: Check = ({ request: { reason, trigger } }) =>
  TRIGGERS[reason].includes(trigger) ? null : refused(null, () => ({ reason, trigger }));

export const isOverrideOn: Check = ({ policy }) =>
  policy.overrideAllowed ? null : refused(null, () => ({ preset: policy.preset }));

const NOTE_MIN_LENGTH = 20;
export const hasOverrideText: Check = ({ request }) =>
  (request.noteText ?? '').trim().length >= NOTE_MIN_LENGTH
    ? null
    : refused(null, () => ({ min_length: NOTE_MIN_LENGTH }));

/** A written decision of one person is somebody's mood; of two, the shop's. */
export const hasSecond: Check = ({ request }) => (request.hasSecond === true ? null : refused(null));

/** A dispute holds the ladder where it is, for a person as for the daily run, and for a written override too. */
export const isUndisputed: Check = ({ disputes }) => {
  const open = disputes.find(({ untilMs }) => untilMs === null);
  return open ? refused(null, () => ({ opened_at: new Date(open.openedAtMs).toISOString() })) : null;
};

/** An answer is the shop's word; for some days the customer can take it further, and nothing rises meanwhile. */
export const isAnswerOld: Check = ({ disputes, nowMs }) => {
  const untilMs = disputes.reduce((latest, one) => Math.max(latest, one.untilMs ?? 0), 0);
  return untilMs <= nowMs ? null : refused(untilMs, () => ({ until_on: businessDate(untilMs - 1) }));
};

/** A hold lasts to the end of its day. */
export const isNotHeld: Check = ({ holds, nowMs }) => {
  if (holds.length === 0) return null;
  const [longest] = holds.toSorted((a, b) => (a.untilOn < b.untilOn ? 1 : -1));
  if (!longest || endOfDayMs(longest.untilOn) <= nowMs) return null;
  return refused(endOfDayMs(longest.untilOn), () => ({ kind: longest.kind, until_on: longest.untilOn }));
};

/** One level at a time; time alone does not change the level a phone is at. */
export const isOneStep: Check = ({ request, device: { currentDebtLevel } }) =>
  request.level <= currentDebtLevel + 1
    ? null
    : refused(null, () => ({
        level: request.level,
        current_level: currentDebtLevel,
        next_level: currentDebtLevel + 1,
      }));

/** Each level stays for whole calendar days before the next; the first level follows none. */
export const isDwellOver: Check = ({ device: { currentDebtLevel, levelSinceMs }, policy, nowMs }) => {
  if (currentDebtLevel === 0) return null;
  const params = { current_level: currentDebtLevel, dwell_days: policy.minDwellDays };
  if (levelSinceMs === null) return refused(null, () => ({ ...params, since_on: '', until_on: '' }));
  const atMs = dayStartMs(levelSinceMs) + policy.minDwellDays * DAY_MS;
  if (nowMs >= atMs) return null;
  return refused(atMs, () => ({ ...params, since_on: businessDate(levelSinceMs), until_on: businessDate(atMs) }));
};

/** People may act on a holiday and at any hour, but not override anything on it; the daily run and the phone's lease may do neither. */
export const isNoHoliday: Check = ({ request, policy: { holidays }, nowMs }) => {
  const isPersons = request.trigger === 'manual' && request.reason !== 'ORG_OVERRIDE';
  if (isPersons || holidays.length === 0) return null;
  const isHoliday = (atMs: number) => holidays.includes(businessDate(atMs));
  if (!isHoliday(nowMs)) return null;
  let atMs = dayStartMs(nowMs) + DAY_MS;
  while (isHoliday(atMs)) atMs += DAY_MS;
  return refused(atMs, () => ({ on: businessDate(nowMs), until_on: businessDate(atMs) }));
};

export const isInHours: Check = ({ request, policy: { automaticHours }, nowMs }) => {
  if (request.trigger === 'manual') return null;
  const atMs = opensAtMs(nowMs, automaticHours);
  if (atMs === nowMs) return null;
  return refused(atMs, () => ({ from_hour: automaticHours.fromHour, to_hour: automaticHours.toHour }));
};
