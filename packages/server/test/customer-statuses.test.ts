import { beforeEach, describe, expect, it } from 'vitest';
import { KistError } from '@kist/contract/errors';
import * as customers from '#server/customers/customers.ts';
import * as devices from '#server/devices/devices.ts';
import { setDesired } from '#server/devices/desired.ts';
import { type Actor, SYSTEM } from '#server/identity/identity.ts';
import * as sales from '#server/sales/sales.ts';
import * as wallet from '#server/wallet/wallet.ts';
import { createTestDatabase } from './database.ts';
import { makeRetailer } from './factories.ts';
import { ORG, type Sold, useHouse } from './house.ts';
import type { TestPhone } from './phone.ts';
import { moveStatus } from './status-moves.ts';

/** A customer's status follows what becomes of the phone, over the services as the product wires them and phones that speak the wire. */
const db = await createTestDatabase();
const house = useHouse(db);
let shop: Actor;
beforeEach(async () => {
  shop = await makeRetailer(db, ORG);
  await house.give(shop, 3);
});

const statusOf = async ({ customerId }: Sold) =>
  (await db.asOwner<{ status: number }>('select status from customers where customer_id = $1', [customerId]))[0]!
    .status;
const reasonsOf = async ({ customerId }: Sold) =>
  (
    await db.asOwner<{ move: string }>(
      `select from_status || '→' || to_status || ' ' || reason as move from customer_moves where customer_id = $1 order by no`,
      [customerId],
    )
  ).map(({ move }) => move);
const bellOf = async ({ customerId }: Sold) =>
  (
    await db.asOwner<{ kind: string }>('select kind from notifications where customer_id = $1 order by created_at', [
      customerId,
    ])
  ).map(({ kind }) => kind);
const keysLeft = async () => {
  const [row] = await db.read(ORG, (tx) => wallet.keysOf(tx, shop.userId));
  return { left: row!.paid, reserved: row!.reserved };
};
const deviceOf = async ({ customerId }: Sold) =>
  (await db.read(ORG, (tx) => devices.deviceOfCustomer(tx, customerId)))!;
const makeCode = async ({ customerId }: Sold) =>
  (await house.inOrg((tx) => sales.makeCode(tx, shop, { customer_id: customerId }))).code.token;
const refusal = (promise: Promise<unknown>) =>
  promise.then(
    () => 'accepted',
    (error: unknown) => (error instanceof KistError ? error.code : (error as Error).message),
  );

/** Sold, set up, and heard once. */
async function inUse(): Promise<{ sold: Sold; phone: TestPhone }> {
  const sold = await house.sell(shop);
  const phone = house.phone(sold);
  await setUp(phone, await makeCode(sold));
  return { sold, phone };
}
async function setUp(phone: TestPhone, token: string) {
  const { body } = await phone.enrol(token, { serial: `S${phone.imei}` });
  if (body.device_id) await report(phone);
  return body;
}
/** The phone reports, and what follows from it is drawn. */
async function report(phone: TestPhone): Promise<void> {
  phone.elapsedMs += 60_000;
  await phone.checkin();
  await house.services.plane.whenQuiet();
}
const saysItGoes = async (phone: TestPhone) => {
  phone.events.push({
    id: crypto.randomUUID(),
    kind: 'agent_removed',
    at: new Date().toISOString(),
    data: { by: 'holder' },
  });
  await report(phone);
};

