import type { Need } from '@kist/contract/access';
import type { BatchStop } from '@kist/contract/commands';
import { KistError } from '@kist/contract/errors';
import { LIMITS } from '@kist/contract/limits';
import type { LockReason } from '@kist/contract/lock-policy';
import * as audit from '#server/audit/audit.ts';
import { type Actor, SYSTEM } from '#server/identity/identity.ts';
import * as identity from '#server/identity/identity.ts';
import * as organisations from '#server/organisations/organisations.ts';
import type { Database, Tx } from '#server/platform/database.ts';
import { newId } from '#server/platform/ids.ts';
import * as store from './batch-store.ts';
import { canDecideBatch } from './policy.ts';

export type { Refusal } from './batch-store.ts';

/** An order to many phones, as it was asked. */
interface NewBatch {
  command: 'lock' | 'unlock';
  reason: LockReason;
  total: number;
}

/** What became of some of its phones. */
export interface PartResult {
  allowed: number;
  refused: number;
  refusals: readonly store.Refusal[];
}

/** A part to be carried out in this transaction, of an order that nobody stops meanwhile. */
export interface Part {
  batchId: string;
  no: number;
  command: 'lock' | 'unlock';
  reason: LockReason;
  requestedBy: string;
  /** Of the session that asked, for the audit. */
  askedIn: { sessionId?: string; ip?: string };
  askedAt: Date;
  customerIds: readonly string[];
  /** What the parts before have done is to be looked at before this one is carried out. */
  isWatched: boolean;
  /** How many more phones it may lock; Infinity where nothing counts them. */
  room: number;
}

const headOf = (batchId: string, { userId, userType, sessionId, ip }: Actor, { command, reason, total }: NewBatch) => ({
  batch_id: batchId,
  command,
  reason,
  requested_by: userId,
  actor: { userId, userType, ...(sessionId !== undefined && { sessionId }), ...(ip !== undefined && { ip }) },
  total,
});

/** A line of the organisation's: ids, counts and codes. It comes last in its transaction, as a fleet unlock's does: nobody waits for a phone behind it. */
const note = (tx: Tx, actor: Actor, action: string, data: audit.AuditData): Promise<void> =>
  audit.append(tx, { kind: 'organisation', id: String(tx.orgId), actor, action, data });
const noteAsked = (tx: Tx, actor: Actor, batch_id: string, { command, reason, total }: NewBatch): Promise<void> =>
  note(tx, actor, 'batch_asked', { batch_id, command, reason, total });

/** Keeps an order to many that this transaction has carried out; its orders carry the id. */
export async function keepBatch(
  tx: Tx,
  actor: Actor,
  { batchId = newId(), ...batch }: NewBatch & PartResult & { batchId?: string },
): Promise<string> {
  const { allowed, refused, refusals } = batch;
  const head = headOf(batchId, actor, batch);
  await store.insertBatch.run(tx, { ...head, state: 'done', room: null, canary: 0, allowed, refused });
  await store.insertDonePart.run(tx, { batch_id: batchId, allowed, refused, refusals });
  const { total } = batch;
  await noteAsked(tx, actor, batchId, batch);
  await note(tx, actor, 'batch_done', { batch_id: batchId, total, allowed, refused });
  return batchId;
}

/**
 * Keeps an order to many that is to be carried out in parts of `size`.
 * @param batch.room how many locks it may use of its hour; null: nothing counts them
 * @param batch.canary so many customers are a wave of their own, and the others wait for what becomes of them; 0: all at once
 * @param batch.isWaiting a second person has to agree first
 */
