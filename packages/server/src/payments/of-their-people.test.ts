import { afterEach, beforeAll, expect, test } from 'vitest';
import { account, shopNo } from '#server/agreements/agreements.ts';
import * as customers from '#server/customers/customers.ts';
import { type Actor, suspendPerson } from '#server/identity/identity.ts';
import { checkBooks } from '#server/ledger/ledger.ts';
import { newId } from '#server/platform/ids.ts';
import { createTestDatabase } from '#test/database.ts';
import {
  makeAdmin,
  makeBuyer,
  makeOrganisation,
  makePenalRule,
  makeRetailer,
  makeSale,
  setClock,
} from '#test/factories.ts';
import { quietPayments } from '#test/quiet-payments.ts';
import { chargeByHand } from './payments.ts';

/** What somebody could write of payments who has the server's own account, or a service that asks nobody. */
const ORG = 20;
const db = await createTestDatabase();
const payments = quietPayments();
let above: Actor;
let shop: Actor;
let sale: Awaited<ReturnType<typeof makeSale>>;
let instalment_id: string;

beforeAll(async () => {
  await makeOrganisation(db, ORG);
  await setClock(db, '2026-04-10T11:00:00');
  await makePenalRule(db, ORG);
  above = await makeRetailer(db, ORG);
  shop = await makeRetailer(db, ORG, above);
  sale = await db.transaction(ORG, (tx) => makeSale(tx, shop));
  const { instalmentIds } = await db.read(ORG, (tx) => account(tx, { agreement_id: sale.agreement.agreement_id }));
  instalment_id = instalmentIds.get(1)!;
});
afterEach(() => db.asOwner('drop function if exists forge() cascade'));

/** As a service would that does not ask whose customer it is. */
const seesAll = (actor: Actor): Actor => ({ ...actor, visibleOwnerIds: [shop.userId, actor.userId] });
const pay = (actor: Actor, method = 'CASH', reference = '') =>
  db.transaction(ORG, (tx) =>
    payments.record(tx, seesAll(actor), { instalment_id, amount: 10_00, method: method as 'CASH', reference }),
  );
const takeBack = (actor: Actor, payment_id: string) =>
  db.transaction(ORG, (tx) => payments.reverse(tx, seesAll(actor), payment_id, 'never came in'));

test('the shop, the retailer above it and the administrator take money and take it back', async () => {
  for (const actor of [shop, above, await makeAdmin(db, ORG)]) {
    const { payment_id, amount_paise } = await pay(actor);
    expect(amount_paise).toBe(10_00);
    await takeBack(actor, payment_id);
  }
});

test('no shop takes money of a customer that it has nothing to do with, or takes it back', async () => {
  const stranger = await makeRetailer(db, ORG);
  const below = await makeRetailer(db, ORG, above);
  const { payment_id } = await pay(shop);
  for (const actor of [stranger, below]) {
    await expect(pay(actor)).rejects.toThrow('who does it is nobody who answers for this customer');
    await expect(takeBack(actor, payment_id)).rejects.toThrow('who does it is nobody who answers for this customer');
  }
});

test('a shop that is suspended takes nothing and takes nothing back; what was under way then ends as it began', async () => {
  const [admin, closed] = [await makeAdmin(db, ORG), await makeRetailer(db, ORG)];
  const sold = await db.transaction(ORG, (tx) => makeSale(tx, closed));
  const { instalmentIds } = await db.read(ORG, (tx) => account(tx, sold.agreement));
  const given = { instalment_id: instalmentIds.get(1)!, amount: 10_00, method: 'CASH', reference: '' } as const;
  const take = () => db.transaction(ORG, (tx) => payments.record(tx, closed, given));
  const charge = () =>
    db.transaction(ORG, (tx) => chargeByHand(tx, { send: async () => 0 }, closed, { customer_id: sold.customerId }));
  await db.transaction(ORG, (tx) => suspendPerson(tx, admin, { user_id: closed.userId, reason: 'closed' }));
  const { payment_id } = await take();
  await setClock(db, '2026-04-10T11:03:00');
  await expect(take()).rejects.toThrow('who does it is nobody who answers for this customer');
  await expect(charge()).rejects.toThrow('who does it is nobody who answers for this customer');
  await expect(db.transaction(ORG, (tx) => payments.reverse(tx, closed, payment_id, 'never came in'))).rejects.toThrow(
    'who does it is nobody who answers for this customer',
  );
  expect((await db.read(ORG, (tx) => checkBooks(tx))).differences).toEqual([]);
});

test('a suspension stays as of when it began, whoever dates it anew, and begins now', async () => {
  const closed = await makeRetailer(db, ORG);
  const asServer = (text: string) =>
    db.transaction(ORG, (tx) =>
      tx.query(`update users set ${text} where user_id = $1 returning suspended_at`, [closed.userId]),
    );
  await asServer(`is_active = false, suspended_at = '2046-01-01'`);
  const [{ is_now }] = (await db.asOwner<{ is_now: boolean }>(
    `select abs(extract(epoch from suspended_at - kist_now())) < 60 as is_now from users where user_id = $1`,
    [closed.userId],
  )) as [{ is_now: boolean }];
  expect(is_now).toBe(true);
  for (const anew of ['suspended_at = kist_now()', 'suspended_at = null', `suspended_at = '2046-01-01'`])
    await expect(asServer(anew)).rejects.toThrow('a suspension stays as of when it began');
  // Which suspension it is, by their order, is the database's to say.
  await expect(asServer('suspended_no = 1')).rejects.toThrow('permission denied');
  await expect(db.asOwner('update users set suspended_no = 1 where user_id = $1', [closed.userId])).rejects.toThrow(
    'a suspension stays as of when it began',
  );
  await asServer('is_active = true, suspended_at = null');
  await expect(asServer('suspended_at = kist_now()')).rejects.toThrow('a suspension stays as of when it began');
});

