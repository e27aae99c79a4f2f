import { LOCK_LEVELS } from '@kist/contract/lock-policy';
import type { KnownChannel, Observation } from '#server/commands/adapter.ts';
import type { GuardDevice } from './guard-client.ts';

/**
 * What the cloud's word on a phone comes to for us. It says locked or free of a version; the version is our revision, and the level is the one that we
 * gave it for: a phone that is as that document wants it to be there has reached that level. One that is not shows as just that.
 */
export function appliedAs(
  channel: KnownChannel,
  applied: NonNullable<GuardDevice['applied']>,
): Pick<Observation, 'revision' | 'level' | 'cause'> {
  const isGiven = applied.version === channel.revision && channel.level !== null;
  const isAsGiven = isGiven && applied.locked === channel.level! >= LOCK_LEVELS.kiosk;
  return { revision: applied.version, level: isAsGiven ? channel.level! : applied.locked ? LOCK_LEVELS.kiosk : 0 };
}

const channelOf = ({ orgId, enrolmentId, deviceId }: KnownChannel) => ({ orgId, enrolmentId, deviceId });

/** @param at what the cloud says of when: it orders what is said of one phone */
export const observed = (channel: KnownChannel, at: string, rest: Partial<Observation>): Observation => ({
  channel: channelOf(channel),
  moment: { boots: 0, ms: Date.parse(at) },
  ...rest,
});

/** As far as the cloud's clock may be ahead of ours. */
const AHEAD_MS = 5 * 60_000;
/**
 * Whether the cloud speaks of a time that has not come. What is said of a phone is ordered by its time: after such a word nothing that is so would be heard
 * until then, and the phone would stay locked in our books.
 */
export const isAhead = (nowMs: number, ...times: readonly (string | null | undefined)[]): boolean =>
  times.some((at) => typeof at === 'string' && Date.parse(at) > nowMs + AHEAD_MS);

/** Why a channel ends whose phone somebody else let go at the cloud. */
export const LET_GO_THERE = 'LET_GO_THERE';

/**
 * The cloud's record of a phone. One that it never heard of is not known to be anything, nor is one of a time to come. 'gone': the cloud holds it no more,
 * and it was not us who let it go: it is no longer what we want of it, whatever that is.
 */
export function observationOf(
  channel: KnownChannel,
  device: GuardDevice,
  nowMs: number,
): Observation | 'unknown' | 'gone' {
  if (device.state === 'removed' && !channel.isLetGo) return 'gone';
  const at = device.applied?.at ?? device.last_seen_at;
  if (!at || isAhead(nowMs, device.applied?.at, device.last_seen_at)) return 'unknown';
  return observed(channel, latest(at, device.last_seen_at), {
    sims: device.sims,
    ...(device.applied && appliedAs(channel, device.applied)),
    ...(device.state === 'removed' &&
      channel.revision !== null && { revision: channel.revision, level: 0, cause: null }),
  });
}

const latest = (a: string, b: string | null): string => (b !== null && Date.parse(b) > Date.parse(a) ? b : a);
