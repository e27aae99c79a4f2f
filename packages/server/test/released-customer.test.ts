import { afterAll, beforeAll, expect, it } from 'vitest';
import { CUSTOMER_STATUS } from '@kist/contract/codes';
import { account } from '#server/agreements/agreements.ts';
import { unlockFleet } from '#server/locking/fleet.ts';
import { type LockWorld, ORG, type Sale, createLockWorld, customerOf } from './lock-world.ts';
import { type TestServices, createServices } from './services.ts';

/** The services as the product wires them, over phones of a lock world. */
let world: LockWorld;
let services: TestServices;
beforeAll(async () => {
  world = await createLockWorld();
  services = createServices(world.db);
  await world.at('2026-03-01T12:00:00');
});
afterAll(async () => {
  await services.waker.close();
  await world.close();
});

async function payAll({ agreement: { agreement_id } }: Sale): Promise<void> {
  const { agreement, instalmentIds } = await world.db.read(ORG, (tx) => account(tx, { agreement_id }));
  const all = { instalment_id: instalmentIds.get(1)!, amount: agreement.outstanding_paise, reference: '' };
  await services.db.transaction(ORG, (tx) => services.payments.record(tx, world.shop, { ...all, method: 'CASH' }));
}
const statusOf = async ({ customerId }: Sale) =>
  (
    await world.db.asOwner<{ status: number; released: boolean }>(
      `select c.status, d.released_at is not null as released from customers c join devices d using (org_id, customer_id) where c.customer_id = $1`,
      [customerId],
    )
  )[0]!;

it('the last instalment lets the phone go, and its customer is active no more', async () => {
  const sale = await world.sell();
  expect(await statusOf(sale)).toEqual({ status: CUSTOMER_STATUS.install, released: false });
  await payAll(sale);
  expect(await statusOf(sale)).toEqual({ status: 2, released: true });
});

it('one that its customer had held is let go with the fleet, to the same end', async () => {
  const sale = await world.sell();
  const owner = customerOf(world, sale);
  await services.db.transaction(ORG, (tx) =>
    services.locking.requestLock(tx, owner, sale.customerId, { reason: 'CUSTOMER_REQUEST' }),
  );
  await payAll(sale);
  expect(await statusOf(sale)).toEqual({ status: CUSTOMER_STATUS.install, released: false });
  await services.db.transaction(ORG, (tx) => unlockFleet(tx, services.lockingDeps));
  expect(await statusOf(sale)).toEqual({ status: 2, released: true });
});
