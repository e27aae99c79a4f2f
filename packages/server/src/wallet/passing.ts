import type { z } from 'zod';
import { NEEDS } from '@kist/contract/access';
import { KistError } from '@kist/contract/errors';
import type { planEndpoints } from '@kist/contract/plans';
import * as audit from '#server/audit/audit.ts';
import type { Actor } from '#server/identity/identity.ts';
import * as identity from '#server/identity/identity.ts';
import * as ledger from '#server/ledger/ledger.ts';
import { today } from '#server/platform/clock.ts';
import type { Tx } from '#server/platform/database.ts';
import { newId } from '#server/platform/ids.ts';
import { keysOfLots } from './rules.ts';
import * as store from './store.ts';

type Asked = z.output<typeof planEndpoints.transferKeys.body>;

/**
 * Keys pass from the retailer that asks to a mini-retailer of its own. Each stays of its type and its lot; those that are set aside for a phone stay. One
 * journal for each lot: the one shop has them less, the other more.
 * @returns how many passed, and how many of the type are left
 * @throws KistError NOT_FOUND for a shop that is not the caller's; FORBIDDEN for the caller's own; STATE_CONFLICT for one that is suspended; INSUFFICIENT_KEYS; FEATURE_NOT_ALLOWED;
 * SESSION_REQUIRED for a caller that was suspended meanwhile
 */
export async function transferKeys(tx: Tx, actor: Actor, asked: Asked): Promise<{ passed: number; left: number }> {
  identity.requires(actor, NEEDS.activate);
  const { to_user_id, plan_type, keys } = asked;
  const to = await identity.heldReceiver(tx, actor, to_user_id);
  if (to.parent_user_id !== actor.userId) throw new KistError('FORBIDDEN');
  if (!to.is_active) throw new KistError('STATE_CONFLICT', { internal: 'the shop is suspended' });
  const held = await store.holdKeys.all(tx, { user_id: actor.userId, plan_type });
  const parts = keysOfLots(held, keys);
  if (!parts) throw new KistError('INSUFFICIENT_KEYS', { params: { plan_type } });
  const transfer = { transfer_id: newId(), from_user_id: actor.userId, to_user_id, plan_type };
  // Wallets before the books, as whoever takes a key does, and the one above before the one below: nobody passes keys the other way.
  for (const part of parts) {
    await store.insertTransfer.run(tx, { ...transfer, ...part, made_by: actor.userId });
    await store.takeKeys.run(tx, { user_id: actor.userId, plan_type, ...part });
  }
  for (const part of parts) await store.addKeys.run(tx, { user_id: to_user_id, plan_type, ...part });
  await book(tx, transfer, parts);
  await audit.append(tx, {
    kind: 'user',
    id: to_user_id,
    actor,
    action: 'keys_passed',
    data: { ...transfer, keys, lots: parts },
  });
  return { passed: keys, left: held.reduce((sum, { available }) => sum + available, 0) - keys };
}

interface TakingBack extends z.output<typeof planEndpoints.takeBackKeys.body> {
  /** Said again under the same id it is done once. */
  transfer_id?: string;
}

/**
 * Keys come back from a mini-retailer to the retailer above, by that one's word or at the desk: those that it passed down and that are not used or set aside,
 * each of its type and its lot. What the shop has from elsewhere is its own. A suspended one gives back too.
 * @returns how many were taken, how many of the type are left with the shop below, and whether that was done now
 * @throws KistError NOT_FOUND for a shop that is not the caller's; FORBIDDEN for one that is below nobody, or below another; INSUFFICIENT_KEYS; IDEMPOTENCY_CONFLICT
 * for other keys under a known id; STATE_CONFLICT while the retailer is suspended; FEATURE_NOT_ALLOWED; SESSION_REQUIRED for a caller that was suspended meanwhile
 */
export async function takeBackKeys(
  tx: Tx,
  actor: Actor,
  { from_user_id, plan_type, keys, transfer_id = newId() }: TakingBack,
): Promise<{ taken: number; left: number; is_new: boolean }> {
  identity.requires(actor, NEEDS.activate);
  const { parent_user_id: to_user_id } = await identity.person(tx, actor, from_user_id);
  if (to_user_id === null || (actor.userType !== 'system' && to_user_id !== actor.userId))
    throw new KistError('FORBIDDEN');
  // The one above before the one below, people and wallets, as where keys pass down: nobody waits in a circle.
  const to = await identity.heldReceiver(tx, actor, to_user_id);
  if (!to.is_active) throw new KistError('STATE_CONFLICT', { internal: 'the retailer is suspended' });
  await identity.heldReceiver(tx, actor, from_user_id);
  const transfer = { transfer_id, from_user_id, to_user_id, plan_type };
  await store.holdWallet.all(tx, { user_id: to_user_id, plan_type });
  const held = await store.holdKeys.all(tx, { user_id: from_user_id, plan_type });
  const has = held.reduce((sum, { available }) => sum + available, 0);
  if (await wasTaken(tx, transfer, keys)) return { taken: keys, left: has, is_new: false };
  const passed = await store.passedDown.all(tx, { above: to_user_id, below: from_user_id, plan_type });
  const parts = keysOfLots(
    held.map(({ lot, available }) => ({
      lot,
      available: Math.min(available, passed.find((one) => one.lot === lot)?.keys ?? 0),
    })),
    keys,
  );
  if (!parts) throw new KistError('INSUFFICIENT_KEYS', { params: { plan_type } });
  for (const part of parts) await store.insertTransfer.run(tx, { ...transfer, ...part, made_by: actor.userId });
  for (const part of parts) await store.addKeys.run(tx, { user_id: to_user_id, plan_type, ...part });
  for (const part of parts) await store.takeKeys.run(tx, { user_id: from_user_id, plan_type, ...part });
  await book(tx, transfer, parts);
  const data = { ...transfer, keys, lots: parts };
  await audit.append(tx, { kind: 'user', id: from_user_id, actor, action: 'keys_taken_back', data });
  return { taken: keys, left: has - keys, is_new: true };
}

/** Whether these very keys were taken under this id. @throws KistError IDEMPOTENCY_CONFLICT where others were */
async function wasTaken(tx: Tx, { transfer_id, from_user_id, plan_type }: Transfer, keys: number): Promise<boolean> {
  const before = await store.transferred.all(tx, { transfer_id });
  if (before.length === 0) return false;
  const isSame = before.every((one) => one.from_user_id === from_user_id && one.plan_type === plan_type);
  if (!isSame || before.reduce((sum, one) => sum + one.keys, 0) !== keys) throw new KistError('IDEMPOTENCY_CONFLICT');
  return true;
}

interface Transfer {
  transfer_id: string;
  from_user_id: string;
  to_user_id: string;
  plan_type: number;
}

/** Both sides of each lot. */
async function book(
  tx: Tx,
  { transfer_id, from_user_id, to_user_id, plan_type }: Transfer,
  parts: NonNullable<ReturnType<typeof keysOfLots>>,
): Promise<void> {
  const businessOn = await today(tx);
  const code = 'keys_available';
  await ledger.postMany(
    tx,
    parts.map(({ lot, count: amount }) => ({
      effectKey: `key:pass:${transfer_id}:${lot}`,
      kind: 'keys_passed' as const,
      refKind: 'user' as const,
      refId: to_user_id,
      businessOn,
      lines: [
        { code, side: 'debit' as const, amount, planType: plan_type, ownerId: to_user_id, lot },
        { code, side: 'credit' as const, amount, planType: plan_type, ownerId: from_user_id, lot },
      ],
    })),
  );
}
