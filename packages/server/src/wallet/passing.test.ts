import { beforeAll, describe, expect, test } from 'vitest';
import { PLAN } from '@kist/contract/codes';
import * as audit from '#server/audit/audit.ts';
import * as customers from '#server/customers/customers.ts';
import type { Actor } from '#server/identity/identity.ts';
import * as identity from '#server/identity/identity.ts';
import { booksOf } from '#server/ledger/ledger.ts';
import type { Tx } from '#server/platform/database.ts';
import { newId } from '#server/platform/ids.ts';
import { createTestDatabase } from '#test/database.ts';
import { giveKeys, makeAdmin, makeOrganisation, makeRetailer } from '#test/factories.ts';
import * as wallet from './wallet.ts';

const [ORG, OTHER] = [20, 21];
const db = await createTestDatabase();
let admin: Actor;

beforeAll(async () => {
  await makeOrganisation(db, ORG);
  await makeOrganisation(db, OTHER);
  admin = await makeAdmin(db, ORG);
});
const inOrg = <T>(work: (tx: Tx) => Promise<T>) => db.transaction(ORG, work);

/** A retailer with so many given and paid keys, and two shops below it. */
async function family({ granted = 0, paid = 0 }: { granted?: number; paid?: number }) {
  const shop = await makeRetailer(db, ORG);
  const [mini, sister] = [await makeRetailer(db, ORG, shop), await makeRetailer(db, ORG, shop)];
  if (granted > 0) await giveKeys(db, shop, { lot: 'granted', count: granted });
  if (paid > 0) await giveKeys(db, shop, { lot: 'paid', count: paid });
  return { shop, mini, sister };
}
const pass = (by: Actor, to: Actor, keys: number, plan_type: number = PLAN.DPC) =>
  inOrg((tx) => wallet.transferKeys(tx, by, { to_user_id: to.userId, plan_type, keys }));
const back = (by: Actor, from: Actor, keys: number, plan_type: number = PLAN.DPC) =>
  inOrg((tx) => wallet.takeBackKeys(tx, by, { from_user_id: from.userId, plan_type, keys }));
const keysOf = async ({ userId }: Actor) =>
  (await db.read(ORG, (tx) => wallet.keysOf(tx, userId))).map(({ plan_type, paid, granted, reserved }) => [
    plan_type,
    { paid, granted, reserved },
  ]);
const code = (promise: Promise<unknown>) =>
  promise.then(
    () => 'accepted',
    (error: { code?: string }) => error.code,
  );
const faults = async () => (await db.read(ORG, (tx) => booksOf(tx, admin))).differences;

