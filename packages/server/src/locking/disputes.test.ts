import { afterAll, beforeAll, expect, it } from 'vitest';
import { type LockWorld, type Sale, createLockWorld } from '#test/lock-world.ts';

let world: LockWorld;
beforeAll(async () => {
  world = await createLockWorld();
  await world.at('2026-03-05T12:00:00');
});
afterAll(() => world.close());

const disputesOf = async ({ agreement }: Sale) =>
  world.db.asOwner<{ channel: string; is_closed: boolean }>(
    'select channel, closed_at is not null as is_closed from disputes where agreement_id = $1',
    [agreement.agreement_id],
  );
const fromPhone = ({ deviceId }: Sale) =>
  world.inOrg((tx) => world.locking.disputeFromPhone(tx, { deviceId, text: 'I paid in cash.' }));

it('a phone disputes its agreement while that is active, once, and no longer when it is over', async () => {
  const [open, paid] = [await world.sell(), await world.sell({ tenure: 1 })];
  await fromPhone(open);
  await fromPhone(open);
  expect(await disputesOf(open)).toEqual([{ channel: 'phone', is_closed: false }]);
  expect((await world.pay(paid, 1)).agreement_state).toBe('completed');
  await fromPhone(paid);
  expect(await disputesOf(paid)).toEqual([]);
});

it('is closed by the shop, not by the customer, a mini-retailer or who may not lock', async () => {
  const sale = await world.sell();
  const { customerId } = sale;
  const { dispute_id: disputeId } = await world.inOrg((tx) =>
    world.locking.openDispute(tx, world.shop, { customerId, text: 'I paid in cash.' }),
  );
  const close = (actor: LockWorld['shop']) =>
    world.inOrg((tx) => world.locking.closeDispute(tx, actor, { disputeId, outcome: 'No payment found.' }));
  const { shop } = world;
  const barred = { ...shop, lockAccess: { ...shop.lockAccess, lock: '0' as const } };
  const customer = { ...shop, userType: 'customer' as const, customerId, visibleOwnerIds: [] };
  await expect(close({ ...shop, userType: 'miniretailer' })).rejects.toMatchObject({ code: 'FORBIDDEN' });
  await expect(close(customer)).rejects.toMatchObject({ code: expect.stringMatching(/FORBIDDEN|FEATURE_NOT_ALLOWED/) });
  await expect(close(barred)).rejects.toMatchObject({ code: 'FEATURE_NOT_ALLOWED' });
  expect(await disputesOf(sale)).toEqual([{ channel: 'shop', is_closed: false }]);
  await close(shop);
  expect(await disputesOf(sale)).toEqual([{ channel: 'shop', is_closed: true }]);
});
