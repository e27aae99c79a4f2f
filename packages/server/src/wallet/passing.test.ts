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
