import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { LIMITS } from '@kist/contract/limits';
import { type Actor, SYSTEM } from '#server/identity/identity.ts';
import { askLargeLock, askOverride, lateSale } from '#test/asked-of-two.ts';
import { makeAdmin, makeOrganisation, makeRetailer } from '#test/factories.ts';
import { type LockWorld, ORG, type Sale, createLockWorld } from '#test/lock-world.ts';
import { bellLines } from '#test/rung.ts';
import { whatWaits } from './waiting.ts';

let world: LockWorld;
let admin: Actor;
let sale: Sale;
let batch: string;
beforeAll(async () => {
  world = await createLockWorld();
  admin = await makeAdmin(world.db, ORG);
});
afterAll(() => world.close());
beforeEach(async () => {
  await world.db.asOwner(
    `update batches set state = 'stopped', stopped_for = 'FLEET_UNLOCK', finished_at = kist_now() where state in ('waiting', 'asked')`,
  );
  sale = await lateSale(world);
  await askOverride(world, sale);
  batch = await askLargeLock(world);
});

const seenBy = (actor: Actor, { page = 1, page_size = 20 } = {}) =>
  world.db.read(actor.orgId, (tx) => whatWaits(tx, actor, { page, page_size }));
/** What is this test's own. */
const listed = async (actor: Actor) =>
  (await seenBy(actor, { page_size: 100 })).list.filter(
    ({ id, customer_id, kind }) => id === batch || kind === 'override' || customer_id === sale.customerId,
  );

