import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { retailerVerbs } from '#server/cli/people-verbs.ts';
import { read } from '#server/cli/verbs.ts';
import * as identity from '#server/identity/identity.ts';
import * as sales from '#server/sales/sales.ts';
import { makeRetailer } from '#test/factories.ts';
import { deskOf } from '#test/kist-command.ts';
import { type LockWorld, ORG, type Sale, createLockWorld } from '#test/lock-world.ts';

let world: LockWorld;
let other: identity.Actor;
beforeAll(async () => {
  world = await createLockWorld();
  other = await makeRetailer(world.db, ORG);
  await world.db.asOwner(`update organisations set support = '{"phone": "+911800200300"}' where org_id = $1`, [ORG]);
});
beforeEach(() => world.forgetDays());
afterAll(() => world.close());

const admin = identity.SYSTEM(ORG);
const reason = 'the shop closed';
const suspend = (user_id: string) =>
  world.inOrg((tx) => sales.suspendShop(tx, admin, { user_id, reason }, world.locking.contactsChanged));
const activate = (user_id: string) =>
  world.inOrg((tx) => sales.activateShop(tx, admin, { user_id }, world.locking.contactsChanged));

/** Whom the phone says to call: on the screen that holds it, and in the lease by which it may be held alone. */
async function shown({ deviceId }: Sale) {
  const [row] = await world.db.asOwner<{ screen: string | null; lease: string; revision: string; level: number }>(
    `select document #>> '{lock,screen,shop_phone}' as screen, lease -> 'screen' ->> 'shop_phone' as lease, revision::text, lock_level as level
     from device_desired where device_id = $1`,
    [deviceId],
  );
  return row!;
}
async function held(): Promise<Sale> {
  await world.at('2026-03-05T12:00:00');
  const sale = await world.sell();
  for (const day of ['2026-03-11', '2026-03-12', '2026-03-13']) await world.day(day);
  expect(await world.levelOf(sale)).toBe(3);
  await world.obey(sale);
  return sale;
}

describe('whom a held phone says to call', () => {
  it('is the organisation while its shop is suspended, at once, on the level it is on, and the shop again afterwards', async () => {
    const sale = await held();
    const before = await shown(sale);
    expect(before.screen).toBe(before.lease);
    await suspend(world.shop.userId);
    const after = await shown(sale);
    expect(after).toMatchObject({ screen: '+911800200300', lease: '+911800200300', level: 3 });
    expect(BigInt(after.revision)).toBeGreaterThan(BigInt(before.revision));
    await activate(world.shop.userId);
    expect(await shown(sale)).toMatchObject({ screen: before.screen, lease: before.screen, level: 3 });
    expect(await world.violations()).toEqual([]);
  });

  it('is the organisation, too, when the shop is suspended from the command line, and the new number of a shop that has another', async () => {
    const sale = await held();
    const before = await shown(sale);
    const mobile = before.screen!.slice(-10);
    const run = async (verb: string, ...more: string[]) => {
      const asked = read('retailer', retailerVerbs, [verb, String(ORG), mobile, ...more]);
      if (typeof asked === 'string') throw new Error(asked);
      await asked.verb.run(deskOf(world.db), asked.given);
    };
    await run('suspend', '--reason', reason);
    expect((await shown(sale)).screen).toBe('+911800200300');
    await run('activate');
    expect(await shown(sale)).toMatchObject({ screen: before.screen, lease: before.lease });
    const changed = { user_id: world.shop.userId, mobile: '+919811122233' };
    const told = { db: world.db, contactsChanged: world.locking.contactsChanged };
    await world.inOrg((tx) => sales.changeShop(told, tx, admin, changed));
    expect(await shown(sale)).toMatchObject({ screen: changed.mobile, lease: changed.mobile });
    await world.inOrg((tx) => sales.changeShop(told, tx, admin, { ...changed, mobile: before.screen! }));
  });

  it('is the other shop for customers that passed to it', async () => {
    const sale = await held();
    await world.inOrg(async (tx) => {
      const passed = { from_user_id: world.shop.userId, to_user_id: other.userId, dry_run: false, reason };
      const asked = { ...passed, customer_ids: [sale.customerId] };
      await sales.transferCustomers(tx, admin, asked, world.locking.contactsChanged);
    });
    const [{ mobile }] = (await world.db.asOwner<{ mobile: string }>('select mobile from users where user_id = $1', [
      other.userId,
    ])) as [{ mobile: string }];
    expect(await shown(sale)).toMatchObject({ screen: mobile, lease: mobile, level: 3 });
  });

  it('follows within minutes whatever else changed it: the ladder looks', async () => {
    const sale = await held();
    await world.db.asOwner(`update users set mobile = '+919000000777' where user_id = $1`, [world.shop.userId]);
    await world.locking.runLadder(world.db, ORG);
    expect(await shown(sale)).toMatchObject({ screen: '+919000000777', lease: '+919000000777', level: 3 });
    const { revision } = await shown(sale);
    await world.locking.runLadder(world.db, ORG);
    expect((await shown(sale)).revision).toBe(revision);
  });
});
