import { as, bool, float8, int4, int8, known, text, timestamptz, uuid } from '#server/platform/column-types.ts';
import { statement } from '#server/platform/statement.ts';

export type Lot = 'paid' | 'granted';
const lot = as<Lot>()(text);

/** Takes one key out of the first lot that has one (granted before paid); no row where none has. */
export const takeOne = statement({
  name: 'wallet.take_one',
  takes: { user_id: uuid, plan_type: int4 },
  gives: { lot },
  text: `
    update wallets set available = available - 1, reserved = reserved + 1
    where org_id = $1 and user_id = $user_id and plan_type = $plan_type and lot = (
      select lot from wallets
      where org_id = $1 and user_id = $user_id and plan_type = $plan_type and available > 0 order by lot limit 1 for update)
    returning lot`,
});

export const insertReservation = statement({
  name: 'wallet.insert_reservation',
  takes: { customer_id: uuid, user_id: uuid, plan_type: int4, lot, days: int4 },
  text: `
    insert into key_reservations (org_id, customer_id, user_id, plan_type, lot, state, reserved_at, expires_at)
    values ($1, $customer_id, $user_id, $plan_type, $lot, 'reserved', kist_now(), kist_now() + make_interval(days => $days))`,
});

/** A customer's open reservation lasts for so many seconds yet, at least. */
export const keepReserved = statement({
  name: 'wallet.keep_reserved',
  takes: { customer_id: uuid, seconds: float8 },
  text: `
    update key_reservations set expires_at = greatest(expires_at, kist_now() + make_interval(secs => $seconds))
    where org_id = $1 and customer_id = $customer_id and state = 'reserved'`,
});

/** Settles the open reservation of a customer; no row where none is open. */
export const settle = statement({
  name: 'wallet.settle',
  takes: { customer_id: uuid, state: as<'posted' | 'voided'>()(text) },
  gives: { user_id: uuid, plan_type: int4, lot, reserved_at: timestamptz },
  text: `
    with settled as (
      update key_reservations set state = $state, settled_at = kist_now()
      where org_id = $1 and customer_id = $customer_id and state = 'reserved'
      returning user_id, plan_type, lot, reserved_at
    ), returned as (
      update wallets w set reserved = reserved - 1, available = available + case when $state = 'voided' then 1 else 0 end
      from settled s where w.org_id = $1 and w.user_id = s.user_id and w.plan_type = s.plan_type and w.lot = s.lot
    )
    select user_id, plan_type, lot, reserved_at from settled`,
});

/** What the keys of a journal rest on, once for each effect; no row where it was granted before. */
export const insertGrant = statement({
  name: 'wallet.insert_grant',
  takes: { effect_key: text, user_id: uuid, plan_type: int4, lot, count: int4 },
  gives: { effect_key: text },
  text: `
    insert into key_grants (org_id, effect_key, user_id, plan_type, lot, keys, granted_at)
    values ($1, $effect_key, $user_id, $plan_type, $lot, $count, kist_now())
    on conflict (org_id, effect_key) do nothing returning effect_key`,
});

export const addKeys = statement({
  name: 'wallet.add_keys',
  takes: { user_id: uuid, plan_type: int4, lot, count: int4 },
  text: `
    insert into wallets (org_id, user_id, plan_type, lot, available) values ($1, $user_id, $plan_type, $lot, $count)
    on conflict (org_id, user_id, plan_type, lot) do update set available = wallets.available + excluded.available`,
});

/** The keys of one type that a shop has to spend, by lot, given ones before paid ones, held until the transaction ends. */
export const holdKeys = statement({
  name: 'wallet.hold_keys',
  takes: { user_id: uuid, plan_type: int4 },
  gives: { lot, available: int4 },
  text: `
    select lot, available from wallets
    where org_id = $1 and user_id = $user_id and plan_type = $plan_type and available > 0 order by lot for update`,
});

/** All lots of a type that a shop has, also one without a key, held until the transaction ends. */
export const holdWallet = statement({
  name: 'wallet.hold_wallet',
  takes: { user_id: uuid, plan_type: int4 },
  gives: { lot },
  text: `select lot from wallets where org_id = $1 and user_id = $user_id and plan_type = $plan_type order by lot for update`,
});

