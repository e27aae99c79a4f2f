import { beforeEach, describe, expect, it } from 'vitest';
import { PLAN } from '@kist/contract/codes';
import * as devices from '#server/devices/devices.ts';
import { customerProfile } from '#server/reports/profile.ts';
import * as wallet from '#server/wallet/wallet.ts';
import { exchangingActs } from '#test/exchanging-acts.ts';
import { giveKeys } from '#test/factories.ts';
import { ORG, type Sale } from '#test/lock-world.ts';
import { useLockWorld } from '#test/use-lock-world.ts';

/** A number that is put right before anybody set the phone up. */
const world = useLockWorld();
beforeEach(async () => {
  await giveKeys(world.db, world.shop, { count: 2 });
  await world.forgetDays();
  await world.at('2026-02-11T12:00:00');
});
const { phone, preview, exchange, refusal, account, faults, released, withPhone } = exchangingActs(world);
const modelOf = async ({ deviceId }: Sale) => (await world.db.read(ORG, (tx) => devices.get(tx, deviceId))).model;

describe('a wrong number of a phone that nobody set up', () => {
  it('is put right: the key that is set aside stays, consent and schedule stay, the wrong number is free', async () => {
    const sale = await world.sell({ isEnrolled: false });
    const key = { user_id: world.shop.userId, plan_type: PLAN.DPC, customer_id: sale.customerId };
    await world.inOrg((tx) => wallet.reserve(tx, world.shop, key));
    const [keys] = await world.inOrg((tx) => wallet.keysOf(tx, world.shop.userId));
    const said = await preview(sale);
    expect(said).toMatchObject({
      kind: 'CORRECTED',
      channel: 'NEVER_OPENED',
      key: 'KEPT',
      consent: 'KEPT',
      refused: null,
    });
    // As the shop happens to write it this time.
    const right = phone({ brand: 'redmi ', model: await modelOf(sale) });
    const done = await exchange(sale, right);
    expect(done).toMatchObject({
      kind: 'CORRECTED',
      channel: 'NEVER_OPENED',
      key: 'KEPT',
      consent: 'KEPT',
      schedule_version: 1,
    });
    expect((await world.inOrg((tx) => wallet.keysOf(tx, world.shop.userId)))[0]).toEqual(keys);
    expect(await released(sale.deviceId)).not.toBeNull();
    expect((await account(sale)).agreement).toMatchObject({ device_id: done.device_id, exchanged_at: null });
    const profile = await world.inOrg((tx) => customerProfile(tx, world.shop, { customer_id: sale.customerId }));
    expect(profile).toMatchObject({
      consent_missing: [],
      device: { imei1: right.imei1 },
      exchanges: [{ was_set_up: false, reason: 'display broken', brand: 'Redmi' }],
    });
    // The wrong number was somebody else's all along.
    const wrong = (await world.db.read(ORG, (tx) => devices.get(tx, sale.deviceId))).imei1!;
    const other = await world.sell({ isEnrolled: false });
    expect(await refusal(exchange(other, phone({ imei1: wrong })))).toBe('accepted');
    expect(await faults()).toEqual([]);
  });
});

describe('a number that is put right with another model', () => {
  it('is of another phone: no debt holds it until its customer agrees anew, by the database too', async () => {
    const sale = await world.sell({ isEnrolled: false });
    const done = await exchange(sale, phone());
    expect(done).toMatchObject({ kind: 'CORRECTED', consent: 'ANEW', schedule_version: 1 });
    expect((await account(sale)).agreement).toMatchObject({
      device_id: done.device_id,
      exchanged_at: expect.any(Date),
    });
    const missing = async () =>
      (await world.inOrg((tx) => customerProfile(tx, world.shop, { customer_id: sale.customerId }))).consent_missing;
    expect(await missing()).toEqual(['signature', 'code']);
    const present = withPhone(sale, done.device_id);
    await world.enrol(present);
    for (const day of ['2026-03-11', '2026-03-12', '2026-03-13', '2026-03-16']) await world.day(day);
    expect(await world.levelOf(present)).toBe(0);
    // What was asked anew is not forgotten by another number of the same model.
    await expect(
      world.inOrg((tx) =>
        tx.query('update agreements set exchanged_at = null where agreement_id = $1', [sale.agreement.agreement_id]),
      ),
    ).rejects.toThrow('its phone changes with an exchange');
    expect(await faults()).toEqual([]);
    expect(await world.violations()).toEqual([]);
  });

  it('stays another phone when its number is put right once more', async () => {
    const sale = await world.sell({ isEnrolled: false });
    await exchange(sale, phone());
    expect(await exchange(sale, phone())).toMatchObject({ kind: 'CORRECTED', consent: 'KEPT' });
    const profile = await world.inOrg((tx) => customerProfile(tx, world.shop, { customer_id: sale.customerId }));
    expect(profile.consent_missing).toEqual(['signature', 'code']);
  });
});
