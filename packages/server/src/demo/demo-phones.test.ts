import { afterAll, beforeAll, expect, it } from 'vitest';
import { type LockWorld, ORG, createLockWorld } from '#test/lock-world.ts';
import { ownerOfPhone } from './store.ts';

let world: LockWorld;
beforeAll(async () => (world = await createLockWorld()));
afterAll(() => world.close());

const ownerOf = (imei: string, org = ORG) => world.db.read(org, (tx) => ownerOfPhone.first(tx, { imei }));

it('whose phone it is: of the shops asked, until it is given up', async () => {
  await world.at('2026-03-01T12:00:00');
  const { customerId, deviceId } = await world.sell();
  const [sold] = await world.db.asOwner<{ imei1: string; name: string }>(
    `select d.imei1, trim(c.first_name || ' ' || c.last_name) as name from devices d join customers c using (org_id, customer_id) where c.customer_id = $1`,
    [customerId],
  );
  expect(await ownerOf(sold!.imei1)).toEqual({ name: sold!.name });
  expect(await ownerOf('356938035643809')).toBeUndefined();
  expect(await ownerOf(sold!.imei1, ORG + 1)).toBeUndefined();
  await world.db.plant(['devices'], 'update devices set released_at = kist_now() where device_id = $1', [deviceId]);
  expect(await ownerOf(sold!.imei1)).toBeUndefined();
});
