import type { Lease } from '@kist/contract/agent';
import { DAY_MS, addDays, businessDate, instantOf, minuteOfDay } from '@kist/contract/dates';
import { AUTOMATIC_HOURS, CLAIM_REST_DAYS, LOCKED_FROM_LEVEL } from '@kist/contract/limits';
import type { Agent } from './state.ts';

/** The next thing a lease, or the end that a document names, makes the phone do by itself, and when (trusted Unix milliseconds, never before now). */
export type LeaseMoment =
  | { kind: 'notice'; atMs: number; no: number; plannedAt: string }
  | { kind: 'reminder'; atMs: number; key: string; plannedAt: string }
  | { kind: 'step'; atMs: number; index: number; level: number }
  | { kind: 'end'; atMs: number };

/** @returns the level that the server's word holds the phone at, until the end that it named. */
export const heldLevel = ({ policy, isLockOver }: Agent): number => (isLockOver ? 0 : policy.lock.level);

/** @returns the level in force: the server's, or higher where the lease allowed more; none on a phone that was let go. */
export const effectiveLevel = (agent: Agent): number =>
  agent.policy.released ? 0 : Math.max(heldLevel(agent), agent.leaseLevel);

/** @returns when the document's own end comes; null where it names none, or it came. */
function endOf(agent: Agent, nowMs: number): LeaseMoment | null {
  const { until } = agent.policy.lock;
  return until === undefined || heldLevel(agent) === 0
    ? null
    : { kind: 'end', atMs: Math.max(Date.parse(until), nowMs) };
}

/** @returns the first moment at or after `atMs` that is not in quiet hours; a shop may have other hours, but a lease does not say which. */
function nextOpenMoment(atMs: number): number {
  const { fromHour, toHour } = AUTOMATIC_HOURS;
  const minute = minuteOfDay(atMs);
  const today = businessDate(atMs);
  if (minute < fromHour * 60) return instantOf(today, fromHour * 60);
  if (minute >= toHour * 60) return instantOf(addDays(today, 1), fromHour * 60);
  return atMs;
}

/** @returns when the ladder goes on of which it was said at this moment that it is paid, if no lease answers that before. */
export const claimRestEndMs = (saidMs: number): number => instantOf(addDays(businessDate(saidMs), CLAIM_REST_DAYS + 1));

/** @returns when the notice reached the holder: by the server's proof or by our own screen, whichever was first; null when neither. */
function deliveredMs(agent: Agent, lease: Lease, no: number): number | null {
  const notice = lease.notices.find((candidate) => candidate.no === no);
  if (!notice) return null;
  const shown = agent.noticesShown.find((own) => own.no === no && own.plannedAt === notice.at);
  const times = [notice.delivered_at ? Date.parse(notice.delivered_at) : null, shown?.shownAtMs ?? null];
  const known = times.filter((time) => time !== null);
  return known.length === 0 ? null : Math.min(...known);
}

/**
 * @returns when the next ladder step may be taken: its own time exactly, or later when its notice came late, the phone learnt of it late,
 * the step below it was late or its holder said that it is paid; null when it may not be taken by itself at all.
 */
function stepMoment(agent: Agent, lease: Lease, index: number, nowMs: number): number | null {
  const step = lease.ladder[index];
  if (!step || agent.dispute) return null;
  const plannedMs = Date.parse(step.at);
  let atMs = Math.max(plannedMs, nowMs, agent.claimRest?.untilMs ?? 0);
  if (step.notice_no !== null) {
    const delivered = deliveredMs(agent, lease, step.notice_no);
    if (delivered === null) return null;
    atMs = Math.max(atMs, delivered + step.notice_days * DAY_MS);
  }
  const below = agent.passed[index - 1];
  const belowPlanned = lease.ladder[index - 1]?.at;
  if (below?.atMs !== undefined && below.atMs !== null && belowPlanned) {
    atMs = Math.max(atMs, below.atMs + (plannedMs - Date.parse(belowPlanned)));
  }
  if (atMs !== plannedMs) atMs = nextOpenMoment(atMs);
  return atMs > Date.parse(lease.valid_until) ? null : atMs;
}

/** @returns what is still true of what the phone shows: a notice goes when the first step that it tells of was taken, or none is to come any more. */
export const standingBanners = (agent: Agent): Agent['banners'] =>
  agent.banners.filter(({ kind, key }) => {
    const told = agent.lease?.ladder.find((step) => String(step.notice_no) === key);
    return kind !== 'notice' || (told !== undefined && told.level > effectiveLevel(agent));
  });

