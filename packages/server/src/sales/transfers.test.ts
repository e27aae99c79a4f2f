import { beforeAll, describe, expect, test } from 'vitest';
import { PLAN } from '@kist/contract/codes';
import * as customers from '#server/customers/customers.ts';
import type { Actor } from '#server/identity/identity.ts';
import * as identity from '#server/identity/identity.ts';
import * as ledger from '#server/ledger/ledger.ts';
import { noticeLink, openLink, readLink } from '#server/notices/notices.ts';
import { createTestDatabase } from '#test/database.ts';
import { makeOrganisation, makeRetailer, makeSale } from '#test/factories.ts';
import { createUser } from '#test/http.ts';
import { moveStatus } from '#test/status-moves.ts';
import type { Tx } from '#server/platform/database.ts';
import { newId } from '#server/platform/ids.ts';
import { transferCustomers } from './transfers.ts';

const db = await createTestDatabase();
const [ORG, OTHER] = [20, 21];
let shop: Actor;
let mini: Actor;
let sibling: Actor;
let foreign: Actor;
let admin: Actor;

beforeAll(async () => {
  await makeOrganisation(db, ORG);
  await makeOrganisation(db, OTHER);
  shop = await makeRetailer(db, ORG);
  mini = await makeRetailer(db, ORG, shop);
  sibling = await makeRetailer(db, ORG);
  foreign = await makeRetailer(db, OTHER);
  const { userId } = await createUser(db, { userType: 'admin' });
  admin = { ...shop, userType: 'admin', userId, visibleOwnerIds: [] };
});

/** Whose customers' phones name another shop from now on. */
const told: string[] = [];
const sell = (actor: Actor) => db.transaction(actor.orgId, (tx) => makeSale(tx, actor));
const pass = (actor: Actor, from: Actor, to: Actor, ids?: string[], dry_run = false) =>
  db.transaction(actor.orgId, (tx) =>
    transferCustomers(
      tx,
      actor,
      {
        from_user_id: from.userId,
        to_user_id: to.userId,
        reason: 'another counter',
        dry_run,
        ...(ids && { customer_ids: ids }),
      },
      async (_tx, owners) => void told.push(...owners),
    ),
  );
const ownersOf = async (customerId: string) => {
  const [row] = await db.asOwner<{ of_customer: string; of_agreement: string }>(
    `select c.owner_user_id as of_customer, a.owner_user_id as of_agreement
     from customers c join agreements a on a.org_id = c.org_id and a.customer_id = c.customer_id where c.customer_id = $1`,
    [customerId],
  );
  return [row!.of_customer, row!.of_agreement];
};
const books = (actor: Actor) => db.read(actor.orgId, (tx) => ledger.booksOf(tx, actor));
const code = (promise: Promise<unknown>) =>
  promise.then(
    () => 'accepted',
    (error: { code?: string }) => error.code,
  );
const sees = (actor: Actor, customer_id: string) =>
  code(db.read(actor.orgId, (tx) => customers.authorize(tx, actor, { customer_id })));

