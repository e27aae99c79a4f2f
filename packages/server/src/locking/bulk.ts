import { NEEDS } from '@kist/contract/access';
import { KistError } from '@kist/contract/errors';
import type { BatchState } from '@kist/contract/commands';
import type { LockReason } from '@kist/contract/lock-policy';
import * as commands from '#server/commands/commands.ts';
import type { Actor } from '#server/identity/identity.ts';
import * as identity from '#server/identity/identity.ts';
import type { Tx } from '#server/platform/database.ts';
import { newId } from '#server/platform/ids.ts';
import { carryOut, decide, ownersOf } from './batch-part.ts';
import { NEEDS_OF_LARGER, assertPreviewed, assertSessionIsOld, mayAskForMore, previewOf } from './bulk-guards.ts';
import { canaryFirst, canaryOf } from './canary.ts';
import type { LockingDeps } from './deps.ts';
import { lookInParts } from './facts.ts';
import { assertForMany, assertMayBulk } from './policy.ts';
import { locksAnHour } from './rules/bulk-cap.ts';
import { ringAsker, ringSecond } from './second-bell.ts';
import { bulkUse, phonesOfCustomers, takeBulk } from './store.ts';

export interface BulkOrder {
  command: 'lock' | 'unlock';
  reason: LockReason;
  customerIds: readonly string[];
  dryRun: boolean;
  /** What the dry run of the same order gave. */
  preview?: string | undefined;
}

export interface BulkResult {
  batch_id: string | null;
  /** Null of a dry run. `asked`: nothing is done yet, and the parts follow. */
  state: BatchState | null;
  total: number;
  allowed: number;
  refused: number;
  /** The first thousand; the batch counts them all. */
  refusals: commands.Refusal[];
  /** Of a dry run, for the order that follows it. */
  preview: string | null;
}

const REFUSALS_SHOWN = 1000;
/** Phones of one part: a payment of any of them waits for at most one part. So many are carried out in the call itself. */
export const PART = 100;
/** Phones whose facts a dry run holds at a time. */
const LOOK = 1000;

/**
 * Locks or frees many phones, or says (`dryRun`) what would become of each. Every phone is judged by itself; one that is refused stands in the batch
 * with its rule and stops no other. What is more than a part is kept and carried out in parts (`batch-run.ts`): of a lock that takes its dry run, and a few
 * go first. Unlocking knows no cap, no wait and no second person.
 * @throws KistError FEATURE_NOT_ALLOWED, INVALID_INPUT (the reason is one phone's), SESSION_TOO_NEW, PREVIEW_REQUIRED, LOCK_CAP (the hour's cap would be passed and this person may not ask for more;
 * params.left says how many still fit)
 */
export async function bulk(
  tx: Tx,
  deps: LockingDeps & { previewKey: Uint8Array },
  actor: Actor,
  order: BulkOrder,
): Promise<BulkResult> {
  assertMayBulk(actor, order.command, order.dryRun);
  assertForMany(order.command, order.reason);
  // Ids grow with time: what was written together is read together.
  const customerIds = [...new Set(order.customerIds)].toSorted();
  const { command, reason, dryRun, preview } = order;
  const what = { command, reason, customerIds };
  if (dryRun) {
    const judged = await judgeAll(tx, actor, order, customerIds);
    return { batch_id: null, state: null, ...judged, preview: await previewOf(tx, deps.previewKey, actor, what) };
  }
  if (command === 'unlock') return carriedOut(tx, deps, actor, what, null);
  await assertSessionIsOld(tx, actor);
  if (customerIds.length > PART) await assertPreviewed(tx, deps.previewKey, actor, { ...what, preview });
  const room = await roomInHour(tx);
  const wanted = room < customerIds.length ? (await judgeAll(tx, actor, order, customerIds, room)).allowed : 0;
  if (wanted <= room) return carriedOut(tx, deps, actor, what, room);
  if (!mayAskForMore(actor)) assertFits(wanted, room);
  return kept(tx, deps, actor, what, { room: null, isWaiting: true });
}

interface Wanted extends Pick<BulkOrder, 'command' | 'reason'> {
  customerIds: readonly string[];
}

/** @param room how many locks still fit into this hour; null: nothing counts them */
const carriedOut = (tx: Tx, deps: LockingDeps, actor: Actor, order: Wanted, room: number | null): Promise<BulkResult> =>
  order.customerIds.length <= PART
    ? atOnce(tx, deps, actor, order, { customerIds: order.customerIds, room })
    : kept(tx, deps, actor, order, { room, isWaiting: false });