/** @returns when the lease next lets more of the phone be locked, unless it is paid; null when nothing more may be by itself, as far as is known now. */
export function nextLockMs(agent: Agent, nowMs: number): number | null {
  const { lease } = agent;
  const level = effectiveLevel(agent);
  const index = lease?.ladder.findIndex((step) => step.level >= LOCKED_FROM_LEVEL && step.level > level) ?? -1;
  if (!lease || index < 0 || agent.policy.released) return null;
  // The steps below come first, and one that is late makes those above it late.
  let walked = agent;
  for (const step of lease.ladder.slice(agent.passed.length, index)) {
    const atMs = stepMoment(walked, lease, walked.passed.length, nowMs);
    if (atMs === null) return null;
    walked = {
      ...walked,
      passed: [...walked.passed, { level: step.level, atMs: step.level > level ? atMs : null }],
    };
  }
  return stepMoment(walked, lease, index, nowMs);
}

/** What lies ahead of a phone whose holder pays nothing; null where the lease knows of none. Unix milliseconds. */
export interface Ahead {
  due: number | null;
  notice: number | null;
  lock: number | null;
}
export function aheadOf(agent: Agent, nowMs: number): Ahead {
  const { lease } = agent;
  if (!lease || agent.policy.released) return { due: null, notice: null, lock: null };
  const first = (times: readonly string[]): number | null =>
    times
      .map((at) => Date.parse(at))
      .filter((atMs) => atMs > nowMs)
      .toSorted((a, b) => a - b)[0] ?? null;
  const level = effectiveLevel(agent);
  const locks = lease.ladder.filter((step) => step.level >= LOCKED_FROM_LEVEL && step.level > level);
  return {
    due: first(lease.reminders.filter(({ key }) => key === ON_DUE_DAY).map(({ at }) => at)),
    notice: first(lease.notices.filter((notice) => !notice.delivered_at).map(({ at }) => at)),
    // Its notice may be on the way still: the day that is planned.
    lock: nextLockMs(agent, nowMs) ?? first(locks.map(({ at }) => at)),
  };
}
/** The reminder of the due day itself; before it stand D-3, D-1. */
const ON_DUE_DAY = 'D0';

const reminderId = (reminder: { at: string; key: string }) => `${reminder.at}|${reminder.key}`;

/**
 * @param nowMs trusted time
 * @returns the earliest thing to do by itself, at or after now; an end comes first, and at one and the same moment a notice comes before a step.
 */
export function nextLeaseMoment(agent: Agent, nowMs: number): LeaseMoment | null {
  const lease = agent.lease;
  if (agent.policy.released) return null;
  const end = endOf(agent, nowMs);
  if (!lease) return end;
  const until = Date.parse(lease.valid_until);
  const moments: LeaseMoment[] = [];
  for (const notice of lease.notices) {
    const isShown = agent.noticesShown.some((own) => own.no === notice.no && own.plannedAt === notice.at);
    if (isShown || notice.delivered_at) continue;
    moments.push({ kind: 'notice', atMs: Math.max(Date.parse(notice.at), nowMs), no: notice.no, plannedAt: notice.at });
  }
  for (const reminder of lease.reminders) {
    // What was due before the lease was signed is the server's past, not the phone's task.
    const isPast = Date.parse(reminder.at) < Date.parse(lease.issued_at);
    if (isPast || agent.remindersShown.includes(reminderId(reminder))) continue;
    const atMs = Math.max(Date.parse(reminder.at), nowMs);
    moments.push({ kind: 'reminder', atMs, key: reminder.key, plannedAt: reminder.at });
  }
  const index = agent.passed.length;
  const atMs = stepMoment(agent, lease, index, nowMs);
  if (atMs !== null) moments.push({ kind: 'step', atMs, index, level: lease.ladder[index]!.level });
  const inTime = [...(end ? [end] : []), ...moments.filter((moment) => moment.atMs <= until)];
  return inTime.reduce<LeaseMoment | null>((first, one) => (first && first.atMs <= one.atMs ? first : one), null);
}

/** Marks a reminder as shown. */
export const withReminderShown = (agent: Agent, reminder: { plannedAt: string; key: string }): Agent => ({
  ...agent,
  remindersShown: [...agent.remindersShown, reminderId({ at: reminder.plannedAt, key: reminder.key })].slice(-64),
});
