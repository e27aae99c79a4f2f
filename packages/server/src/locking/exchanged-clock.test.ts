import { afterAll, beforeAll, expect, it } from 'vitest';
import { POLICY_PRESETS } from '@kist/contract/lock-policy';
import { exchangePhone } from '#server/sales/sales.ts';
import { giveKeys, imei } from '#test/factories.ts';
import { type LockWorld, ORG, createLockWorld } from '#test/lock-world.ts';
import { lockTimeline } from './lock-timeline.ts';

const HOUR = 250_00;
let world: LockWorld;
beforeAll(async () => {
  world = await createLockWorld();
});
afterAll(() => world.close());

it('the clock of a phone that was paid free and never said so ends with its exchange, whatever it says later', async () => {
  await world.at('2026-03-05T12:00:00');
  const policy = { ...POLICY_PRESETS.dealer, compensationPaisePerHour: HOUR, cureWithinMinutes: 60 };
  const sale = await world.sell({ policy });
  for (const day of ['2026-03-11', '2026-03-12', '2026-03-13']) await world.day(day);
  await world.obey(sale);
  await world.at('2026-03-13T14:00:00');
  await world.pay(sale, 1);
  await world.at('2026-03-13T16:30:00');
  const device = { imei1: imei(778_001), imei2: undefined, brand: 'Vivo', model: 'Y28' };
  const given = { customer_id: sale.customerId, device, reason: 'broken' };
  await giveKeys(world.db, world.shop, { count: 5 });
  await world.inOrg((tx) => exchangePhone(tx, world.shop, given, world.locking.letGoOfExchanged));
  const cure = async () => (await world.db.read(ORG, (tx) => lockTimeline(tx, sale.agreement.agreement_id)))!.cure;
  await world.at('2026-03-20T12:00:00');
  // An hour is free; of the next one and a half every hour that began counts.
  const ended = { confirmed_at: expect.stringMatching('2026-03-13T11:00:0'), compensation_paise: 2 * HOUR };
  expect(await cure()).toMatchObject(ended);
  await world.obey(sale);
  expect(await cure()).toMatchObject(ended);
  expect(await world.violations()).toEqual([]);
});
