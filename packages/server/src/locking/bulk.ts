import { KistError } from '@kist/contract/errors';
import type { LockReason } from '@kist/contract/lock-policy';
import * as commands from '#server/commands/commands.ts';
import { mayAsk } from '#server/commands/offered.ts';
import type { Actor } from '#server/identity/identity.ts';
import type { Tx } from '#server/platform/database.ts';
import { newId } from '#server/platform/ids.ts';
import { mapInSlices } from '#server/platform/slices.ts';
import { type Decision, applyDecisions, recordRefusals } from './apply.ts';
import { judge, manualLevel } from './decide.ts';
import type { LockingDeps } from './deps.ts';
import { type Phone, causeOf, lookInParts, seizePhones } from './facts.ts';
import { beginUnlock, unlocked } from './unlocking.ts';
import { assertMayBulk } from './policy.ts';
import { releasePaid } from './release.ts';
import { bulkUse, phonesOfCustomers, takeBulk } from './store.ts';
import { lockNotices } from './tell.ts';

export interface BulkOrder {
  command: 'lock' | 'unlock';
  reason: LockReason;
  customerIds: readonly string[];
  dryRun: boolean;
}

export interface BulkResult {
  batch_id: string | null;
  total: number;
  allowed: number;
  refused: number;
  /** The first thousand; the batch counts them all. */
  refusals: { customer_id: string; rule: string }[];
}

const REFUSALS_SHOWN = 1000;
/** Locks of one organisation in an hour by bulk, unless its access lifts the cap: enough for a morning's work, too few to lock a town. */
const CAP_MIN = 50;
const CAP_SHARE = 0.02;

/** Phones judged and carried out at a time. All are seized, and their facts read, before the first is judged. */
const CHUNK = 1000;
/** Parts under way at once: the database writes one while others are judged and written out here. They share the transaction's one connection. */
const PARTS = 4;

/**
 * Locks or frees many phones, or says (`dryRun`) what would become of each. Every phone is judged by itself; one that is refused stands in the batch
 * with its rule and stops no other. Unlocking knows no cap.
 * @throws KistError FEATURE_NOT_ALLOWED, TOO_LARGE (the hour's cap would be passed; params.left says how many still fit)
 */
export async function bulk(tx: Tx, deps: LockingDeps, actor: Actor, order: BulkOrder): Promise<BulkResult> {
  assertMayBulk(actor, order.command, order.dryRun);
  const { command, reason, dryRun } = order;
  const customerIds = [...new Set(order.customerIds)];
  const owners = actor.userType === 'system' ? null : actor.visibleOwnerIds;
  const phonesOf = await phonesOfCustomers(tx, customerIds, owners);
  const missing = customerIds
    .filter((id) => !phonesOf.has(id))
    .map((id) => ({ customer_id: id, rule: 'NOT_ENROLLED' }));
  const asked = [...new Set(phonesOf.values())];
  const deviceIds = dryRun ? asked : await seizePhones(tx, asked);
  const left = command === 'lock' && !dryRun ? await roomInHour(tx, actor) : Infinity;
  const how = { actor, command, batchId: newId() };
  const result: BulkResult = {
    batch_id: dryRun ? null : how.batchId,
    total: customerIds.length,
    allowed: 0,
    refused: missing.length,
    refusals: missing.slice(0, REFUSALS_SHOWN),
  };
  if (command === 'unlock' && !dryRun) await beginUnlock(tx, deviceIds, reason, actor);
  // An unlock has just written what its facts must show, so it reads where it writes.
  const reader = command === 'lock' && !dryRun ? await tx.openReader() : undefined;
  const parts = inParts(lookInParts(tx, deviceIds, CHUNK, reader?.tx), async (phones) => {
    const { decisions, refused } = await decide(tx, phones, order, how);
    result.allowed += decisions.length;
    result.refused += refused.length;
    for (const { phone, rule } of refused.slice(0, REFUSALS_SHOWN - result.refusals.length))
      result.refusals.push({ customer_id: phone.row.customerId ?? '', rule });
    const wanted = result.allowed;
    if (wanted > left) throw new KistError('TOO_LARGE', { params: { left, wanted }, details: { left, wanted } });
    if (dryRun) return;
    const applied = await applyDecisions(tx, deps.waker, decisions, how);
    const notices = lockNotices(decisions.map(({ phone }, index) => ({ phone, applied: applied[index]! })));
    await deps.notices.send(tx, notices);
    await releasePaid(tx, deps, actor, decisions);
  });
  await parts.finally(() => reader?.end());
  const { total, allowed, refused } = result;
  if (!dryRun) await commands.beginBatch(tx, actor, { batchId: how.batchId, command, reason, total, allowed, refused });
  return result;
}