describe('keys pass down', () => {
  test('of their type and their lots: those that were given go first, the others and those set aside stay', async () => {
    const { shop, mini } = await family({ granted: 2, paid: 5 });
    await giveKeys(db, shop, { planType: PLAN.LINKFL, count: 3 });
    await inOrg(async (tx) => {
      const { customer_id } = await customers.begin(tx, shop, { plan_id: 1, plan_type: PLAN.DPC });
      await wallet.reserve(tx, shop, { user_id: shop.userId, plan_type: PLAN.DPC, customer_id });
    });
    expect(await pass(shop, mini, 3)).toEqual({ passed: 3, left: 3 });
    expect(await keysOf(mini)).toEqual([[PLAN.DPC, { paid: 2, granted: 1, reserved: 0 }]]);
    expect(await keysOf(shop)).toEqual([
      [PLAN.DPC, { paid: 3, granted: 0, reserved: 1 }],
      [PLAN.LINKFL, { paid: 3, granted: 0, reserved: 0 }],
    ]);
    expect(await code(pass(shop, mini, 4))).toBe('INSUFFICIENT_KEYS');
    expect(await faults()).toEqual([]);
  });

  test('and the shop below sells with them', async () => {
    const { shop, mini } = await family({ paid: 1 });
    await pass(shop, mini, 1);
    await inOrg(async (tx) => {
      const { customer_id } = await customers.begin(tx, mini, { plan_id: 1, plan_type: PLAN.DPC });
      await wallet.reserve(tx, mini, { user_id: mini.userId, plan_type: PLAN.DPC, customer_id });
    });
    expect(await keysOf(mini)).toEqual([[PLAN.DPC, { paid: 0, granted: 0, reserved: 1 }]]);
    expect(await faults()).toEqual([]);
  });

  test('one journal for each lot names both shops, and the history of the one below says who passed them on', async () => {
    const { shop, mini } = await family({ granted: 1, paid: 1 });
    await pass(shop, mini, 2);
    const lines = await db.asOwner(
      `select j.effect_key like 'key:pass:%:' || l.lot as is_named, a.owner_id, l.lot, l.unit, (l.debit - l.credit)::int as keys
       from journals j join journal_lines l using (org_id, journal_id) join accounts a using (org_id, account_id)
       where j.kind = 'keys_passed' and j.ref_id = $1 order by l.lot, keys`,
      [mini.userId],
    );
    const line = (owner_id: string, lot: string, keys: number) => ({
      is_named: true,
      owner_id,
      lot,
      unit: `KEY:${PLAN.DPC}`,
      keys,
    });
    expect(lines).toEqual([
      line(shop.userId, 'granted', -1),
      line(mini.userId, 'granted', 1),
      line(shop.userId, 'paid', -1),
      line(mini.userId, 'paid', 1),
    ]);
    const told = await db.asOwner(
      `select actor ->> 'user_id' as by, data ->> 'from_user_id' as of, data -> 'keys' as keys from audit_lines where subject_id = $1 and action = 'keys_passed'`,
      [mini.userId],
    );
    expect(told).toEqual([{ by: shop.userId, of: shop.userId, keys: 2 }]);
    expect(await db.read(ORG, (tx) => audit.verify(tx, 'user', mini.userId))).toEqual({ ok: true });
  });

  test('the last key goes once, however many ask for it at once', async () => {
    const { shop, mini, sister } = await family({ paid: 1 });
    const asked = await Promise.all(
      Array.from({ length: 8 }, (_, at) => code(pass(shop, at % 2 === 0 ? mini : sister, 1))),
    );
    expect(asked.filter((answer) => answer === 'accepted')).toHaveLength(1);
    expect(asked.filter((answer) => answer === 'INSUFFICIENT_KEYS')).toHaveLength(7);
    const paidOf = async ({ userId }: Actor) =>
      (await db.read(ORG, (tx) => wallet.keysOf(tx, userId))).reduce((all, { paid }) => all + paid, 0);
    expect((await paidOf(mini)) + (await paidOf(sister))).toBe(1);
    expect(await paidOf(shop)).toBe(0);
    expect(await faults()).toEqual([]);
  });

  test('nor do they meet those that are sold with or bought meanwhile in a circle', async () => {
    const { shop, mini } = await family({ granted: 10, paid: 10 });
    await giveKeys(db, mini, { count: 5 });
    let tries = 0;
    const once = <T>(work: (tx: Tx) => Promise<T>) =>
      inOrg((tx) => {
        tries += 1;
        return work(tx);
      });
    const begun = await inOrg(async (tx) => {
      const ids: string[] = [];
      for (let n = 0; n < 5; n += 1)
        ids.push((await customers.begin(tx, mini, { plan_id: 1, plan_type: PLAN.DPC })).customer_id);
      return ids;
    });
    await Promise.all([
      ...begun.map((customer_id) =>
        once((tx) => wallet.reserve(tx, mini, { user_id: mini.userId, plan_type: PLAN.DPC, customer_id })),
      ),
      ...begun.map(() =>
        once((tx) => wallet.transferKeys(tx, shop, { to_user_id: mini.userId, plan_type: PLAN.DPC, keys: 4 })),
      ),
      ...begun.map(() => giveKeys(db, shop, { count: 1 })),
    ]);
    expect(tries).toBe(10);
    expect(await faults()).toEqual([]);
  });
});