describe('what waits for a second person', () => {
  it('is seen by the shop and its partner, with the customer and what each may do', async () => {
    const asked = (await listed(world.shop)).find(({ customer_id }) => customer_id === sale.customerId);
    expect(asked).toMatchObject({
      kind: 'override',
      reason: 'ORG_OVERRIDE',
      note: 'the owner agreed in writing',
      phones: 1,
      asked_by: 'Sunita',
      shop: 'Sunita Mobile',
      customer_name: expect.stringMatching(/\S/),
      is_own: true,
      may_agree: false,
      ends_at: expect.stringMatching(/^2026-03-14T08:30:0/),
    });
    const seconds = (await listed(world.second)).find(({ id }) => id === asked!.id);
    expect(seconds).toMatchObject({ is_own: false, may_agree: true });
    // More than an hour has room for takes a word of its own.
    expect((await listed(world.second)).find(({ id }) => id === batch)).toMatchObject({
      kind: 'batch',
      reason: 'EMI_OVERDUE',
      note: '',
      phones: 60,
      customer_id: null,
      customer_name: '',
      is_own: false,
      may_agree: false,
    });
  });

  it('is seen by the administrator, who is told of no customer, and may agree to all of it', async () => {
    const all = await listed(admin);
    expect(all.map(({ kind }) => kind).toSorted()).toContain('override');
    expect(all.find(({ id }) => id === batch)).toMatchObject({ shop: 'Sunita Mobile', may_agree: true });
    expect(new Set(all.map(({ customer_id, customer_name }) => `${customer_id}${customer_name}`))).toEqual(
      new Set(['null']),
    );
    expect(new Set(all.map(({ may_agree }) => may_agree))).toEqual(new Set([true]));
    expect((await listed(SYSTEM(ORG))).map(({ may_agree }) => may_agree)).not.toContain(true);
  });

  it('says to the administrator which agreement it is about, on what phone, how late, and whom to call; of many none', async () => {
    type Known = Record<'no' | 'phone' | 'mobile', string> & Record<'late' | 'overdue', number>;
    const [known] = await world.db.asOwner<Known>(
      `select a.agreement_no as no, d.name as phone, kist_today() - a.oldest_due_on as late, u.mobile,
         (select sum(left_paise)::int from instalments_view i where i.agreement_id = a.agreement_id and i.due_on < kist_today()) as overdue
       from agreements_view a join devices_view d using (org_id, device_id) join users_view u on u.org_id = a.org_id and u.user_id = a.owner_user_id
       where a.customer_id = $1`,
      [sale.customerId],
    );
    const { no, phone, late, overdue, mobile } = known!;
    expect([late, overdue].every((figure) => figure > 0)).toBe(true);
    const about = { agreement_no: no, phone, days_past_due: late, overdue_paise: overdue, shop_mobile: mobile };
    expect((await listed(admin)).filter(({ agreement_no }) => agreement_no === no)).toMatchObject([
      { ...about, kind: 'override', customer_id: null, customer_name: '' },
    ]);
    const many = { agreement_no: '', phone: '', days_past_due: 0, overdue_paise: 0, shop_mobile: mobile };
    expect((await listed(admin)).find(({ id }) => id === batch)).toMatchObject(many);
  });

  it('is nothing to another shop, and to another organisation', async () => {
    expect(await seenBy(await makeRetailer(world.db, ORG))).toMatchObject({ list: [], total: 0 });
    await makeOrganisation(world.db, 21);
    const stranger = await makeAdmin(world.db, 21);
    expect(await seenBy(stranger)).toMatchObject({ list: [], total: 0 });
    const wordless = { ...world.shop, lockAccess: { ...world.shop.lockAccess, read: '0' as const } };
    await expect(seenBy(wordless)).rejects.toMatchObject({ code: 'FEATURE_NOT_ALLOWED' });
  });

  it('is not agreed to by the retailer of the mini-retailer that asked, whoever let it ask for more than the hour has room for', async () => {
    const mini = await makeRetailer(world.db, ORG, world.shop);
    const id = await askLargeLock(world, mini);
    const { visibleOwnerIds, access } = world.shop;
    const retailer: Actor = {
      ...world.shop,
      visibleOwnerIds: [...visibleOwnerIds, mini.userId],
      access: { ...access, bulk_retailer: '1' },
    };
    const mayAgree = async (actor: Actor) =>
      (await seenBy(actor, { page_size: 100 })).list.find((one) => one.id === id)?.may_agree;
    expect([await mayAgree(retailer), await mayAgree(admin)]).toEqual([false, true]);
    const decide = (actor: Actor) =>
      world.inOrg((tx) => world.locking.decideBulk(tx, actor, { batchId: id, isApproved: true }));
    await expect(decide(retailer)).rejects.toMatchObject({ code: 'SECOND_PERSON_REQUIRED' });
    const byHand = world.inOrg((tx) =>
      tx.query(`update batches set state = 'asked', approved_by = $2 where batch_id = $1`, [id, retailer.userId]),
    );
    await expect(byHand).rejects.toThrow('nobody has agreed');
    expect(await decide(admin)).toMatchObject({ state: 'asked' });
  });

  it('comes in pages, what ends first before the others', async () => {
    const { total } = await seenBy(admin);
    const [first, second] = [await seenBy(admin, { page_size: 1 }), await seenBy(admin, { page: 2, page_size: 1 })];
    expect(first).toMatchObject({ total, page: 1, page_size: 1, list: [{ id: batch }] });
    expect(second.list[0]!.kind).toBe('override');
    expect((await seenBy(admin, { page: total + 1, page_size: 1 })).list).toEqual([]);
  });

  it('is over when it is decided, its time has come, or who asked could ask for it no more', async () => {
    const ids = async () => (await listed(admin)).map(({ id }) => id);
    const own = (await listed(world.shop)).find(({ customer_id }) => customer_id === sale.customerId)!.id;
    expect(await ids()).toEqual(expect.arrayContaining([own, batch]));
    await world.inOrg((tx) => world.locking.decideBulk(tx, admin, { batchId: batch, isApproved: false }));
    expect(await ids()).not.toContain(batch);
    batch = await askLargeLock(world);
    const setActive = (isActive: boolean) =>
      world.db.asOwner('update users set is_active = $2 where user_id = $1', [world.shop.userId, isActive]);
    await setActive(false);
    expect(await ids()).not.toContain(own);
    await setActive(true);
    await world.at(`2026-03-13T15:${String(LIMITS.bulkApprovalMinutes - 59).padStart(2, '0')}:10`);
    expect(await ids()).toContain(own);
    expect(await ids()).not.toContain(batch);
    await world.at('2026-03-14T14:00:10');
    expect(await ids()).not.toContain(own);
  });
});

describe('a no to a lock of many', () => {
  it('says why to who asked, in the bell, once; the history knows that it does, and no words', async () => {
    const note = 'too many before the festival';
    await world.inOrg((tx) => world.locking.decideBulk(tx, admin, { batchId: batch, isApproved: false, note }));
    const list = await bellLines(world.db, world.shop);
    expect(list.find(({ data }) => data['batch_id'] === batch)).toMatchObject({ kind: 'batch_decided', note });
    const lines = await world.db.asOwner(
      `select data -> 'has_note' as has_note from audit_lines where action = 'batch_not_approved' and data ->> 'batch_id' = $1`,
      [batch],
    );
    expect(lines).toEqual([{ has_note: true }]);
    // As it would be written over were somebody of them erased.
    for (const other of ['another', '—'])
      await expect(
        world.inOrg((tx) => tx.query('update batches set refusal_note = $2 where batch_id = $1', [batch, other])),
      ).rejects.toThrow('it is said with the no');
  });
});