test('an administrator charges no late fee by hand, and nobody but a customer claims', async () => {
  const admin = seesAll(await makeAdmin(db, ORG));
  const charge = (actor: Actor) =>
    db.transaction(ORG, (tx) => chargeByHand(tx, { send: async () => 0 }, actor, { customer_id: sale.customerId }));
  await expect(charge(admin)).rejects.toThrow('who does it is nobody who answers for this customer');
  expect(await charge(shop)).toHaveProperty('charge_id');
  const claim = (userId: string) => {
    const person: Actor = {
      ...shop,
      userId,
      userType: 'customer',
      visibleOwnerIds: [],
      customerIds: [sale.customerId],
    };
    const given = { payment_id: newId(), amount: 10_00, method: 'CASH', reference: '', again: true } as const;
    return db.transaction(ORG, (tx) => payments.claim(tx, person, given));
  };
  const other = await db.transaction(ORG, (tx) => makeSale(tx, shop));
  const { userId: neighbour } = await makeBuyer(db, shop, other.customerId);
  for (const who of [newId(), shop.userId, admin.userId, neighbour])
    await expect(claim(who)).rejects.toThrow('who claims it is not this customer');
  const { userId } = await makeBuyer(db, shop, sale.customerId);
  expect(await claim(userId)).toMatchObject({ state: 'claimed' });
  // The number goes to somebody else: what was under way then ends as it began.
  await db.transaction(ORG, async (tx) => {
    const customer = await customers.authorizeToChange(tx, shop, { customer_id: sale.customerId });
    await customers.change(tx, shop, { customer, fields: { mobile: '+919811111111' } });
  });
  expect(await claim(userId)).toMatchObject({ state: 'claimed' });
  await setClock(db, '2026-04-10T11:06:00');
  await expect(claim(userId)).rejects.toThrow('who claims it is not this customer');
  expect((await db.read(ORG, (tx) => checkBooks(tx))).differences).toEqual([]);
});

test('only who answers for the customer puts money up for approval', async () => {
  const stranger = await makeRetailer(db, ORG);
  await makeOrganisation(db, ORG + 1);
  const foreign = await makeRetailer(db, ORG + 1);
  const wait = (by: string, movedBy = by) =>
    db.transaction(ORG, async (tx) => {
      const id = newId();
      await tx.query(
        `insert into payments (org_id, payment_id, agreement_id, customer_id, amount_paise, method, paid_at, paid_on, recorded_at, recorded_by, state)
         values (kist_org(), $1, $2, $3, 100, 'CASH', kist_now(), kist_today(), kist_now(), $4, 'pending_approval')`,
        [id, sale.agreement.agreement_id, sale.customerId, by],
      );
      await tx.query(
        `insert into payment_moves (org_id, payment_id, no, from_state, to_state, moved_by, moved_at, reason)
         values (kist_org(), $1, 1, '', 'pending_approval', $2, kist_now(), 'by phone')`,
        [id, movedBy],
      );
    });
  for (const who of [stranger.userId, foreign.userId, newId()]) {
    await expect(wait(who)).rejects.toThrow('insert of payments is refused: who does it is nobody who answers');
    await expect(wait(shop.userId, who)).rejects.toThrow('insert of payment_moves is refused: who does it is nobody');
  }
  await wait(shop.userId);
});

test('two payments never stand with one transfer, whatever is said to be held', async () => {
  // However it was typed: by a keyboard of another language, or copied with what a page puts between.
  for (const typed of ['upi 4711', 'straße 12', 'ıi-99', 'ŉ 7', 'a\u00a0b', 'c\ufeffd', 'e\u2003f'])
    expect(await pay(shop, 'UPI', typed)).toHaveProperty('receipt_no');
  await expect(pay(shop, 'UPI', 'UPI4711')).rejects.toMatchObject({ code: 'REFERENCE_USED' });
  const cash = await pay(shop, 'CASH', 'a note');
  const hold = (of: string) =>
    db.transaction(ORG, (tx) => tx.query(`update payments set held_reference = 'X' where payment_id = $1`, [of]));
  await expect(hold(cash.payment_id)).rejects.toThrow('another reference is held than it has');
  for (const held of [`'4711'`, 'null']) {
    await db.asOwner(
      `create or replace function forge() returns trigger language plpgsql as $$ begin new.held_reference := ${held}; return new; end $$;
       create or replace trigger a_forger before insert on payments for each row execute function forge();
       alter table payments enable always trigger a_forger`,
    );
    await expect(pay(shop, 'UPI', 'UPI4712')).rejects.toThrow('another reference is held than it has');
  }
});

test('a shop’s number is the next one: none is taken ahead, and none is another’s', async () => {
  const taken = await db.transaction(ORG, (tx) => shopNo(tx, { user_id: shop.userId }));
  const { userId } = await makeRetailer(db, ORG);
  const mint = (last: number) =>
    db.transaction(ORG, (tx) =>
      tx.query('insert into counters (org_id, name, last) values ($1, $2, $3)', [ORG, `shop:${userId}`, last]),
    );
  for (const no of [taken, taken + 1, 999_999])
    await expect(mint(no)).rejects.toThrow(`${no} is not the next number of a shop`);
  const next = await makeRetailer(db, ORG);
  expect(await db.transaction(ORG, (tx) => shopNo(tx, { user_id: next.userId }))).toBeGreaterThan(taken);
});