describe('keys come back', () => {
  test('of their type and their lots, as many as were passed and are not used or set aside; the shop above sells with them', async () => {
    const { shop, mini } = await family({ granted: 2, paid: 5 });
    await pass(shop, mini, 4);
    await inOrg(async (tx) => {
      const { customer_id } = await customers.begin(tx, mini, { plan_id: 1, plan_type: PLAN.DPC });
      await wallet.reserve(tx, mini, { user_id: mini.userId, plan_type: PLAN.DPC, customer_id });
    });
    // Two granted and two paid went down, and one granted is set aside.
    expect(await code(back(shop, mini, 4))).toBe('INSUFFICIENT_KEYS');
    expect(await back(shop, mini, 2)).toEqual({ taken: 2, left: 1, is_new: true });
    expect(await keysOf(mini)).toEqual([[PLAN.DPC, { paid: 1, granted: 0, reserved: 1 }]]);
    expect(await keysOf(shop)).toEqual([[PLAN.DPC, { paid: 4, granted: 1, reserved: 0 }]]);
    expect(await code(back(shop, mini, 1, PLAN.LINKFL))).toBe('INSUFFICIENT_KEYS');
    expect(await faults()).toEqual([]);
    const told = await db.asOwner(
      `select actor ->> 'user_id' as by, data -> 'keys' as keys, data -> 'lots' as lots from audit_lines where subject_id = $1 and action = 'keys_taken_back'`,
      [mini.userId],
    );
    const lots = [
      { lot: 'granted', count: 1 },
      { lot: 'paid', count: 1 },
    ];
    expect(told).toEqual([{ by: shop.userId, keys: 2, lots }]);
    expect(await db.read(ORG, (tx) => audit.verify(tx, 'user', mini.userId))).toEqual({ ok: true });
  });

  test('and none that the shop has from elsewhere, of a lot never more than passed down and did not come back', async () => {
    const { shop, mini } = await family({ paid: 3 });
    await giveKeys(db, mini, { lot: 'granted', count: 5 });
    await pass(shop, mini, 2);
    await giveKeys(db, mini, { lot: 'paid', count: 5 });
    expect(await code(back(shop, mini, 3))).toBe('INSUFFICIENT_KEYS');
    expect(await back(shop, mini, 2)).toMatchObject({ taken: 2, left: 10 });
    expect(await code(back(shop, mini, 1))).toBe('INSUFFICIENT_KEYS');
    await pass(shop, mini, 1);
    expect(await back(shop, mini, 1)).toMatchObject({ taken: 1, left: 10 });
    expect(await faults()).toEqual([]);
  });

  test('and none in place of one that the shop has used: what it bought after that is its own, what it bought and used before takes nothing away', async () => {
    const sellOne = (mini: Actor) =>
      inOrg(async (tx) => {
        const { customer_id } = await customers.begin(tx, mini, { plan_id: 1, plan_type: PLAN.DPC });
        await wallet.reserve(tx, mini, { user_id: mini.userId, plan_type: PLAN.DPC, customer_id });
        return customer_id;
      });
    const { shop, mini, sister } = await family({ paid: 6 });
    await pass(shop, mini, 2);
    const [first] = [await sellOne(mini), await sellOne(mini)];
    await giveKeys(db, mini, { lot: 'paid', count: 2 });
    expect(await code(back(shop, mini, 1))).toBe('INSUFFICIENT_KEYS');
    await inOrg((tx) => wallet.giveBack(tx, mini, { customer_id: first!, why: 'draft_deleted' }));
    expect(await code(back(shop, mini, 2))).toBe('INSUFFICIENT_KEYS');
    expect(await back(shop, mini, 1)).toMatchObject({ taken: 1, left: 2 });
    await giveKeys(db, sister, { lot: 'paid', count: 2 });
    await sellOne(sister);
    await sellOne(sister);
    await pass(shop, sister, 2);
    expect(await back(shop, sister, 2)).toMatchObject({ taken: 2, left: 0 });
    expect(await faults()).toEqual([]);
  });

  test('also from a shop that is suspended, and at the desk, there once for a name', async () => {
    const { shop, mini } = await family({ paid: 3 });
    await pass(shop, mini, 3);
    await inOrg((tx) => identity.suspendPerson(tx, shop, { user_id: mini.userId, reason: 'keys not paid' }));
    expect(await back(shop, mini, 1)).toMatchObject({ taken: 1 });
    const asked = { from_user_id: mini.userId, plan_type: PLAN.DPC, transfer_id: newId() };
    const atTheDesk = (keys: number) =>
      inOrg((tx) => wallet.takeBackKeys(tx, identity.SYSTEM(ORG), { ...asked, keys }));
    const done = await Promise.all([atTheDesk(1), atTheDesk(1), atTheDesk(1)]);
    expect(done.filter(({ is_new }) => is_new)).toHaveLength(1);
    expect(await code(atTheDesk(2))).toBe('IDEMPOTENCY_CONFLICT');
    expect(await keysOf(shop)).toEqual([[PLAN.DPC, { paid: 2, granted: 0, reserved: 0 }]]);
    expect(await faults()).toEqual([]);
  });

  test('the last one once, however many ask for it at once, and never below nothing where it is sold with meanwhile', async () => {
    const { shop, mini } = await family({ paid: 4 });
    await pass(shop, mini, 2);
    const { customer_id } = await inOrg((tx) => customers.begin(tx, mini, { plan_id: 1, plan_type: PLAN.DPC }));
    const asked = await Promise.all([
      ...[1, 2, 3, 4].map(() => code(back(shop, mini, 1))),
      code(inOrg((tx) => wallet.reserve(tx, mini, { user_id: mini.userId, plan_type: PLAN.DPC, customer_id }))),
      ...[1, 2].map(() => code(pass(shop, mini, 1))),
    ]);
    expect(asked.every((answer) => answer === 'accepted' || answer === 'INSUFFICIENT_KEYS')).toBe(true);
    const all = await db.read(ORG, async (tx) => [
      ...(await wallet.keysOf(tx, shop.userId)),
      ...(await wallet.keysOf(tx, mini.userId)),
    ]);
    expect(all.reduce((sum, { paid, reserved }) => sum + paid + reserved, 0)).toBe(4);
    expect(await faults()).toEqual([]);
  });

  test('to nobody but the retailer above', async () => {
    const { shop, mini, sister } = await family({ paid: 2 });
    const { shop: other } = await family({});
    await pass(shop, mini, 2);
    for (const by of [other, sister]) expect(await code(back(by, mini, 1))).toBe('NOT_FOUND');
    expect(await code(back(mini, mini, 1))).toBe('FORBIDDEN');
    expect(await code(back(shop, shop, 1))).toBe('FORBIDDEN');
    const reader = { ...shop, access: { ...shop.access, active_deactive: '0' as const } };
    expect(await code(back(reader, mini, 1))).toBe('FEATURE_NOT_ALLOWED');
  });
});