describe('a phone in use whose agent goes', () => {
  it('counts as uninstalled by its own last word, the shop hears of it, and a new key sets it up anew', async () => {
    const { sold, phone } = await inUse();
    expect(await statusOf(sold)).toBe(1);
    await saysItGoes(phone);
    expect(await statusOf(sold)).toBe(3);
    expect(await bellOf(sold)).toContain('phone_gone');
    expect(await keysLeft()).toEqual({ left: 2, reserved: 0 });
    const code = await makeCode(sold);
    expect([await statusOf(sold), await keysLeft()]).toEqual([0, { left: 1, reserved: 1 }]);
    await setUp(house.phone(sold), code);
    expect([await statusOf(sold), await keysLeft()]).toEqual([1, { left: 1, reserved: 0 }]);
    expect(await reasonsOf(sold)).toEqual([
      '0→1 phone set up',
      '1→3 agent removed',
      '3→0 set up anew',
      '0→1 phone set up',
    ]);
  });

  it('is given back all the same what it is held by, should it still be there', async () => {
    const { sold, phone } = await inUse();
    const { deviceId } = await deviceOf(sold);
    const level = (to: 0 | 1) =>
      house.inOrg((tx) => setDesired(tx, deviceId, { lock: { level: to, cause: to ? 'debt' : null, screen: null } }));
    await level(1);
    await report(phone);
    await saysItGoes(phone);
    expect([await statusOf(sold), phone.level]).toEqual([3, 1]);
    await level(0);
    await report(phone);
    expect(phone.level).toBe(0);
  });

  it('says so once: the word comes again, and late after the phone was set up anew, and moves nothing', async () => {
    const { sold, phone } = await inUse();
    await saysItGoes(phone);
    await saysItGoes(phone);
    const next = house.phone(sold);
    await setUp(next, await makeCode(sold));
    await saysItGoes(phone);
    expect(await statusOf(sold)).toBe(1);
    expect((await reasonsOf(sold)).filter((move) => move.startsWith('1→3'))).toHaveLength(1);
  });

  it('counts as uninstalled by its vendor’s word too, when no other channel is left', async () => {
    const { sold } = await inUse();
    const { deviceId } = await deviceOf(sold);
    const [channel] = await db.asOwner<{ enrolmentId: string }>(
      'select enrolment_id as "enrolmentId" from enrolments where device_id = $1 and ended_at is null',
      [deviceId],
    );
    await house.services.plane.ended({ orgId: ORG, deviceId, ...channel! }, 'unknown there');
    expect(await statusOf(sold)).toBe(3);
  });
});

it('a phone that was let go and says that it has gone leaves its customer on file, deactivated', async () => {
  const { sold, phone } = await inUse();
  await house.inOrg(async (tx) => {
    await devices.release(tx, shop, (await devices.deviceOfCustomer(tx, sold.customerId))!.deviceId);
    await customers.release(tx, shop, { customer_id: sold.customerId });
  });
  await report(phone);
  await saysItGoes(phone);
  expect(await statusOf(sold)).toBe(2);
  expect((await phone.checkin()).body).toMatchObject({ code: 'AGENT_UNKNOWN' });
});

describe('the database', () => {
  const begin = async (sold: Sold, status: number) =>
    refusal(house.inOrg((tx) => moveStatus((text, values) => tx.query(text, values), sold.customerId, status)));

  it('lets a phone that was uninstalled begin anew with a key set aside and not otherwise', async () => {
    const { sold, phone } = await inUse();
    await saysItGoes(phone);
    expect(await begin(sold, 0)).toMatch('status 0 does not follow 3 without a new key');
    const anew = { customer_id: sold.customerId, status: 0, reason: 'for nothing' };
    expect(await refusal(house.inOrg((tx) => customers.changeStatus(tx, SYSTEM(ORG), anew)))).toMatch(
      'without a new key',
    );
    await house.inOrg((tx) =>
      wallet.reserve(tx, shop, { user_id: shop.userId, plan_type: 0, customer_id: sold.customerId }),
    );
    expect(await begin(sold, 0)).toBe('accepted');
  });

  it('lets nobody skip a step', async () => {
    const { sold, phone } = await inUse();
    for (const to of [0, 5, 6]) expect(await begin(sold, to)).toMatch('does not follow 1');
    await saysItGoes(phone);
    for (const to of [1, 2, 4]) expect(await begin(sold, to)).toMatch('does not follow 3');
  });
});
