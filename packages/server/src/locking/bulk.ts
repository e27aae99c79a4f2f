import { KistError } from '@kist/contract/errors';
import type { BatchState } from '@kist/contract/commands';
import type { LockReason } from '@kist/contract/lock-policy';
import * as commands from '#server/commands/commands.ts';
import type { Actor } from '#server/identity/identity.ts';
import type { Tx } from '#server/platform/database.ts';
import { newId } from '#server/platform/ids.ts';
import { carryOut, decide, ownersOf } from './batch-part.ts';
import type { LockingDeps } from './deps.ts';
import { lookInParts } from './facts.ts';
import { assertMayBulk, assertNotTheft } from './policy.ts';
import { locksAnHour } from './rules/bulk-cap.ts';
import { bulkUse, phonesOfCustomers, takeBulk } from './store.ts';

export interface BulkOrder {
  command: 'lock' | 'unlock';
  reason: LockReason;
  customerIds: readonly string[];
  dryRun: boolean;
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
}

const REFUSALS_SHOWN = 1000;
/** Phones of one part: a payment of any of them waits for at most one part. So many are carried out in the call itself. */
export const PART = 100;
/** Phones whose facts a dry run holds at a time. */
const LOOK = 1000;

/**
 * Locks or frees many phones, or says (`dryRun`) what would become of each. Every phone is judged by itself; one that is refused stands in the batch
 * with its rule and stops no other. What is more than a part is kept and carried out in parts (`batch-run.ts`). Unlocking knows no cap.
 * @throws KistError FEATURE_NOT_ALLOWED, LOCK_CAP (the hour's cap would be passed; params.left says how many still fit)
 */
export async function bulk(tx: Tx, deps: LockingDeps, actor: Actor, order: BulkOrder): Promise<BulkResult> {
  assertMayBulk(actor, order.command, order.dryRun);
  // A theft is one phone's and its owner's word: no list of customers locks or frees for it.
  assertNotTheft(order.reason);
  // Ids grow with time: what was written together is read together.
  const customerIds = [...new Set(order.customerIds)].toSorted();
  if (order.dryRun) return { batch_id: null, state: null, ...(await judgeAll(tx, actor, order, customerIds)) };
  const room = order.command === 'lock' ? await roomInHour(tx, actor) : null;
  if (customerIds.length <= PART) return atOnce(tx, deps, actor, order, { customerIds, room });
  if (room !== null && room < customerIds.length)
    assertFits((await judgeAll(tx, actor, order, customerIds, room)).allowed, room);
  const { command, reason } = order;
  const total = customerIds.length;
  const batch_id = await commands.askBatch(tx, actor, {
    command,
    reason,
    total,
    customerIds,
    size: PART,
    room: room === null ? null : Math.min(room, total),
  });
  tx.afterCommit(() => deps.batchAsked?.());
  return { batch_id, state: 'asked', total, allowed: 0, refused: 0, refusals: [] };
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
  { command, reason }: BulkOrder,
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
  return { batch_id: batchId, state: 'done', total, ...result, refusals: [...result.refusals] };
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
): Promise<Omit<BulkResult, 'batch_id' | 'state'>> {
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

/**
 * @returns how many locks still fit into this hour, with all that orders under way may still use; null: the higher access (`bulk_retailer`) is the
 * approval of larger numbers. Of a mini-retailer it says no more than that it may order for many at all: its retailer gives it that, and can give no
 * approval that it has not itself.
 */
async function roomInHour(tx: Tx, actor: Actor): Promise<number | null> {
  if (actor.access.bulk_retailer === '1' && actor.userType !== 'miniretailer') return null;
  await takeBulk.one(tx, {});
  const { lockedLastHour, phones } = await bulkUse(tx);
  return Math.max(0, locksAnHour(phones) - lockedLastHour);
}
