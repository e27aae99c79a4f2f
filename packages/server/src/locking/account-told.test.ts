import { expect, it } from 'vitest';
import type { Actor } from '#server/identity/identity.ts';
import { ownNotifications, rememberBells } from '#server/notices/notifications.ts';
import type { Ports } from '#server/platform/ports.ts';
import { createTestDatabase } from '#test/database.ts';
import { makeAdmin, makeRetailer } from '#test/factories.ts';
import { ORG, useHouse } from '#test/house.ts';

const db = await createTestDatabase();
const house = useHouse(db);

it('a vendor that refuses the organisation’s account rings its administrators’ bell, not its shops’, and again when it is well', async () => {
  const shop = await makeRetailer(db, ORG);
  const admin = await makeAdmin(db, ORG);
  const serving = db.with({ notices: rememberBells() } as Ports);
  const bellOf = async (actor: Actor) =>
    (await serving.read(ORG, (tx) => ownNotifications(tx, actor, { page: 1, page_size: 10 }))).list;
  for (const refusedFor of ['INVALID_CLIENT', null])
    await house.inOrg((tx) => house.services.locking.vendorAccount(tx, { vendor: 'guard', refusedFor }));
  expect(await bellOf(shop)).toEqual([]);
  expect(await bellOf(admin)).toMatchObject([
    { kind: 'vendor_well', data: { vendor: 'guard' }, customer_id: null },
    { kind: 'vendor_refused', data: { vendor: 'guard', why: 'INVALID_CLIENT' }, customer_name: '' },
  ]);
});