describe('keys pass to nobody else', () => {
  test('not to the shop above, beside, or of another retailer or organisation; the answer is that nobody is there; nor to oneself', async () => {
    const { shop, mini, sister } = await family({ paid: 3 });
    const { mini: nephew } = await family({});
    const foreign = await makeRetailer(db, OTHER);
    for (const to of [nephew, foreign, await makeRetailer(db, ORG)])
      expect(await code(pass(shop, to, 1))).toBe('NOT_FOUND');
    await giveKeys(db, mini, { count: 1 });
    for (const to of [shop, sister]) expect(await code(pass(mini, to, 1))).toBe('NOT_FOUND');
    for (const self of [shop, mini]) expect(await code(pass(self, self, 1))).toBe('FORBIDDEN');
    expect(await keysOf(shop)).toEqual([[PLAN.DPC, { paid: 3, granted: 0, reserved: 0 }]]);
  });

  test('not to a shop that is suspended, nor by somebody who may not sell', async () => {
    const { shop, mini } = await family({ paid: 3 });
    await inOrg((tx) => identity.suspendPerson(tx, shop, { user_id: mini.userId, reason: 'keys not paid' }));
    expect(await code(pass(shop, mini, 1))).toBe('STATE_CONFLICT');
    const { shop: bound, mini: below } = await family({ paid: 1 });
    const reader = { ...bound, access: { ...bound.access, active_deactive: '0' as const } };
    expect(await code(pass(reader, below, 1))).toBe('FEATURE_NOT_ALLOWED');
  });
});