describe('customers pass to another shop', () => {
  test('first only counted: nothing moves, and what is not the caller’s is not counted either', async () => {
    const [from, to] = [await makeRetailer(db, ORG, shop), await makeRetailer(db, ORG, shop)];
    const [one] = [await sell(from), await sell(from)];
    await db.transaction(ORG, (tx) => customers.begin(tx, from, { plan_id: 1, plan_type: PLAN.DPC }));
    expect(await pass(shop, from, to, undefined, true)).toEqual({ moved: 3, agreements: 2, left: 0 });
    expect(await pass(shop, from, to, [one.customerId], true)).toEqual({ moved: 1, agreements: 1, left: 0 });
    expect(await ownersOf(one.customerId)).toEqual([from.userId, from.userId]);
    expect(await code(pass(sibling, from, sibling, undefined, true))).toBe('NOT_FOUND');
    expect(told).toEqual([]);
    expect(await pass(shop, from, to)).toEqual({ moved: 3, agreements: 2, left: 0 });
    expect(told).toEqual([to.userId]);
  });

  test('with their agreements: who has them sees them, who had them no more, and all books balance', async () => {
    const [moved, stays] = [await sell(mini), await sell(mini)];
    const foreignSale = await sell(foreign);
    expect(await sees(mini, moved.customerId)).toBe('accepted');
    expect(await pass(shop, mini, shop, [moved.customerId])).toEqual({ moved: 1, agreements: 1, left: 0 });
    expect(await ownersOf(moved.customerId)).toEqual([shop.userId, shop.userId]);
    expect(await ownersOf(stays.customerId)).toEqual([mini.userId, mini.userId]);
    expect(await ownersOf(foreignSale.customerId)).toEqual([foreign.userId, foreign.userId]);
    expect([await sees(mini, moved.customerId), await sees(shop, moved.customerId)]).toEqual(['NOT_FOUND', 'accepted']);
    for (const actor of [shop, mini, sibling, foreign]) expect((await books(actor)).differences).toEqual([]);
    expect((await db.read(ORG, (tx) => ledger.booksOf(tx, admin))).differences).toEqual([]);
    const actions = await db.asOwner<{ action: string; data: { reason: string } }>(
      `select action, data from audit_lines where subject_id = $1 and action = 'customer_transferred'`,
      [moved.customerId],
    );
    expect(actions).toMatchObject([
      { data: { from_user_id: mini.userId, to_user_id: shop.userId, reason: 'another counter' } },
    ]);
  });

  test('all of a shop, drafts among them, by an admin across shops; the rest of the organisation stays', async () => {
    const from = await makeRetailer(db, ORG);
    const [one, two, other] = [await sell(from), await sell(from), await sell(sibling)];
    const draft = await db.transaction(ORG, (tx) => customers.begin(tx, from, { plan_id: 1, plan_type: PLAN.DPC }));
    expect(await pass(admin, from, sibling)).toEqual({ moved: 3, agreements: 2, left: 0 });
    for (const { customerId } of [one, two, other])
      expect(await ownersOf(customerId)).toEqual([sibling.userId, sibling.userId]);
    expect(await sees(sibling, draft.customer_id)).toBe('accepted');
    expect(await pass(admin, from, sibling)).toEqual({ moved: 0, agreements: 0, left: 0 });
  });

  test('and the link to a page of notices that the shop of before has opens nothing any more', async () => {
    const { customerId: customer_id } = await sell(mini);
    const making = { linkKey: Buffer.alloc(32, 7), publicUrl: 'https://kist.example.in' };
    const lettersFor = async (actor: Actor) => {
      const { url } = await db.read(ORG, (tx) => noticeLink(tx, making, actor, { customer_id }));
      return url.slice(url.lastIndexOf('/') + 1);
    };
    const opened = (letters: string) => db.read(ORG, (tx) => openLink(tx, making, readLink(letters)!));
    const before = await lettersFor(mini);
    expect(await opened(before)).toMatchObject({ customer_id });
    await pass(shop, mini, shop, [customer_id]);
    expect(await opened(before)).toBeNull();
    expect(await opened(await lettersFor(shop))).toMatchObject({ customer_id });
  });

  test('of the caller’s alone, to a shop of the caller’s that may sell', async () => {
    const [own, theirs] = [await sell(mini), await sell(sibling)];
    for (const [actor, from, to, ids] of [
      [shop, sibling, shop, [theirs.customerId]],
      [shop, mini, sibling, [own.customerId]],
      [shop, mini, shop, [theirs.customerId]],
      [shop, mini, shop, [own.customerId, newId()]],
      [shop, foreign, shop, undefined],
      [admin, foreign, shop, undefined],
      [mini, shop, mini, undefined],
    ] as const)
      expect(await code(pass(actor, from, to, ids && [...ids]))).toBe('NOT_FOUND');
    const closed = await makeRetailer(db, ORG, shop);
    await db.transaction(ORG, (tx) => identity.suspendPerson(tx, shop, { user_id: closed.userId, reason: 'closed' }));
    expect(await code(pass(shop, mini, closed, [own.customerId]))).toBe('STATE_CONFLICT');
    const barred = { ...shop, access: { ...shop.access, active_deactive: '0' as const } };
    expect(await code(pass(barred, mini, shop, [own.customerId]))).toBe('FEATURE_NOT_ALLOWED');
    // How many customers another counter has is for who may read them.
    const blind = { ...shop, lockAccess: { ...shop.lockAccess, read: '0' as const } };
    expect(await code(pass(blind, mini, shop, undefined, true))).toBe('FEATURE_NOT_ALLOWED');
    expect(await ownersOf(own.customerId)).toEqual([mini.userId, mini.userId]);
  });
});