/**
 * After a failure no further part begins, and those under way are waited for: nothing speaks into a transaction that is over.
 * @throws the first failure; what the other parts then met in the broken transaction says nothing
 */
async function inParts<Part>(parts: AsyncGenerator<Part>, work: (part: Part) => Promise<void>): Promise<void> {
  const failures: unknown[] = [];
  const worker = async () => {
    while (failures.length === 0) {
      const { value: part, done } = await parts.next();
      if (done) return;
      await work(part);
    }
  };
  await Promise.all(Array.from({ length: PARTS }, () => worker().catch((error: unknown) => failures.push(error))));
  await parts.return(undefined);
  if (failures.length > 0) throw failures[0];
}

interface Decided {
  decisions: Decision[];
  refused: { phone: Phone; rule: string }[];
}

/** What becomes of each of these phones; refusals of a real order are put on record here. */
async function decide(
  tx: Tx,
  phones: readonly Phone[],
  { command, reason, dryRun }: BulkOrder,
  { actor, batchId }: { actor: Actor; batchId: string },
): Promise<Decided> {
  const inUse = phones.filter(isInUse);
  if (command === 'unlock')
    return {
      decisions: await mapInSlices(inUse, (phone) => unlocked(phone, reason), 'ahead'),
      refused: refusedAs(phones),
    };
  const offered = inUse.filter((phone) => mayAsk(actor, 'lock', phone.place));
  const isOffered = new Set(offered);
  const judged = await mapInSlices(
    offered,
    (phone) => {
      const level = manualLevel(phone, reason);
      return { phone, reason, ...judge(phone, { reason, level, trigger: 'manual' }) };
    },
    'ahead',
  );
  const refusals = judged.filter(({ verdict }) => !verdict.allowed);
  if (!dryRun) await recordRefusals(tx, refusals, { actor, batchId });
  return {
    decisions: judged
      .filter(({ verdict }) => verdict.allowed)
      .map(({ phone, verdict, facts }) => ({
        phone,
        changes: [{ cause: causeOf(reason), reason, level: verdict.requested_level, verdict, facts }],
      })),
    refused: [
      ...refusedAs(phones),
      ...inUse.filter((phone) => !isOffered.has(phone)).map((phone) => ({ phone, rule: 'FEATURE_NOT_OFFERED' })),
      ...refusals.map(({ phone, verdict }) => ({ phone, rule: verdict.rule })),
    ],
  };
}

const isInUse = ({ row }: Phone): boolean => row.enrolledAt !== null && row.releasedAt === null;
const refusedAs = (phones: readonly Phone[]): Decided['refused'] =>
  phones.filter((phone) => !isInUse(phone)).map((phone) => ({ phone, rule: 'NOT_ENROLLED' }));

/** @returns how many locks still fit into this hour. The higher access (`bulk_retailer`) is the approval of larger numbers. */
async function roomInHour(tx: Tx, actor: Actor): Promise<number> {
  if (actor.access.bulk_retailer === '1') return Infinity;
  await takeBulk(tx);
  const { lockedLastHour, phones } = await bulkUse(tx);
  return Math.max(0, Math.max(CAP_MIN, Math.floor(phones * CAP_SHARE)) - lockedLastHour);
}