describe('what somebody could write who has the server’s own account', () => {
  const insert = (from: Actor, to: Actor, more: { by?: Actor; keys?: number; id?: string } = {}) =>
    inOrg((tx) =>
      tx.query(
        `insert into key_transfers (org_id, transfer_id, lot, from_user_id, to_user_id, plan_type, keys, made_by, made_at, txid)
         values ($1, $2, 'paid', $3, $4, $5, $6, $7, kist_now(), pg_current_xact_id())`,
        [ORG, more.id ?? newId(), from.userId, to.userId, PLAN.DPC, more.keys ?? 1, (more.by ?? from).userId],
      ),
    );

  test('keys do not go up or aside, nor by somebody whose they are not', async () => {
    const { shop, mini, sister } = await family({ paid: 1 });
    const refused = 'insert of key_transfers is refused: a retailer passes its keys to a mini-retailer of its own';
    await expect(insert(mini, shop)).rejects.toThrow(refused);
    await expect(insert(mini, sister)).rejects.toThrow(refused);
    await expect(insert(shop, mini, { by: mini })).rejects.toThrow(refused);
  });

  test('keys go up as many as were passed down, and by nobody else’s word', async () => {
    const { shop, mini, sister } = await family({ paid: 2 });
    await giveKeys(db, mini, { count: 5 });
    await pass(shop, mini, 2);
    const beyond =
      'insert of key_transfers is refused: 2 keys of that lot were passed down and not used, and no more come back';
    await expect(insert(mini, shop, { by: shop, keys: 3 })).rejects.toThrow(beyond);
    for (const by of [mini, sister])
      await expect(insert(mini, shop, { by })).rejects.toThrow('a retailer passes its keys');
    await expect(insert(mini, shop, { by: shop })).rejects.toThrow('have no journal that passes them on');
  });

  test('a transfer that no journal carries out is refused, and one stays as it was written', async () => {
    const { shop, mini } = await family({ paid: 1 });
    await expect(insert(shop, mini)).rejects.toThrow('have no journal that passes them on');
    await pass(shop, mini, 1);
    for (const sql of ['update key_transfers set keys = 2', 'delete from key_transfers'])
      await expect(inOrg((tx) => tx.query(sql))).rejects.toThrow(/stays|permission denied/);
  });

  test('a journal that passes on what nobody did is refused', async () => {
    const { shop, mini } = await family({ paid: 2 });
    await pass(shop, mini, 1);
    const journal = (effect: string) =>
      inOrg((tx) =>
        tx.query(
          `with a as (select account_id, owner_id from accounts where org_id = $1 and code = 'keys_available' and unit = 'KEY:0' and owner_id in ($2::uuid::text, $3::uuid::text)),
             j as (insert into journals (org_id, journal_id, effect_key, kind, ref_kind, ref_id, business_on, posted_at)
               values ($1, gen_random_uuid(), $4, 'keys_passed', 'user', $3::uuid, kist_today(), kist_now()) returning journal_id)
           insert into journal_lines (org_id, journal_id, line_no, account_id, unit, debit, credit, lot)
           select $1, j.journal_id, row_number() over (), a.account_id, 'KEY:0', (a.owner_id = $3::uuid::text)::int, (a.owner_id = $2::uuid::text)::int, 'paid' from a, j`,
          [ORG, shop.userId, mini.userId, effect],
        ),
      );
    await expect(journal(`key:pass:${newId()}:paid`)).rejects.toThrow('keys are passed on as was told');
    await expect(journal('key:void:1:1')).rejects.toThrow('keys are passed on as was told');
  });
});
