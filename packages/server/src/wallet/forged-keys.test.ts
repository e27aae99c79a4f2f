import { beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { PLAN } from '@kist/contract/codes';
import { LIMITS } from '@kist/contract/limits';
import * as customers from '#server/customers/customers.ts';
import type { Actor } from '#server/identity/identity.ts';
import type { Tx } from '#server/platform/database.ts';
import { createTestDatabase } from '#test/database.ts';
import { giveKeys, makeOrganisation, makeRetailer, setClock } from '#test/factories.ts';
import * as wallet from './wallet.ts';

/** What somebody could write of keys who has the server's own account, and no check of the books sees. */
const ORG = 20;
const db = await createTestDatabase();
let shop: Actor;
let other: Actor;
let customer_id: string;

beforeAll(async () => {
  await makeOrganisation(db, ORG);
  shop = await makeRetailer(db, ORG);
  other = await makeRetailer(db, ORG);
  await setClock(db, '2026-04-10T11:00:00');
});
const inOrg = <T>(work: (tx: Tx) => Promise<T>) => db.transaction(ORG, work);
const begin = (actor: Actor) =>
  inOrg(async (tx) => (await customers.begin(tx, actor, { plan_id: 1, plan_type: PLAN.DPC })).customer_id);
beforeEach(async () => {
  await giveKeys(db, shop, { count: 2 });
  customer_id = await begin(shop);
});
const reserve = (of = customer_id) =>
  inOrg((tx) => wallet.reserve(tx, shop, { user_id: shop.userId, plan_type: PLAN.DPC, customer_id: of }));

test('a key of one shop is not set aside for the customer of another', async () => {
  const elsewhere = await begin(other);
  await expect(reserve(elsewhere)).rejects.toMatchObject({
    code: '23001',
    message: /^insert of key_reservations is refused: a key is set aside for a customer of its own shop/,
  });
  await reserve();
  expect(await db.read(ORG, (tx) => wallet.keyOf(tx, { customer_id }))).toBe('RESERVED');
});

test('nor is one of another kind of phone', async () => {
  await giveKeys(db, shop, { count: 1, planType: PLAN.LINKFL });
  const other_plan = { user_id: shop.userId, plan_type: PLAN.LINKFL, customer_id };
  await expect(inOrg((tx) => wallet.reserve(tx, shop, other_plan))).rejects.toThrow('it is a key of another plan');
});

const { keyReservationDays: days } = LIMITS;
describe('a key is set aside now, and for seven days at most', () => {
  const insert = (reservedAt: string, expiresAt: string, settledAt = 'null') =>
    inOrg((tx) =>
      tx.query(
        `insert into key_reservations (org_id, customer_id, user_id, plan_type, lot, state, reserved_at, expires_at, settled_at)
         select $1, $2, $3, 0, 'paid', case when s.at is null then 'reserved' else 'posted' end, ${reservedAt}, ${expiresAt}, s.at from (select (${settledAt})::timestamptz as at) s`,
        [ORG, customer_id, shop.userId],
      ),
    );
  test.each([
    ['for longer', 'kist_now()', `kist_now() + interval '${days} days 1 second'`, 'null'],
    ['from before', `kist_now() - interval '1 day'`, 'kist_now()', 'null'],
    ['till before', 'kist_now()', `kist_now() - interval '1 second'`, 'null'],
    ['and settled a month back', 'kist_now()', 'kist_now()', `kist_now() - interval '30 days'`],
  ])('not %s', async (_what, reservedAt, expiresAt, settledAt) => {
    await expect(insert(reservedAt, expiresAt, settledAt)).rejects.toThrow(
      'insert of key_reservations is refused: a key is set aside now',
    );
  });

  const update = (set: string) =>
    inOrg((tx) => tx.query(`update key_reservations set ${set} where customer_id = $1`, [customer_id]));
  test.each([
    ['kept till 2999', `expires_at = '2999-01-01'`],
    ['cut short', `expires_at = expires_at - interval '1 day'`],
    ['settled while it waits', 'settled_at = kist_now()'],
    ['spent a month back', `state = 'posted', settled_at = kist_now() - interval '30 days'`],
    ['given back at no moment', `state = 'voided'`],
    [
      'kept longer as it is spent',
      `state = 'posted', settled_at = kist_now(), expires_at = expires_at + interval '0.001 seconds'`,
    ],
  ])('nor is it %s', async (_what, set) => {
    await reserve();
    await expect(update(set)).rejects.toThrow('update of key_reservations is refused: a key is settled when');
  });

  test('and once it is spent its moments stay', async () => {
    await reserve();
    expect(await inOrg((tx) => wallet.spend(tx, shop, { customer_id }))).toBe(true);
    for (const set of [`settled_at = '2025-01-01'`, 'settled_at = null', `expires_at = kist_now() + interval '6 days'`])
      await expect(update(set)).rejects.toThrow('update of key_reservations is refused: a key is settled when');
  });

  test('a code that is made later keeps it as long as the code is good', async () => {
    await reserve();
    await setClock(db, '2026-04-17T10:00:00');
    const key = { user_id: shop.userId, plan_type: PLAN.DPC, customer_id, isNew: true };
    await inOrg((tx) => wallet.ensureKey(tx, shop, key));
    const [kept] = await db.asOwner(
      'select expires_at > reserved_at + make_interval(days => $2) as is_longer from key_reservations where customer_id = $1',
      [customer_id, days],
    );
    expect(kept).toEqual({ is_longer: true });
    await setClock(db, '2026-04-10T11:00:00');
  });
});

test('what a key costs is set when that is written', async () => {
  const price = (sql: string) => inOrg((tx) => tx.query(sql));
  const insert = (at: string) =>
    price(`insert into key_prices (org_id, plan_type, price_paise, set_at) values (${ORG}, 0, 5000, ${at})`);
  await expect(insert(`'2020-01-01'`)).rejects.toThrow('insert of key_prices is refused: it is set when');
  await insert('kist_now()');
  for (const set of [`set_at = '2020-01-01'`, 'price_paise = 1', `price_paise = 1, set_at = '2099-01-01'`])
    await expect(price(`update key_prices set ${set}`)).rejects.toThrow(
      'update of key_prices is refused: it is set when',
    );
  await price('update key_prices set price_paise = 1, set_at = kist_now()');
});
