import type { Tx } from '#server/platform/database.ts';

/** Whether anybody could sell a phone in an organisation. */
export interface SellingState {
  retailers: number;
  plans: number;
  /** Keys that are free, of all shops and types. */
  keys: number;
}

/** What the organisation of this transaction has to sell with. */
export async function sellingState(tx: Tx): Promise<SellingState> {
  const { rows } = await tx.query<SellingState>(
    `select (select count(*)::int from users where org_id = kist_org() and user_type = 'retailer' and is_active) as retailers,
       (select count(*)::int from plans where org_id = kist_org() and is_active) as plans,
       (select coalesce(sum(available), 0)::int from wallets where org_id = kist_org()) as keys`,
  );
  return rows[0] ?? { retailers: 0, plans: 0, keys: 0 };
}
