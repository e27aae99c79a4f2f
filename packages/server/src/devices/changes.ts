import { locationSchema } from '@kist/contract/agent';
import type { Database, Tx } from '#server/platform/database.ts';
import { isAway } from '#server/platform/database-errors.ts';
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
    and change_id <> all($2) and ($3::uuid is null or change_id = $3)
  order by at limit ${PER_TRANSACTION} for update skip locked)
returning change_id as "changeId", device_id as "deviceId", at, changes`;

type ChangeRow = Pick<DeviceChange, 'changeId' | 'deviceId' | 'at'> & {
  changes: Omit<DeviceChange, 'changeId' | 'deviceId' | 'at'>;
};

/** What one transaction takes: of these phones or of all, without those that failed, or one change alone. */
interface Taking {
  deviceIds: readonly string[] | null;
  but: readonly string[];
  only?: string;
}

/**
 * Acts on what is waiting, of some phones or of all of an organisation. Where it cannot be acted on together each change is tried alone: what one phone says
 * holds nobody else up. It stays, and is tried again by the next run.
 * @returns how many changes were acted on
 * @throws what a change failed with, once all others are through; at once when the database is away
 */
export async function drainChanges(
  db: Pick<Database, 'transaction'>,
  orgId: number,
  onReports: OnReports,
  deviceIds?: readonly string[],
): Promise<number> {
  const failed = new Map<string, unknown>();
  let done = 0;
  for (let count = PER_TRANSACTION; count === PER_TRANSACTION;) {
    const taking = { deviceIds: deviceIds ?? null, but: [...failed.keys()] };
    const { claimed, error } = await draw(db, orgId, onReports, taking);
    count = claimed.length;
    if (error === undefined) done += count;
    else if (count === 0) throw error;
    else done += await drawEach(db, orgId, onReports, claimed, failed);
  }
  const [first, ...others] = failed.values();
  if (others.length > 0) throw new AggregateError([first, ...others], `${failed.size} changes of phones failed`);
  if (first !== undefined) throw first;
  return done;
}

/** Each of these alone, and what fails is noted. @returns how many were acted on */
async function drawEach(
  db: Pick<Database, 'transaction'>,
  orgId: number,
  onReports: OnReports,
  claimed: readonly string[],
  failed: Map<string, unknown>,
): Promise<number> {
  let done = 0;
  for (const only of claimed) {
    const { claimed: taken, error } = await draw(db, orgId, onReports, { deviceIds: null, but: [], only });
    if (error === undefined) done += taken.length;
    else failed.set(only, error);
  }
  return done;
}

/** One transaction. @returns what it had taken, oldest first, also where that could not be acted on. @throws when the fault is no change's */
async function draw(
  db: Pick<Database, 'transaction'>,
  orgId: number,
  onReports: OnReports,
  { deviceIds, but, only }: Taking,
): Promise<{ claimed: string[]; error?: unknown }> {
  let changes: DeviceChange[] = [];
  try {
    await db.transaction(orgId, async (tx) => {
      const { rows } = await tx.query<ChangeRow>(CLAIM, [deviceIds, but, only ?? null], 'devices.claim_changes');
      changes = rows
        .map(({ changes: parts, ...row }) => ({ ...row, ...parts }))
        .toSorted((a, b) => a.at.getTime() - b.at.getTime());
      if (changes.length === 0) return;
      await takeLocations(tx, changes);
      await onReports(tx, changes);
    });
    return { claimed: changes.map(({ changeId }) => changeId) };
  } catch (error) {
    if (isAway(error)) throw error;
    return { claimed: changes.map(({ changeId }) => changeId), error };
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