describe('the database', () => {
  test('lets nobody change the owner of a customer or an agreement without a transfer', async () => {
    const { customerId } = await sell(mini);
    for (const table of ['customers', 'agreements'])
      await expect(
        db.transaction(ORG, (tx) =>
          tx.query(`update ${table} set owner_user_id = $1 where customer_id = $2`, [sibling.userId, customerId]),
        ),
      ).rejects.toThrow(/changes with a transfer/);
    await pass(shop, mini, shop, [customerId]);
    // One of an earlier transaction allows nothing any more.
    await expect(
      db.transaction(ORG, (tx) =>
        tx.query(`update customers set owner_user_id = $1 where customer_id = $2`, [mini.userId, customerId]),
      ),
    ).rejects.toThrow(/changes with a transfer/);
    await expect(db.asOwner(`update customer_transfers set reason = 'x'`)).rejects.toThrow(/stays/);
  });

  test('lets a status follow another as the product says, and no other way', async () => {
    // Nobody here has a key: with one 1 follows 2 and 0 follows 3 (customer-statuses.test.ts).
    const NEXT: Record<number, readonly number[]> = { 0: [1], 1: [2, 3, 4], 2: [], 3: [], 4: [1] };
    const path: Record<number, number[]> = { 0: [], 1: [1], 2: [1, 2], 3: [1, 3], 4: [1, 4] };
    for (const from of [0, 1, 2, 3, 4])
      for (const to of [0, 1, 2, 3, 4].filter((status) => status !== from)) {
        const { customerId } = await sell(sibling);
        const set = (status: number) =>
          db.transaction(ORG, (tx) => moveStatus((text, values) => tx.query(text, values), customerId, status));
        for (const step of path[from]!) await set(step);
        const outcome = await set(to).then(
          () => 'moved',
          (error: Error) => /does not follow/.exec(error.message)?.[0],
        );
        expect([from, to, outcome]).toEqual([from, to, NEXT[from]!.includes(to) ? 'moved' : 'does not follow']);
      }
  });

  test('lets no status change without its move, no move without its status, and keeps who moved it and why', async () => {
    const { customerId } = await sell(sibling);
    const alone = 'update customers set status = 1 where customer_id = $1';
    for (const tried of [
      () => db.asOwner(alone, [customerId]),
      () => db.transaction(ORG, (tx) => tx.query(alone, [customerId])),
    ])
      await expect(tried()).rejects.toThrow('without its move');
    const told = (from: number, reason: string) =>
      db.asOwner(
        `insert into customer_moves (org_id, customer_id, no, from_status, to_status, moved_by, moved_at, reason)
         values ($1, $2, 1, $3, 1, $4, now(), $5)`,
        [ORG, customerId, from, sibling.userId, reason],
      );
    await expect(told(0, 'set up')).rejects.toThrow('stands elsewhere');
    await expect(told(3, 'set up')).rejects.toThrow('does not follow');
    await expect(told(0, ' ')).rejects.toThrow('reason');
    await db.transaction(ORG, (tx) =>
      customers.changeStatus(tx, sibling, { customer_id: customerId, status: 1, reason: 'phone set up' }),
    );
    const kept = await db.asOwner(
      'select no, from_status as from, to_status as to, moved_by, reason from customer_moves where customer_id = $1',
      [customerId],
    );
    expect(kept).toEqual([{ no: 1, from: 0, to: 1, moved_by: sibling.userId, reason: 'phone set up' }]);
    for (const text of [
      `update customer_moves set reason = 'x'`,
      'delete from customer_moves',
      'truncate customer_moves',
    ])
      await expect(db.asOwner(text)).rejects.toThrow(/stays/);
    await expect(db.asOwner('delete from customer_allowed_moves')).rejects.toThrow('migration');
  });
});

describe('a shop that is being suspended', () => {
  const toIt = (tx: Tx, to: Actor, id: string) =>
    transferCustomers(
      tx,
      shop,
      {
        from_user_id: shop.userId,
        to_user_id: to.userId,
        reason: 'another counter',
        dry_run: false,
        customer_ids: [id],
      },
      async () => undefined,
    );
  const suspend = (tx: Tx, to: Actor) =>
    identity.suspendPerson(tx, shop, { user_id: to.userId, reason: 'it is being closed' });
  /** The second begins while the first has done its work and has not committed; that commits when the second waits for it or has ended. */
  async function besides(first: (tx: Tx) => Promise<unknown>, second: (tx: Tx) => Promise<unknown>) {
    const ended: string[] = [];
    let later: Promise<unknown> = Promise.resolve();
    const waiting = `select from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'`;
    await db.transaction(ORG, async (tx) => {
      await first(tx);
      later = code(db.transaction(ORG, second)).then((word) => ended.push(String(word)));
      await expect
        .poll(async () => ended.length > 0 || (await db.asOwner(waiting)).length > 0, { timeout: 10_000, interval: 10 })
        .toBe(true);
      ended.push('first');
    });
    await later;
    return ended;
  }

  test('is left no customers that pass to it meanwhile: the one comes before the other', async () => {
    const { customerId } = await sell(shop);
    const closing = await makeRetailer(db, ORG, shop);
    expect(
      await besides(
        (tx) => suspend(tx, closing),
        (tx) => toIt(tx, closing, customerId),
      ),
    ).toEqual(['first', 'STATE_CONFLICT']);
    expect(await ownersOf(customerId)).toEqual([shop.userId, shop.userId]);
    const open = await makeRetailer(db, ORG, shop);
    expect(
      await besides(
        (tx) => toIt(tx, open, customerId),
        (tx) => suspend(tx, open),
      ),
    ).toEqual(['first', 'accepted']);
    expect(await ownersOf(customerId)).toEqual([open.userId, open.userId]);
  });
});
