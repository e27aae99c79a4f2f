import type { Tx } from '#server/platform/database.ts';

export type Lot = 'paid' | 'granted';

/** Takes one key out of the first lot that has one (granted before paid). @returns the lot, or null when there is none. */
export async function takeOne(tx: Tx, userId: string, planType: number): Promise<Lot | null> {
  const { rows } = await tx.query<{ lot: Lot }>(
    `update wallets set available = available - 1, reserved = reserved + 1
     where (org_id, user_id, plan_type, lot) = (
       select org_id, user_id, plan_type, lot from wallets
       where user_id = $1 and plan_type = $2 and available > 0 order by lot limit 1 for update)
     returning lot`,
    [userId, planType],
  );
  return rows[0]?.lot ?? null;
}

export async function insertReservation(
  tx: Tx,
  row: { customerId: string; userId: string; planType: number; lot: Lot; days: number },
): Promise<void> {
  await tx.query(
    `insert into key_reservations (org_id, customer_id, user_id, plan_type, lot, state, reserved_at, expires_at)
     values (kist_org(), $1, $2, $3, $4, 'reserved', kist_now(), kist_now() + make_interval(days => $5))`,
    [row.customerId, row.userId, row.planType, row.lot, row.days],
  );
}

/** A customer's open reservation lasts for so many seconds yet, at least. */
export async function keepReserved(tx: Tx, customerId: string, seconds: number): Promise<void> {
  await tx.query(
    `update key_reservations set expires_at = greatest(expires_at, kist_now() + make_interval(secs => $2)) where customer_id = $1 and state = 'reserved'`,
    [customerId, seconds],
  );
}

/** Settles the open reservation of a customer. @returns it, or null when none is open. */
export async function settle(tx: Tx, customerId: string, state: 'posted' | 'voided') {
  const { rows } = await tx.query<{ user_id: string; plan_type: number; lot: Lot; reserved_at: Date }>(
    `with r as (
       update key_reservations set state = $2, settled_at = kist_now() where customer_id = $1 and state = 'reserved'
       returning user_id, plan_type, lot, reserved_at
     ), w as (
       update wallets w set reserved = reserved - 1, available = available + case when $2 = 'voided' then 1 else 0 end
       from r where w.user_id = r.user_id and w.plan_type = r.plan_type and w.lot = r.lot
     )
     select * from r`,
    [customerId, state],
  );
  return rows[0] ?? null;
}

export async function addKeys(tx: Tx, userId: string, planType: number, lot: Lot, count: number): Promise<void> {
  await tx.query(
    `insert into wallets (org_id, user_id, plan_type, lot, available) values (kist_org(), $1, $2, $3, $4)
     on conflict (org_id, user_id, plan_type, lot) do update set available = wallets.available + excluded.available`,
    [userId, planType, lot, count],
  );
}

/** What became of a customer's keys: one set aside now (`isOpen`), whose time is over (`isOverdue`), and one spent before. */
export async function keyFacts(
  tx: Tx,
  customerId: string,
): Promise<{ isOpen: boolean; isOverdue: boolean; isSpent: boolean }> {
  const { rows } = await tx.query<{ isOpen: boolean; isOverdue: boolean; isSpent: boolean }>(
    `select coalesce(bool_or(state = 'reserved'), false) as "isOpen", coalesce(bool_or(state = 'reserved' and expires_at <= kist_now()), false) as "isOverdue",
       coalesce(bool_or(state = 'posted'), false) as "isSpent"
     from key_reservations where customer_id = $1`,
    [customerId],
  );
  return rows[0]!;
}

/**
 * Customers whose reservation has run out, oldest first, taken for this transaction all at once: taken one by one, each after a wallet, they would meet
 * a phone that enrols in a circle. One that is enrolling right now is left out.
 */
export async function takeExpired(tx: Tx, limit: number): Promise<string[]> {
  const { rows } = await tx.query<{ customer_id: string }>(
    `select customer_id from key_reservations where state = 'reserved' and expires_at <= kist_now() order by expires_at limit $1 for update skip locked`,
    [limit],
  );
  return rows.map((row) => row.customer_id);
}

export async function balances(tx: Tx, userId: string) {
  const { rows } = await tx.query<{ plan_type: number; paid: number; granted: number; reserved: number }>(
    `select plan_type, coalesce(sum(available) filter (where lot = 'paid'), 0)::int as paid,
       coalesce(sum(available) filter (where lot = 'granted'), 0)::int as granted, sum(reserved)::int as reserved
     from wallets where user_id = $1 group by plan_type order by plan_type`,
    [userId],
  );
  return rows;
}