/** To be carried out in parts. */
async function kept(
  tx: Tx,
  deps: LockingDeps,
  actor: Actor,
  { command, reason, customerIds }: Wanted,
  { room, isWaiting }: { room: number | null; isWaiting: boolean },
): Promise<BulkResult> {
  const total = customerIds.length;
  const canary = command === 'lock' && total > PART ? canaryOf(total) : 0;
  const batch_id = await commands.askBatch(tx, actor, {
    command,
    reason,
    total,
    customerIds: canary > 0 ? canaryFirst(customerIds, canary) : customerIds,
    size: PART,
    room: room === null ? null : Math.min(room, total),
    canary,
    isWaiting,
  });
  tx.afterCommit(() => deps.batchAsked?.());
  if (isWaiting)
    await ringSecond(tx, actor, {
      kind: 'batch_asked',
      data: { batch_id, total },
      customerId: null,
      owner: actor.userId,
      needs: NEEDS_OF_LARGER,
    });
  const state = isWaiting ? 'waiting' : 'asked';
  return { batch_id, state, total, allowed: 0, refused: 0, refusals: [], preview: null };
}

/** The second person's word. */
export interface BulkWord {
  batchId: string;
  isApproved: boolean;
  /** Why not. */
  note?: string | undefined;
}

/** Takes it. @throws KistError as `commands.decideBatch`; SECOND_PERSON_REQUIRED, FEATURE_NOT_ALLOWED, SESSION_TOO_NEW of who says yes */
export async function decideBulk(
  tx: Tx,
  deps: LockingDeps,
  actor: Actor,
  { batchId, isApproved, note }: BulkWord,
): Promise<{ batch_id: string; state: BatchState }> {
  identity.requires(actor, NEEDS.bulkLock);
  if (isApproved) await assertSessionIsOld(tx, actor);
  const { askedBy } = await commands.decideBatch(tx, actor, { batchId, isApproved, note, needs: NEEDS_OF_LARGER });
  const data = { batch_id: batchId, is_approved: Number(isApproved) };
  await ringAsker(tx, askedBy, actor, { kind: 'batch_decided', data, customerId: null });
  if (isApproved) tx.afterCommit(() => deps.batchAsked?.());
  return { batch_id: batchId, state: isApproved ? 'asked' : 'stopped' };
}

interface Asked {
  customerIds: readonly string[];
  /** How many locks still fit into this hour; null: nothing counts them. */
  room: number | null;
}

async function atOnce(
  tx: Tx,
  deps: LockingDeps,
  actor: Actor,
  { command, reason }: Wanted,
  { customerIds, room }: Asked,
): Promise<BulkResult> {
  const batchId = newId();
  const total = customerIds.length;
  const result = await carryOut(tx, deps, actor, {
    command,
    reason,
    customerIds,
    batchId,
    mayAllow: (wanted) => assertFits(wanted, room ?? Infinity),
  });
  await commands.keepBatch(tx, actor, { batchId, command, reason, total, ...result });
  return { batch_id: batchId, state: 'done', total, ...result, refusals: [...result.refusals], preview: null };
}

/** @throws KistError LOCK_CAP */
function assertFits(wanted: number, left: number): void {
  if (wanted > left) throw new KistError('LOCK_CAP', { params: { left, wanted }, details: { left, wanted } });
}

/** What would become of each, as of one moment; takes and writes nothing. @param enough it stops when more than so many are allowed */
async function judgeAll(
  tx: Tx,
  actor: Actor,
  { command, reason }: BulkOrder,
  customerIds: readonly string[],
  enough = Infinity,
): Promise<Omit<BulkResult, 'batch_id' | 'state' | 'preview'>> {
  const phonesOf = await phonesOfCustomers(tx, customerIds, ownersOf(actor));
  const missing = customerIds.filter((id) => !phonesOf.has(id));
  const refusals = missing.slice(0, REFUSALS_SHOWN).map((id) => ({ customer_id: id, rule: 'NOT_ENROLLED' }));
  const result = { total: customerIds.length, allowed: 0, refused: missing.length, refusals };
  for await (const phones of lookInParts(tx, [...new Set(phonesOf.values())], LOOK)) {
    const { decisions, refused } = await decide(phones, { actor, command, reason });
    result.allowed += decisions.length;
    result.refused += refused.length;
    for (const { phone, rule } of refused.slice(0, REFUSALS_SHOWN - refusals.length))
      refusals.push({ customer_id: phone.row.customerId ?? '', rule });
    if (result.allowed > enough) break;
  }
  return result;
}

/** @returns how many locks still fit into this hour, with all that orders under way may still use */
async function roomInHour(tx: Tx): Promise<number> {
  await takeBulk.one(tx, {});
  const { lockedLastHour, phones } = await bulkUse(tx);
  return Math.max(0, locksAnHour(phones) - lockedLastHour);
}
