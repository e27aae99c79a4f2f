import { NEXT_CHECKIN, type CheckinRequest, type DesiredPolicy, type Lease } from '@kist/contract/agent';
import { NO_SWITCHES, SWITCHES, ofSwitches } from '@kist/contract/commands';
import * as devices from '#server/devices/devices.ts';
import { BoundedMap } from '#server/platform/bounded-map.ts';
import type { Database } from '#server/platform/database.ts';
import type { Observation, ProvenPhone, Pulled, Waiting } from './adapter.ts';
import { earlierChannelSql, nameOf, namedAs } from './callers.ts';

/** What decides which of it a phone may be given. */
type State = Pick<CheckinRequest['state'], 'revision' | 'lock_level' | 'lock_cause' | 'toggles' | 'lease_seq'>;

/** What the device of an earlier key shall be now, as role kist_device. No row for a key of a live enrolment, or of one that a release ended. */
const EARLIER_SQL = `
select to_char(kist_now() at time zone 'utc', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"') as "serverTime", d.device_id as "deviceId", d.revision, d.document, d.lease, d.lease_seq as "leaseSeq"
from (select $1::integer as org_id, $2::uuid as enrolment_id, $3::bytea as key_sha256) i
cross join ${earlierChannelSql('i', 'c.org_id, c.device_id')} e
join device_desired d on d.org_id = e.org_id and d.device_id = e.device_id`;

interface Wanted {
  deviceId: string;
  serverTime: string;
  revision: number;
  document: DesiredPolicy;
  lease: Lease | null;
  leaseSeq: number;
}

/** What was given to whom; some 100 bytes each. */
const TOLD_KEPT = 10_000;

/**
 * Answers a key whose phone enrolled again. The token that made the newer enrolment proves who held the shop's code, not which phone it was on: the
 * phone that stands locked may still be the one with the earlier key. So that one is answered like any other with what takes something back from it, and
 * never with more than it says it is held by now. What it reports is written nowhere: the books follow the live enrolment alone.
 */
export interface EarlierKeys {
  /** @returns the answer to its report; undefined when the key is not listened to */
  answer(observation: Observation): Promise<Pulled | undefined>;
  /** @returns whether there is something it was not told yet; undefined when the key is not listened to */
  isWaiting(caller: ProvenPhone): Promise<Waiting | undefined>;
}

export function createEarlierKeys(db: Pick<Database, 'devicePool'>): EarlierKeys {
  const told = new BoundedMap<string, { revision: number; leaseSeq: number }>(TOLD_KEPT);
  const wantedOf = async (caller: ProvenPhone): Promise<Wanted | undefined> => {
    const named = namedAs(caller);
    const { rows } = await db.devicePool.query<Wanted>({
      name: 'device_earlier',
      text: EARLIER_SQL,
      values: [named.org_id, named.enrolment_id, named.key_sha256],
    });
    return rows[0];
  };
  return {
    async answer({ channel, revision = 0, level = 0, cause = null, toggles = NO_SWITCHES, leaseSeq = 0 }) {
      const wanted = await wantedOf(channel);
      if (!wanted) return undefined;
      told.set(nameOf(channel), wanted);
      const state = { revision, lock_level: level, lock_cause: cause, toggles, lease_seq: leaseSeq };
      return replyTo(wanted, state);
    },
    async isWaiting(caller) {
      const wanted = await wantedOf(caller);
      if (!wanted) return undefined;
      // After a restart nobody knows what it was told: it is called once, and not at every poll.
      const before = told.get(nameOf(caller));
      told.set(nameOf(caller), wanted);
      const isWaiting = !before || wanted.revision > before.revision || wanted.leaseSeq > before.leaseSeq;
      return { isWaiting, deviceId: wanted.deviceId };
    },
  };
}

function replyTo({ serverTime, revision, document, lease, leaseSeq }: Wanted, state: State): Pulled {
  const policy = lessOf(document, state);
  const isAsWanted = policy.lock.level === state.lock_level && isSame(policy.toggles, state.toggles);
  const desired =
    state.revision < revision || !isAsWanted
      ? { revision: devices.revisionToTake(state.revision, revision), policy }
      : null;
  const newer = lease !== null && state.lease_seq < leaseSeq ? lessOfLease(lease, state) : null;
  const isQuiet = desired === null && newer === null;
  return {
    serverTime,
    desired,
    commands: [],
    lease: newer,
    next: isQuiet
      ? { after_s: NEXT_CHECKIN.afterS, spread_s: NEXT_CHECKIN.spreadS }
      : { after_s: NEXT_CHECKIN.unsettledAfterS, spread_s: 0 },
  };
}

const isSame = (a: State['toggles'], b: State['toggles']): boolean => SWITCHES.every((name) => a[name] === b[name]);

/** The debt and the organisation's word about it are one ground; a step of the lease comes without a cause and is for the debt. */
const groundOf = (cause: State['lock_cause']): string => (cause === null || cause === 'override' ? 'debt' : cause);

/**
 * What of a desired state a phone with an earlier key may be given: nothing that it does not say it is held by already. A level stays where the ground it
 * is held on still stands, and comes off where that is gone, even though something else would hold the device now.
 */
export function lessOf(wanted: DesiredPolicy, held: State): DesiredPolicy {
  const isSameGround = groundOf(wanted.lock.cause) === groundOf(held.lock_cause);
  const level = isSameGround ? Math.min(wanted.lock.level, held.lock_level) : 0;
  const toggles = ofSwitches((name) => wanted.toggles[name] && held.toggles[name]);
  return {
    ...wanted,
    lock: level === 0 ? { level, cause: null, screen: null } : { ...wanted.lock, level },
    toggles,
    wallpaper_text: toggles.wallpaper ? wanted.wallpaper_text : null,
  };
}

/** The lease without steps above where the phone stands, and without the notices that such steps rest on. */
const lessOfLease = (lease: Lease, { lock_level: held }: State): Lease => ({
  ...lease,
  notices: [],
  ladder: lease.ladder.filter(({ level }) => level <= held),
});
