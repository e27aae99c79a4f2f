import { beforeEach, expect, it } from 'vitest';
import { exchangePhone } from '#server/sales/sales.ts';
import { disputeActs } from '#test/dispute-acts.ts';
import { giveKeys, imei } from '#test/factories.ts';
import type { Sale } from '#test/lock-world.ts';
import { useLockWorld } from '#test/use-lock-world.ts';
import { HOUR, cureActs } from '#test/wrong-lock.ts';

/** A complaint that was right, about a phone in whose place another came: what is owed for its lock. */
const world = useLockWorld();
let sale: Sale;
const { locked, cureOf, owedOf, payFor } = cureActs(world);
const { open, answer, uphold, further, ownerOf } = disputeActs(() => world);
beforeEach(async () => {
  sale = await locked();
});

let made = 0;
/** Set up anew, and free. */
async function exchanged(): Promise<Sale> {
  const device = { imei1: imei(777_001 + made++), imei2: undefined, brand: 'Vivo', model: 'Y28' };
  await giveKeys(world.db, world.shop, { count: 5 });
  const { device_id } = await world.inOrg((tx) =>
    exchangePhone(
      tx,
      world.shop,
      { customer_id: sale.customerId, device, reason: 'broken' },
      world.locking.letGoOfExchanged,
    ),
  );
  const next = { ...sale, deviceId: device_id };
  await world.at('2026-03-13T15:30:00');
  await world.enrol(next);
  return next;
}

it.each([
  ['to the old one’s word that it is free', true, 3 * HOUR],
  ['to the exchange, where it never said so', false, 2 * HOUR],
])('counts %s', async (_to, isSaid, owed) => {
  await world.at('2026-03-13T13:00:00');
  const { dispute_id } = await open(sale);
  await world.at('2026-03-13T14:00:00');
  const next = await exchanged();
  if (isSaid)
    await world.db.asOwner(
      `update commands set applied_at = created_at + interval '1 hour' where device_id = $1 and type = 'unlock'`,
      [sale.deviceId],
    );
  await uphold(dispute_id);
  await world.obey(next);
  await world.at('2026-03-20T16:00:00');
  expect(await cureOf(sale)).toMatchObject({ confirmed_at: expect.any(String), compensation_paise: owed });
});

it('counts to the exchange too where money had freed the old phone', async () => {
  await world.at('2026-03-13T13:00:00');
  const { dispute_id } = await open(sale);
  await answer(dispute_id);
  await further(dispute_id, ownerOf(sale));
  await payFor(sale, '2026-03-13T13:00:00');
  await world.at('2026-03-13T14:00:00');
  await exchanged();
  await uphold(dispute_id, { ...world.shop, userType: 'admin', visibleOwnerIds: [] });
  await world.at('2026-03-20T16:00:00');
  expect(await owedOf(sale)).toBe(2 * HOUR);
});
