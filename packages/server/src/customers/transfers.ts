import * as audit from '#server/audit/audit.ts';
import type { Actor } from '#server/identity/identity.ts';
import type { Tx } from '#server/platform/database.ts';
import * as store from './store.ts';

/** From whom, to whom, which of them (null: all), and why. Whoever calls has asked whether the shops are the caller's. */
export interface Transfer {
  transfer_id: string;
  from_user_id: string;
  to_user_id: string;
  customer_ids: readonly string[] | null;
  reason: string;
  limit: number;
}

/** Customers of a shop, held for a transfer, in the order of their ids: two transfers meet in no circle. */
export const holdForTransfer = async (
  tx: Tx,
  { from_user_id, customer_ids, limit }: Pick<Transfer, 'from_user_id' | 'customer_ids' | 'limit'>,
): Promise<string[]> =>
  (await store.holdOfOwner.all(tx, { from_user_id, only: customer_ids, limit })).map(({ customer_id }) => customer_id);

/** They belong to the other shop from now on. @param ids as `holdForTransfer` gave them */
export async function passOn(tx: Tx, actor: Actor, ids: readonly string[], transfer: Transfer): Promise<void> {
  if (ids.length === 0) return;
  const { transfer_id, from_user_id, to_user_id, reason } = transfer;
  const made = { transfer_id, from_user_id, to_user_id, reason, made_by: actor.userId };
  await store.insertTransfers.run(tx, { ...made, customer_ids: ids });
  await store.changeOwner.run(tx, { customer_ids: ids, to_user_id });
  const datas = ids.map(() => ({ transfer_id, from_user_id, to_user_id, reason }));
  await audit.appendMany(tx, 'customer', ids, actor, 'customer_transferred', datas);
}

/** How many customers a shop has. */
export const countOf = async (tx: Tx, user_id: string): Promise<number> =>
  (await store.countOfOwner.one(tx, { user_id })).count;