export async function askBatch(
  tx: Tx,
  actor: Actor,
  {
    customerIds,
    size,
    room,
    canary = 0,
    isWaiting = false,
    ...batch
  }: NewBatch & {
    customerIds: readonly string[];
    size: number;
    room: number | null;
    canary?: number;
    isWaiting?: boolean;
  },
): Promise<string> {
  const batchId = newId();
  const state = isWaiting ? 'waiting' : 'asked';
  await store.insertBatch.run(tx, { ...headOf(batchId, actor, batch), state, room, canary, allowed: 0, refused: 0 });
  await store.insertParts.run(tx, { batch_id: batchId, customer_ids: customerIds, size, canary });
  await noteAsked(tx, actor, batchId, batch);
  return batchId;
}

/** An order to many that is under way. */
export interface OpenBatch {
  orgId: number;
  batchId: string;
  isBegun: boolean;
  /** Nobody has agreed to it in time: it is to be stopped. */
  isUnapproved: boolean;
  isLock: boolean;
  /** Its locks are counted: its parts follow one another. */
  isCapped: boolean;
  /** So many phones are locked before the others follow. */
  canary: number;
}

/** Orders to many that are under way in any organisation, or that nobody has agreed to in time; the oldest first. */
export async function openBatches(db: Pick<Database, 'devicePool' | 'unscoped'>): Promise<OpenBatch[]> {
  const rows = await store.unfinishedBatches.all(db.devicePool, { org_ids: await organisations.everyId(db) });
  return rows.map(({ org_id, batch_id, state, is_capped, is_lock, canary }) => ({
    orgId: org_id,
    batchId: batch_id,
    isBegun: state === 'running',
    isUnapproved: state === 'waiting',
    isLock: is_lock,
    isCapped: is_capped,
    canary,
  }));
}

/** A process has taken it up. */
export const beginBatch = (tx: Tx, { batchId }: OpenBatch): Promise<number> =>
  store.startBatch.run(tx, { batch_id: batchId });

/** @returns the next part of an order that nobody else is carrying out; undefined when there is none now, or the order is over */
export async function takePart(tx: Tx, { batchId, isCapped }: OpenBatch): Promise<Part | undefined> {
  const head = await (isCapped ? store.holdCapped : store.holdBatch).first(tx, { batch_id: batchId });
  const part = head && (await store.takePart.first(tx, { batch_id: batchId }));
  if (!part) return undefined;
  const { command, reason, requested_by, actor, created_at, room } = head;
  const used = room === null ? 0 : (await store.allowedSoFar.one(tx, { batch_id: batchId })).allowed;
  return {
    batchId,
    no: part.no,
    command,
    reason,
    requestedBy: requested_by,
    askedIn: actor,
    askedAt: created_at,
    customerIds: part.customer_ids,
    isWatched: part.is_watched,
    room: room === null ? Infinity : room - used,
  };
}

/**
 * Where no part of the first wave is left, it grows until it has locked so many phones: those that were passed over show nothing. Then the second wave begins
 * in a while.
 * @returns whether it has grown: there is a part to carry out
 */
export async function goOnAfterCanary(tx: Tx, { batchId: batch_id, canary }: OpenBatch): Promise<boolean> {
  if ((await store.growFirstWave.run(tx, { batch_id, canary })) > 0) return true;
  await store.beginSecondWave.run(tx, { batch_id, minutes: LIMITS.canaryMinutes });
  return false;
}

/** @returns the latest phones that it has locked, at most so many, and whether the order to each has failed */
export async function lockedLast(
  tx: Tx,
  { batchId, most }: { batchId: string; most: number },
): Promise<{ deviceId: string; hasFailed: boolean }[]> {
  const rows = await store.lockedLast.all(tx, { batch_id: batchId, most });
  return rows.map(({ device_id, state }) => ({ deviceId: device_id, hasFailed: state === 'FAILED' }));
}

/** The part is carried out when this transaction commits. */
export const finishPart = (
  tx: Tx,
  { batchId, no }: Part,
  { allowed, refused, refusals }: PartResult,
): Promise<number> => store.finishPart.run(tx, { batch_id: batchId, no, allowed, refused, refusals });

