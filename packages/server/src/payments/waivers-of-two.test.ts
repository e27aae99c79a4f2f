import { beforeAll, beforeEach, expect, test } from 'vitest';
import type { Actor } from '#server/identity/identity.ts';
import { whatWaits } from '#server/locking/locking.ts';
import type { Tx } from '#server/platform/database.ts';
import { createTestDatabase } from '#test/database.ts';
import {
  makeAdmin,
  makeCharge,
  makeOrganisation,
  makePenalRule,
  makeRetailer,
  makeSale,
  moveAgreement,
  setClock,
} from '#test/factories.ts';
import { bellLines } from '#test/rung.ts';
import { decideWaiver, waivePenalty } from './payments.ts';

const ORG = 20;
const db = await createTestDatabase();
const notices = { send: async () => 0 };
let shop: Actor;
let below: Actor;
let admin: Actor;
beforeAll(async () => {
  await makeOrganisation(db, ORG);
  shop = await makeRetailer(db, ORG);
  below = await makeRetailer(db, ORG, shop);
  admin = await makeAdmin(db, ORG);
  await makePenalRule(db, ORG);
  await setClock(db, '2026-04-10T11:00:00');
});

const inOrg = <T>(work: (tx: Tx) => Promise<T>) => db.transaction(ORG, work);
let sale: Awaited<ReturnType<typeof makeSale>>;
let charge_id: string;
let waiver_id: string;
/** The mini-retailer asks for a whole late fee of its customer's. */
beforeEach(async () => {
  sale = await inOrg((tx) => makeSale(tx, below));
  charge_id = await makeCharge(db, ORG, { customer_id: sale.customerId, amount: 100_00 });
  ({ waiver_id } = await ask(below));
});
const ask = (actor: Actor) => inOrg((tx) => waivePenalty(tx, notices, actor, { charge_id, reason: 'was ill' }));
const decide = (actor: Actor, is_granted = true) =>
  inOrg((tx) => decideWaiver(tx, notices, actor, { waiver_id, is_granted }));
const waits = async (actor: Actor) =>
  (await db.read(ORG, (tx) => whatWaits(tx, actor, { page: 1, page_size: 100 }))).list.filter(
    ({ id }) => id === waiver_id,
  );
const rung = async (actor: Actor) =>
  (await bellLines(db, actor)).filter(({ kind, data }) => kind === 'waiver_asked' && data['waiver_id'] === waiver_id);

test('what a mini-retailer asks its retailer does not grant, by the app or by hand: it is the same person twice', async () => {
  await expect(decide(shop)).rejects.toMatchObject({ code: 'SECOND_PERSON_REQUIRED' });
  const byHand = inOrg((tx) =>
    tx.query(`update waivers set state = 'granted', decided_by = $2, decided_at = kist_now() where waiver_id = $1`, [
      waiver_id,
      shop.userId,
    ]),
  );
  await expect(byHand).rejects.toThrow('who grants it answers neither for the shop nor for the organisation');
  expect(await decide(admin)).toMatchObject({ state: 'granted', left_paise: 0 });
});

test('nobody grants it by hand without its journal, who may grant it neither: the fee stays owed', async () => {
  const byHand = inOrg((tx) =>
    tx.query(`update waivers set state = 'granted', decided_by = $2, decided_at = kist_now() where waiver_id = $1`, [
      waiver_id,
      admin.userId,
    ]),
  );
  await expect(byHand).rejects.toMatchObject({ code: '23514' });
  expect(await decide(admin, false)).toMatchObject({ state: 'refused', left_paise: 100_00 });
});

test('its retailer says no to it, as before', async () => {
  expect(await decide(shop, false)).toMatchObject({ state: 'refused', left_paise: 100_00 });
});

test('the administrator hears of it and finds it where all that takes two waits, with the sum and without the customer', async () => {
  expect(await rung(admin)).toMatchObject([{ data: { amount_paise: 100_00 }, customer_id: null }]);
  expect([await rung(shop), await rung(below)]).toEqual([[], []]);
  expect(await waits(admin)).toMatchObject([
    {
      kind: 'waiver',
      reason: null,
      note: 'was ill',
      amount_paise: 100_00,
      phones: 0,
      customer_id: null,
      customer_name: '',
      is_own: false,
      may_agree: true,
      ends_at: null,
    },
  ]);
  await decide(admin);
  expect(await waits(admin)).toEqual([]);
});

test('so it is with what a retailer asks, of its own customer or of one below', async () => {
  await decide(below, false);
  ({ waiver_id } = await ask(shop));
  expect(await rung(admin)).toHaveLength(1);
  const seen = { customer_id: sale.customerId, may_agree: false };
  expect([await waits(shop), await waits(below)]).toMatchObject([
    [{ ...seen, is_own: true }],
    [{ ...seen, is_own: false }],
  ]);
  expect(await waits(await makeRetailer(db, ORG))).toEqual([]);
  await expect(decide(below)).rejects.toMatchObject({ code: 'SECOND_PERSON_REQUIRED' });
  await decide(admin);
});

test('it waits no more where nobody could grant it: who asked is gone, or the agreement was cancelled', async () => {
  await db.asOwner(`update users set is_active = false where user_id = $1`, [below.userId]);
  expect(await waits(admin)).toEqual([]);
  await db.asOwner(`update users set is_active = true where user_id = $1`, [below.userId]);
  expect(await waits(admin)).toHaveLength(1);
  await moveAgreement(db, sale.agreement.agreement_id, 'cancelled');
  expect(await waits(admin)).toEqual([]);
});
