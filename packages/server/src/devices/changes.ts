import { locationSchema } from '@kist/contract/agent';
import type { Database, Tx } from '#server/platform/database.ts';
import { storable } from '#server/platform/instants.ts';
import { noteLocations } from './store.ts';

interface Sim {
  slot: number;
  iccid: string;
  operator: string;
  number?: string;
}

/** What a check-in changed. Each part is there only when it happened. */
export interface DeviceChange {
  changeId: string;
  deviceId: string;
  /** Server time of the check-in. */
  at: Date;
  /** The first report of this enrolment. */
  first?: true;
  level?: { from: number; to: number; cause?: string };
  /** The phone now is what it shall be, level and switches: the confirmation that a cure or a lock waits for. It never waits for a digest. */
  settled?: { revision: number; level: number };
  /** It was let go for good, has taken that and is at level 0, whatever else it says. */
  gone?: true;
  /** The phone names the revision wanted of it (or one above it, never given) and is not what that asks for, at so many polls in a row. */
  unfit?: { polls: number; desired: number; revision: number; level: number; isFree?: boolean };
  sims?: { from: Sim[]; to: Sim[] };
  /** `at` is the phone's word, neither later than the check-in nor before its enrolment. */
  events?: { id: string; kind: string; at: string; data: Record<string, unknown> }[];
  commands?: {
    id: string;
    type: string;
    state: 'APPLIED' | 'VERIFIED' | 'FAILED';
    result?: Record<string, unknown>;
    code?: string;
  }[];
}

/** Draws the consequences, in the transaction that also removes the change: both happen or neither. Must not depend on the order of changes. */
export type OnReports = (tx: Tx, changes: readonly DeviceChange[]) => Promise<void>;

const PER_TRANSACTION = 200;
/** A change that its own process has not acted on by then was left behind by a crash. */
const LEFT_BEHIND_S = 10;

const CLAIM = `
delete from device_changes where org_id = kist_org() and change_id in (
  select change_id from device_changes where org_id = kist_org() and ($1::uuid[] is null or device_id = any($1))
  order by at limit ${PER_TRANSACTION} for update skip locked)
returning change_id as "changeId", device_id as "deviceId", at, changes`;

type ChangeRow = Pick<DeviceChange, 'changeId' | 'deviceId' | 'at'> & {
  changes: Omit<DeviceChange, 'changeId' | 'deviceId' | 'at'>;
};

/**
 * Acts on what is waiting, of some phones or of all of an organisation.
 * @returns how many changes were acted on
 */
export async function drainChanges(
  db: Pick<Database, 'transaction'>,
  orgId: number,
  onReports: OnReports,
  deviceIds?: readonly string[],
): Promise<number> {
  let done = 0;
  for (;;) {
    const count = await db.transaction(orgId, async (tx) => {
      const { rows } = await tx.query<ChangeRow>(CLAIM, [deviceIds ? [...deviceIds] : null], 'devices.claim_changes');
      const changes = rows
        .map(({ changes: parts, ...row }) => ({ ...row, ...parts }))
        .toSorted((a, b) => a.at.getTime() - b.at.getTime());
      if (changes.length > 0) {
        await takeLocations(tx, changes);
        await onReports(tx, changes);
      }
      return changes.length;
    });
    done += count;
    if (count < PER_TRANSACTION) return done;
  }
}

/** Organisations in which somebody died between a check-in and its consequences. */
export async function organisationsLeftBehind(db: Pick<Database, 'device'>): Promise<number[]> {
  return db.device(async (tx) => {
    const { rows } = await tx.query<{ orgId: number }>(
      `select distinct org_id as "orgId" from device_changes where at < kist_now() - interval '${LEFT_BEHIND_S} seconds'`,
    );
    return rows.map((row) => row.orgId);
  });
}

/** The answer to a location order is where the phone is now, for the map. A result that is no place stays with its order only. */
async function takeLocations(tx: Tx, changes: readonly DeviceChange[]): Promise<void> {
  const found = new Map<string, { deviceId: string; location: object; at: string }>();
  for (const { deviceId, commands = [] } of changes) {
    for (const { type, state, result } of commands) {
      if (type !== 'location' || state !== 'VERIFIED') continue;
      const place = locationSchema.safeParse(result);
      if (place.success) found.set(deviceId, { deviceId, location: place.data, at: storable(place.data.at) });
    }
  }
  if (found.size > 0) await noteLocations(tx, [...found.values()]);
}
