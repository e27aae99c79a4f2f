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
