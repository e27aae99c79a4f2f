import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { PROVISIONING } from '@kist/contract/codes';
import * as agreements from '#server/agreements/agreements.ts';
import * as devices from '#server/devices/devices.ts';
import { giveKeys, imei } from '#test/factories.ts';
import { type LockWorld, ORG, type Sale, createLockWorld, customerOf } from '#test/lock-world.ts';
import * as sales from './sales.ts';

/** What keeps a phone from being exchanged or cancelled away, and what the database holds an exchange to. */
let world: LockWorld;
beforeAll(async () => {
  world = await createLockWorld();
  await giveKeys(world.db, world.shop, { count: 50 });
});
afterAll(() => world.close());
beforeEach(() => world.at('2026-02-11T12:00:00'));

let numbers = 700_000;
const exchange = ({ customerId: customer_id }: Sale) => {
  const device = { imei1: imei((numbers += 1)), imei2: undefined, brand: 'Vivo', model: 'Y28' };
  return world.inOrg((tx) =>
    sales.exchangePhone(tx, world.shop, { customer_id, device, reason: 'broken' }, world.locking.letGoOfExchanged),
  );
};
const cancel = ({ customerId: customer_id }: Sale) =>
  world.inOrg((tx) =>
    sales.cancelAgreement(tx, world.shop, { customer_id, reason: 'given back' }, world.locking.letGoOfCancelled),
  );
const isReleased = async ({ deviceId }: Sale) =>
  (await world.db.read(ORG, (tx) => devices.get(tx, deviceId))).releasedAt !== null;

it('a phone that its owner reported is neither exchanged nor cancelled away, though nothing holds it', async () => {
  for (const kind of ['theft', 'lost'] as const) {
    const sale = await world.sell();
    const { customerId } = sale;
    const owner = customerOf(world, { customerId });
    await world.inOrg((tx) => world.locking.reportLost(tx, owner, { customerId, kind, note: '' }));
    // Past every door: the report stands, its lock does not.
    await world.db.plant(['locks'], 'delete from locks where device_id = $1', [sale.deviceId]);
    await expect(exchange(sale)).rejects.toMatchObject({
      code: 'STATE_CONFLICT',
      options: { details: { refused: 'HELD_FOR_OWNER' } },
    });
    await expect(cancel(sale)).rejects.toMatchObject({ code: 'STATE_CONFLICT' });
    expect(await isReleased(sale)).toBe(false);
  }
});

describe('the database lets an agreement name another phone only', () => {
  /** An exchange written past the service: the one rule that it breaks is all that refuses it. */
  const name = (sale: Sale, toDeviceId: string, { letGo }: { letGo: boolean }) =>
    world.inOrg(async (tx) => {
      if (letGo) await devices.release(tx, world.shop, sale.deviceId);
      await agreements.exchange(tx, world.shop, sale.agreement, {
        to_device_id: toDeviceId,
        was_set_up: true,
        first_enrolled_at: null,
        reason: 'half done',
      });
    });
  const newPhone = (customerId: string) =>
    world.inOrg((tx) =>
      devices.create(tx, world.shop, {
        customerId,
        provisioningType: PROVISIONING.DPC,
        imei1: imei((numbers += 1)),
        brand: 'Vivo',
        model: 'Y28',
      }),
    );

  it('that is its own customer’s', async () => {
    const [sale, other] = [await world.sell(), await world.sell()];
    await expect(name(sale, await newPhone(other.customerId), { letGo: true })).rejects.toThrow(
      'its phone changes with an exchange',
    );
  });

  it('when the one that goes was let go', async () => {
    const sale = await world.sell();
    const come = await newPhone(sale.customerId);
    await expect(name(sale, come, { letGo: false })).rejects.toThrow('its phone changes with an exchange');
  });

  it('and then lets it: neither case above is refused for anything else', async () => {
    const sale = await world.sell();
    const come = await newPhone(sale.customerId);
    await name(sale, come, { letGo: true });
    const { agreement } = await world.db.read(ORG, (tx) =>
      agreements.account(tx, { agreement_id: sale.agreement.agreement_id }),
    );
    expect(agreement.device_id).toBe(come);
  });
});

describe('the database besides', () => {
  it('lets no agreement name another phone without an exchange, and no customer begin anew', async () => {
    const [one, other] = [await world.sell(), await world.sell({ isEnrolled: false })];
    await expect(
      world.db.asOwner('update agreements set device_id = $2 where agreement_id = $1', [
        one.agreement.agreement_id,
        other.deviceId,
      ]),
    ).rejects.toThrow('its phone changes with an exchange');
    await expect(
      world.db.asOwner('update agreements set exchanged_at = kist_now() where agreement_id = $1', [
        one.agreement.agreement_id,
      ]),
    ).rejects.toThrow('its phone changes with an exchange');
    await expect(
      world.db.asOwner('update customers set status = 0 where customer_id = $1', [one.customerId]),
    ).rejects.toThrow('status 0 does not follow 1');
  });

  it('nor with one whose old phone is not let go, or whose new phone is somebody else’s', async () => {
    const [one, other] = [await world.sell(), await world.sell({ isEnrolled: false })];
    await expect(
      world.inOrg((tx) =>
        agreements.exchange(tx, world.shop, one.agreement, {
          to_device_id: other.deviceId,
          was_set_up: true,
          first_enrolled_at: null,
          reason: 'half done',
        }),
      ),
    ).rejects.toThrow('its phone changes with an exchange');
  });

  it('keeps what was written of an exchange', async () => {
    const sale = await world.sell();
    await exchange(sale);
    await expect(world.db.asOwner(`update phone_exchanges set reason = 'other'`)).rejects.toThrow(
      'what was written stays',
    );
  });
});
