import { HOUR_MS } from './calendar.ts';
import { refused, type Check } from './check.ts';

/** Only the customer's own report about this very phone; no debt, and no word of the shop's, can stand in for it. */
export const isTheftReported: Check = ({ evidence: { theftReport }, device, nowMs }) => {
  const isOwn = theftReport?.reportedBy === 'customer' && theftReport.deviceId === device.deviceId;
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

/** @returns the instant at which a phone can no longer be locked to try the lock out. */
export const testEndsAtMs = (enrolledAtMs: number, hours: number): number => enrolledAtMs + hours * HOUR_MS;

export const isTestWindowOpen: Check = ({ device: { enrolledAtMs }, policy: { enrolmentTestHours }, nowMs }) => {
  if (enrolledAtMs === null) return null;
  const endsAtMs = testEndsAtMs(enrolledAtMs, enrolmentTestHours);
  if (nowMs < endsAtMs) return null;
  return refused(null, () => ({ hours: enrolmentTestHours, ended_at: new Date(endsAtMs).toISOString() }));
};
