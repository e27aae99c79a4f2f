import { beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { ENDPOINTS } from '@kist/contract/endpoints';
import type { Tx } from '#server/platform/database.ts';
import { createTestDatabase } from '#test/database.ts';
import { makeOrganisation, makeRetailer } from '#test/factories.ts';
import { createUser, newMobile } from '#test/http.ts';
import type { Actor } from './actor.ts';
import * as identity from './identity.ts';

/** A retailer who is suspended in the very moment in which it, or the organisation, changes who is below it. */
const db = await createTestDatabase();
const ORG = 20;
let admin: Actor;
let shop: Actor;
let mini: Actor;

beforeAll(async () => {
  await makeOrganisation(db, ORG);
  const { userId } = await createUser(db, { userType: 'admin' });
  admin = { ...(await makeRetailer(db, ORG)), userType: 'admin', userId, visibleOwnerIds: [] };
});
beforeEach(async () => {
  shop = await makeRetailer(db, ORG);
  mini = await makeRetailer(db, ORG, shop);
});

type Work = (tx: Tx) => Promise<unknown>;
const newPerson = (given: object = {}) =>
  ENDPOINTS.addUser.body.parse({ mobile: newMobile(), first_name: 'Vikas', shop_name: 'Vikas', ...given });
const suspend =
  (user_id: string): Work =>
  (tx) =>
    identity.suspendPerson(tx, admin, { user_id, reason: 'closed' });
const code = (work: Work) =>
  db.transaction(ORG, work).then(
    () => 'accepted',
    (error: { code?: string }) => error.code,
  );
const waiting = `select from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'`;

/** Both transactions are open at once: the first has done its work and commits when the second waits for it, or has not waited and ended. */
async function besides(first: Work, second: Work): Promise<string | undefined> {
  let hasEnded = false;
  let later: Promise<string | undefined> = Promise.resolve(undefined);
  await db.transaction(ORG, async (tx) => {
    await first(tx);
    later = code(second).finally(() => (hasEnded = true));
    await expect
      .poll(async () => hasEnded || (await db.asOwner(waiting)).length > 0, { timeout: 10_000, interval: 10 })
      .toBe(true);
  });
  return later;
}
const letIn = async () =>
  (
    await db.asOwner<{ user_id: string }>(
      'select user_id from users where (user_id = $1 or parent_user_id = $1) and is_active',
      [shop.userId],
    )
  ).map(({ user_id }) => user_id);

describe('a retailer who is being suspended', () => {
  const byItself: [string, () => Work][] = [
    ['makes a mini-retailer', () => (tx) => identity.addPerson(tx, shop, newPerson())],
    ['makes one within its budget of numbers', () => (tx) => identity.addPersonInBudget(db, tx, shop, newPerson())],
    ['gives its mini-retailer another number', () => (tx) => changeMobile(tx)],
  ];
  const changeMobile = (tx: Tx) =>
    identity.updatePerson(tx, shop, ENDPOINTS.updateUser.body.parse({ user_id: mini.userId, mobile: newMobile() }));

  test.each(byItself)('%s no more once the suspension is under way', async (_what, work) => {
    const before = await db.asOwner('select mobile from users where parent_user_id = $1', [shop.userId]);
    expect(await besides(suspend(shop.userId), work())).toBe('SESSION_REQUIRED');
    expect(await letIn()).toEqual([]);
    expect(await db.asOwner('select mobile from users where parent_user_id = $1', [shop.userId])).toEqual(before);
  });

  test.each(byItself)('%s just before it: whoever is below is suspended along with it', async (_what, work) => {
    expect(await besides(work(), suspend(shop.userId))).toBe('accepted');
    expect(await letIn()).toEqual([]);
  });

  test('makes none beside it either', async () => {
    await db.asOwner('update users set may_add_retailers = true where user_id = $1', [shop.userId]);
    const beside = newPerson({ user_type: 'retailer' });
    expect(await besides(suspend(shop.userId), (tx) => identity.addPerson(tx, shop, beside))).toBe('SESSION_REQUIRED');
    expect(await db.asOwner('select from users where mobile = $1', [beside.mobile])).toEqual([]);
  });

  test('gets no mini-retailer from the organisation: one made before is suspended, one after is refused', async () => {
    const below = () => newPerson({ retailer_id: shop.userId });
    expect(await besides((tx) => identity.addPerson(tx, admin, below()), suspend(shop.userId))).toBe('accepted');
    expect(await letIn()).toEqual([]);
    await db.transaction(ORG, (tx) => identity.activatePerson(tx, admin, { user_id: shop.userId }));
    expect(await besides(suspend(shop.userId), (tx) => identity.addPerson(tx, admin, below()))).toBe('NOT_FOUND');
    expect(await letIn()).toEqual([]);
  });

  test.each(['shop', 'admin'] as const)(
    'has no mini-retailer let in again meanwhile by the %s, whichever comes first',
    async (who) => {
      const activate: Work = (tx) => identity.activatePerson(tx, { shop, admin }[who], { user_id: mini.userId });
      await db.transaction(ORG, suspend(mini.userId));
      expect(await besides(activate, suspend(shop.userId))).toBe('accepted');
      expect(await letIn()).toEqual([]);

      await db.transaction(ORG, (tx) => identity.activatePerson(tx, admin, { user_id: shop.userId }));
      await db.transaction(ORG, suspend(mini.userId));
      const refused = who === 'shop' ? 'SESSION_REQUIRED' : 'STATE_CONFLICT';
      expect(await besides(suspend(shop.userId), activate)).toBe(refused);
      expect(await letIn()).toEqual([]);
    },
  );
});

test('that a shop is suspended stands in its history with the reason; in that of one below it, also with whom', async () => {
  await db.transaction(ORG, suspend(shop.userId));
  const toldOf = ({ userId }: Actor) =>
    db.asOwner(`select data from audit_lines where subject_id = $1 and action = 'user_suspended'`, [userId]);
  expect(await toldOf(shop)).toEqual([{ data: { reason: 'closed' } }]);
  expect(await toldOf(mini)).toEqual([{ data: { reason: 'closed', with: shop.userId } }]);
});