/** How many keys of a type can come back from a shop to the retailer above: passed down, and not used or set aside since; by lot. */
export const passedDown = statement({
  name: 'wallet.passed_down',
  takes: { above: uuid, below: uuid, plan_type: int4 },
  gives: { lot, keys: known(int4) },
  text: `
    select w.lot, kist_keys_to_come_back($1, $above, $below, $plan_type, w.lot)::int as keys from wallets w
    where w.org_id = $1 and w.user_id = $below and w.plan_type = $plan_type`,
});

/** What passed under an id. */
export const transferred = statement({
  name: 'wallet.transferred',
  takes: { transfer_id: uuid },
  gives: { from_user_id: uuid, plan_type: int4, keys: int4 },
  text: `select from_user_id, plan_type, keys from key_transfers where org_id = $1 and transfer_id = $transfer_id`,
});

export const takeKeys = statement({
  name: 'wallet.take_keys',
  takes: { user_id: uuid, plan_type: int4, lot, count: int4 },
  text: `
    update wallets set available = available - $count
    where org_id = $1 and user_id = $user_id and plan_type = $plan_type and lot = $lot`,
});

/** What the journal of keys that pass on rests on. */
export const insertTransfer = statement({
  name: 'wallet.insert_transfer',
  takes: { transfer_id: uuid, lot, from_user_id: uuid, to_user_id: uuid, plan_type: int4, count: int4, made_by: uuid },
  text: `
    insert into key_transfers (org_id, transfer_id, lot, from_user_id, to_user_id, plan_type, keys, made_by, made_at, txid)
    values ($1, $transfer_id, $lot, $from_user_id, $to_user_id, $plan_type, $count, $made_by, kist_now(), pg_current_xact_id())`,
});

/** What became of a customer's keys: one set aside now, whose time may be over, and one spent before. */
export const keyFacts = statement({
  name: 'wallet.key_facts',
  takes: { customer_id: uuid },
  gives: { is_open: bool, is_overdue: bool, is_spent: bool },
  text: `
    select coalesce(bool_or(state = 'reserved'), false) as is_open,
      coalesce(bool_or(state = 'reserved' and expires_at <= kist_now()), false) as is_overdue,
      coalesce(bool_or(state = 'posted'), false) as is_spent
    from key_reservations where org_id = $1 and customer_id = $customer_id`,
});

/**
 * Gives back the keys whose reservation has run out, oldest first: taken all at once, for one by one, each after a wallet, they would meet a phone that enrols
 * in a circle. One that is enrolling right now is left out.
 */
export const voidExpired = statement({
  name: 'wallet.void_expired',
  takes: { limit: int8 },
  gives: { customer_id: uuid, user_id: uuid, plan_type: int4, lot, reserved_at: timestamptz },
  text: `
    with expired as (
      select customer_id, reserved_at from key_reservations where org_id = $1 and state = 'reserved' and expires_at <= kist_now()
      order by expires_at limit $limit for update skip locked
    ), voided as (
      update key_reservations r set state = 'voided', settled_at = kist_now() from expired e
      where r.org_id = $1 and r.customer_id = e.customer_id and r.reserved_at = e.reserved_at
      returning r.customer_id, r.user_id, r.plan_type, r.lot, r.reserved_at
    ), returned as (
      select user_id, plan_type, lot, count(*)::int as keys from voided group by user_id, plan_type, lot
    ), credited as (
      update wallets w set reserved = w.reserved - t.keys, available = w.available + t.keys
      from returned t where w.org_id = $1 and w.user_id = t.user_id and w.plan_type = t.plan_type and w.lot = t.lot
    )
    select customer_id, user_id, plan_type, lot, reserved_at from voided`,
});

/** Keys of a user by plan type. */
export const balances = statement({
  name: 'wallet.balances',
  takes: { user_id: uuid },
  gives: { plan_type: int4, paid: int4, granted: int4, reserved: int4 },
  text: `
    select plan_type, coalesce(sum(available) filter (where lot = 'paid'), 0)::int as paid,
      coalesce(sum(available) filter (where lot = 'granted'), 0)::int as granted, sum(reserved)::int as reserved
    from wallets where org_id = $1 and user_id = $user_id group by plan_type order by plan_type`,
});
