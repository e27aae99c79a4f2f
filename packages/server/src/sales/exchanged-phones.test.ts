import { beforeAll, expect, it } from 'vitest';
import { deviceOfCustomer } from '#server/devices/devices.ts';
import type { Actor } from '#server/identity/identity.ts';
import { checkBooks } from '#server/ledger/ledger.ts';
import * as wallet from '#server/wallet/wallet.ts';
import { createTestDatabase } from '#test/database.ts';
import { imei, makeRetailer } from '#test/factories.ts';
import { ORG, type Sold, useHouse } from '#test/house.ts';
import { exchangePhone, showCode } from './sales.ts';

/** Phones on the wire: the one that goes and the one that comes in its place. */
const db = await createTestDatabase();
const house = useHouse(db);
let shop: Actor;
beforeAll(async () => {
  shop = await makeRetailer(db, ORG);
  await house.give(shop, 5);
});

let numbers = 700_000;
/** The same sale with another number. */
async function exchange(sold: Sold): Promise<Sold> {
  const imei1 = imei((numbers += 1));
  await house.inOrg((tx) =>
    exchangePhone(
      tx,
      shop,
      {
        customer_id: sold.customerId,
        device: { imei1, imei2: undefined, brand: 'Vivo', model: 'Y28' },
        reason: 'broken',
      },
      house.services.locking.letGoOfExchanged,
    ),
  );
  return { ...sold, imei: imei1 };
}
const code = async ({ customerId: customer_id }: Sold) =>
  (await house.inOrg((tx) => showCode(tx, shop, { customer_id }))).code!.token;
const scan = async (sold: Sold, token: string) =>
  (await house.phone(sold).enrol(token, { serial: `S${sold.imei}` })).body;
const keys = async () => {
  const [row] = await db.read(ORG, (tx) => wallet.keysOf(tx, shop.userId));
  return { left: row!.paid, reserved: row!.reserved };
};
const booksAgree = async () => expect((await db.read(ORG, (tx) => checkBooks(tx))).differences).toEqual([]);

it('the code of a wrong number is dead, the right phone sets up with its own on the same key', async () => {
  const before = await keys();
  const sold = await house.sell(shop);
  const dead = await code(sold);
  const right = await exchange(sold);
  expect(await scan(sold, dead)).toMatchObject({ code: expect.stringMatching(/STATE_CONFLICT|ENROLMENT_TOKEN/) });
  expect(await scan(right, dead)).toMatchObject({ code: expect.stringMatching(/STATE_CONFLICT|ENROLMENT_TOKEN/) });
  expect(await scan(right, await code(right))).toMatchObject({ device_id: expect.any(String) });
  expect(await keys()).toEqual({ left: before.left - 1, reserved: before.reserved });
  await booksAgree();
});

it('another phone spends another key, and the one that went hears at its next contact that it is free', async () => {
  const before = await keys();
  const sold = await house.sell(shop);
  const old = house.phone(sold);
  await old.enrol(await code(sold), { serial: `S${sold.imei}` });
  await old.checkin();
  const next = await exchange(sold);
  expect(await keys()).toEqual({ left: before.left - 2, reserved: before.reserved + 1 });
  const { body } = await old.checkin();
  expect(body.desired.policy).toMatchObject({ released: true, lock: { level: 0 } });
  // It may hear this and nothing after it: it must not climb alone.
  const lease = JSON.parse(Buffer.from(body.lease.payload, 'base64url').toString());
  expect(lease).toMatchObject({ ladder: [], notices: [], reminders: [], screen: null });
  await old.checkin();
  await house.services.plane.whenQuiet();
  expect((await old.checkin()).body).toMatchObject({ code: 'AGENT_UNKNOWN' });
  const { device_id } = await scan(next, await code(next));
  expect((await db.read(ORG, (tx) => deviceOfCustomer(tx, next.customerId)))!.deviceId).toBe(device_id);
  expect(await keys()).toEqual({ left: before.left - 2, reserved: before.reserved });
  await booksAgree();
});