/** Ends an order of which no part is left; does nothing while there is one. */
export async function finishBatch(tx: Tx, { batchId: batch_id }: OpenBatch): Promise<void> {
  const done = await store.finishBatch.first(tx, { batch_id });
  if (done) await note(tx, SYSTEM(tx.orgId ?? 0), 'batch_done', { batch_id, ...done });
}

/**
 * The second person's word on a lock of more phones than the hour has room for. No is also who asked thinking better of it.
 * @param said.note why not: kept with it, and out of the history, where no words are
 * @param said.needs what it takes to agree to so many
 * @returns who asked
 * @throws KistError NOT_FOUND, SECOND_PERSON_REQUIRED, FEATURE_NOT_ALLOWED, STATE_CONFLICT (it is decided, or its time is over)
 */
export async function decideBatch(
  tx: Tx,
  actor: Actor,
  {
    batchId,
    isApproved,
    note: why,
    needs,
  }: { batchId: string; isApproved: boolean; note?: string | undefined; needs: readonly Need[] },
): Promise<{ askedBy: string }> {
  const batch_id = batchId;
  const found = await store.holdWaiting.first(tx, { batch_id });
  if (!found || !canDecideBatch(actor, found.requested_by)) throw new KistError('NOT_FOUND');
  if (found.state !== 'waiting' || found.is_late) throw new KistError('STATE_CONFLICT');
  if (isApproved) {
    identity.mustBeSecond(actor, await identity.askedOfAnother(tx, found.requested_by), needs);
    await store.approveBatch.run(tx, { batch_id, approved_by: actor.userId });
    await note(tx, actor, 'batch_approved', { batch_id, asked_by: found.requested_by });
  } else {
    const data = { batch_id, asked_by: found.requested_by, ...(why !== undefined && { has_note: true }) };
    await note(tx, actor, 'batch_not_approved', data);
    await stopBatch(tx, { batchId, note: why }, 'NOT_APPROVED');
  }
  return { askedBy: found.requested_by };
}

/** No further part of a lock of many begins; of an unlock it does nothing. @returns who asked for it; undefined where it was over before */
export async function stopBatch(
  tx: Tx,
  { batchId, note: why }: Pick<OpenBatch, 'batchId'> & { note?: string | undefined },
  stoppedFor: BatchStop,
): Promise<{ askedBy: string } | undefined> {
  const stopped = await store.stopBatch.first(tx, {
    batch_id: batchId,
    stopped_for: stoppedFor,
    refusal_note: why ?? null,
  });
  await noteStopped(tx, await store.countStopped.all(tx, {}));
  return stopped && { askedBy: stopped.requested_by };
}

/** What was stopped, who had asked for it, and what had been done of it. */
type Stopped = Awaited<ReturnType<typeof store.countStopped.all>>[number];

/** No further part of any lock of many of this organisation begins, and none is under way when this returns. `noteStopped` puts it on record. */
export async function stopLocks(tx: Tx, stoppedFor: BatchStop): Promise<Stopped[]> {
  await store.stopLocks.run(tx, { stopped_for: stoppedFor });
  return store.countStopped.all(tx, {});
}

/** On record, once the transaction holds all phones that it wants. */
export async function noteStopped(tx: Tx, stopped: readonly Stopped[]): Promise<void> {
  for (const { requested_by: _, ...data } of stopped) await note(tx, SYSTEM(tx.orgId ?? 0), 'batch_stopped', data);
}

/** After a failure, in a transaction of its own. @returns how often it has failed */
export async function postponePart(tx: Tx, { batchId, no }: Pick<Part, 'batchId' | 'no'>): Promise<number> {
  const row = await store.postponePart.first(tx, { batch_id: batchId, no });
  return row?.tries ?? 0;
}

/** Which of these phones somebody has freed by an order since a moment. */
export async function freedSince(tx: Tx, deviceIds: readonly string[], since: Date): Promise<Set<string>> {
  const rows = await store.freedSince.all(tx, { device_ids: deviceIds, since });
  return new Set(rows.map(({ device_id }) => device_id));
}
