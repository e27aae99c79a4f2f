import { ENROLMENT_TEST_MINUTES } from '@kist/contract/lock-policy';
import { HOUR_MS, MINUTE_MS, endOfDayMs } from './calendar.ts';
import { refused, type Check } from './check.ts';
import { isLate } from './debt-checks.ts';
import type { GateFacts } from './facts.ts';

/** Only the customer's own report about this very phone, or one with their code; no debt, and no word of the shop's alone, can stand in for it. */
export const isTheftReported: Check = ({ evidence: { theftReport }, device, nowMs }) => {
  const isOwn =
    (theftReport?.reportedBy === 'customer' || theftReport?.reportedBy === 'customer_code') &&
    theftReport.deviceId === device.deviceId;
  if (!isOwn) return refused(null);
  return theftReport.reportedAtMs <= nowMs ? null : refused(theftReport.reportedAtMs);
};

export const isRequestRecorded: Check = ({ evidence: { customerRequest }, device, nowMs }) => {
  const isOwn = customerRequest?.requestedBy === 'customer' && customerRequest.deviceId === device.deviceId;
  if (!isOwn) return refused(null);
  return customerRequest.requestedAtMs <= nowMs ? null : refused(customerRequest.requestedAtMs);
};

export const isEnrolled: Check = ({ device: { enrolledAtMs }, nowMs }) =>
  enrolledAtMs !== null && enrolledAtMs <= nowMs ? null : refused(enrolledAtMs);

/** @returns when the try-out of the lock that is on, or would begin now, is over: with the day on which something is due, whatever is left of it, for nobody who is late is tried out. */
export const testEndsAtMs = ({ agreement, device: { test }, nowMs }: GateFacts): number =>
  Math.min(
    (test.isOn ? (test.startedAtMs ?? nowMs) : nowMs) + ENROLMENT_TEST_MINUTES * MINUTE_MS,
    agreement?.oldestUnpaidDueOn ? endOfDayMs(agreement.oldestUnpaidDueOn) : Infinity,
  );

const isTestRunning = ({ device: { test }, nowMs }: GateFacts): boolean =>
  test.isOn && test.startedAtMs !== null && nowMs < test.startedAtMs + ENROLMENT_TEST_MINUTES * MINUTE_MS;

/** Counted from the first enrolment under the agreement: a phone that enrols again does not become new by it. */
export const isTestWindowOpen: Check = (facts) => {
  const { device, policy, nowMs } = facts;
  const { firstEnrolledAtMs } = device.test;
  if (firstEnrolledAtMs === null || isTestRunning(facts)) return null;
  const endsAtMs = firstEnrolledAtMs + policy.enrolmentTestHours * HOUR_MS;
  if (nowMs < endsAtMs) return null;
  return refused(null, () => ({ hours: policy.enrolmentTestHours, ended_at: new Date(endsAtMs).toISOString() }));
};

/** Once for each agreement, whether it ran its time or was ended before. */
export const isTestUnused: Check = (facts) => {
  const { startedAtMs } = facts.device.test;
  if (startedAtMs === null || isTestRunning(facts)) return null;
  return refused(null, () => ({ used_at: new Date(startedAtMs).toISOString() }));
};

/** Nobody who is late is locked to try the lock out: it would be a lock for money without its rules. */
export const isNothingLate: Check = ({ agreement, nowMs }) =>
  !isLate(agreement, nowMs) ? null : refused(null, () => ({ due_on: agreement?.oldestUnpaidDueOn ?? '' }));
