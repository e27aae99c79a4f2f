import { setTimeout as sleep } from 'node:timers/promises';
import { beforeEach, describe, expect, it } from 'vitest';
import { KistError } from '@kist/contract/errors';
import { changeStatus } from '#server/customers/customers.ts';
import { deviceOfCustomer } from '#server/devices/devices.ts';
import { type Actor, SYSTEM } from '#server/identity/identity.ts';
import { checkBooks } from '#server/ledger/ledger.ts';
import * as wallet from '#server/wallet/wallet.ts';
import { createTestDatabase } from '#test/database.ts';
import { makeRetailer } from '#test/factories.ts';
import { ORG, type Sold, useHouse } from '#test/house.ts';
import { showCode } from './sales.ts';

/** A shop registers, a phone scans the code, and none enrols without a key spent. */
const db = await createTestDatabase();
const house = useHouse(db);
let shop: Actor;
/** A shop of its own for each test, with two keys. */
beforeEach(async () => {
  shop = await makeRetailer(db, ORG);
  await house.give(shop, 2);
});

const keys = async () => {
  const [row] = await db.read(ORG, (tx) => wallet.keysOf(tx, shop.userId));
  return { left: row!.paid, reserved: row!.reserved };
};
/** Days pass for what was set aside and for the codes; the phones' clocks and ours stay together. */
const later = async (days: number) => {
  for (const table of ['key_reservations', 'enrolment_tokens'])
    await db.plant([table], `update ${table} set expires_at = expires_at - $1 * interval '1 day'`, [days]);
};
/** Before the codes do: an older program's, or a clock's doing. */
const reservationsEnd = () => db.plant(['key_reservations'], 'update key_reservations set expires_at = kist_now()');
const sweep = () => house.inOrg((tx) => wallet.expire(tx, SYSTEM(ORG)));
const sell = () => house.sell(shop);
const codeFor = (sold: Sold) => house.codeFor(shop, sold);
const scan = async (sold: Sold, token: string) =>
  (await house.phone(sold).enrol(token, { serial: `S${sold.imei}` })).body;
const enrolments = async ({ customerId }: Sold) =>
  (
    await db.asOwner<{ n: number }>(
      'select count(*)::int as n from enrolments e join devices d using (org_id, device_id) where d.customer_id = $1',
      [customerId],
    )
  )[0]!.n;
const refusal = (promise: Promise<unknown>) =>
  promise.then(
    () => 'accepted',
    (error: unknown) => (error instanceof KistError ? error.code : String(error)),
  );
const booksAgree = async () => expect((await db.read(ORG, (tx) => checkBooks(tx))).differences).toEqual([]);

describe('a key', () => {
  it('is spent by the phone that enrols; erased, it enrols again without another', async () => {
    const sold = await sell();
    expect(await scan(sold, await codeFor(sold))).toMatchObject({ device_id: expect.any(String) });
    expect(await keys()).toEqual({ left: 1, reserved: 0 });
    expect(await scan(sold, await codeFor(sold))).toMatchObject({ device_id: expect.any(String) });
    expect(await keys()).toEqual({ left: 1, reserved: 0 });
    await booksAgree();
  });

  it('that went back to the shop takes its code with it, though that lives a day', async () => {
    const sold = await sell();
    await later(6.9);
    const token = await codeFor(sold);
    await reservationsEnd();
    expect(await sweep()).toBe(1);
    expect(await keys()).toEqual({ left: 2, reserved: 0 });
    expect(await scan(sold, token)).toMatchObject({ code: 'ENROLMENT_TOKEN_EXPIRED' });
    expect(await enrolments(sold)).toBe(0);
    expect(await keys()).toEqual({ left: 2, reserved: 0 });
    await booksAgree();
  });

  it('is set aside again with a new code, and not given where none is left', async () => {
    const sold = await sell();
    await later(8);
    await sweep();
    const token = await codeFor(sold);
    expect(await keys()).toEqual({ left: 1, reserved: 1 });
    await codeFor(sold);
    expect(await keys()).toEqual({ left: 1, reserved: 1 });
    expect(await scan(sold, token)).toMatchObject({ code: 'ENROLMENT_TOKEN_EXPIRED' });
    await later(8);
    await sweep();
    await sell();
    await sell();
    expect(await refusal(codeFor(sold))).toBe('INSUFFICIENT_KEYS');
    expect(await enrolments(sold)).toBe(0);
  });

  it('whose time is over before the sweep is renewed by a new code, not lent for longer', async () => {
    const sold = await sell();
    await later(8);
    const token = await codeFor(sold);
    expect(await keys()).toEqual({ left: 1, reserved: 1 });
    await sweep();
    expect(await keys()).toEqual({ left: 1, reserved: 1 });
    expect(await scan(sold, token)).toMatchObject({ device_id: expect.any(String) });
    expect(await keys()).toEqual({ left: 1, reserved: 0 });
  });

  it('is needed anew by a phone that was uninstalled', async () => {
    const sold = await sell();
    await scan(sold, await codeFor(sold));
    const old = await codeFor(sold);
    await house.inOrg((tx) =>
      changeStatus(tx, SYSTEM(ORG), { customer_id: sold.customerId, status: 3, reason: 'removed' }),
    );
    expect(await scan(sold, old)).toMatchObject({ code: 'ENROLMENT_TOKEN_EXPIRED' });
    const token = await codeFor(sold);
    expect(await keys()).toEqual({ left: 0, reserved: 1 });
    await later(8);
    await sweep();
    expect(await scan(sold, token)).toMatchObject({ code: 'ENROLMENT_TOKEN_EXPIRED' });
    expect(await scan(sold, await codeFor(sold))).toMatchObject({ device_id: expect.any(String) });
    expect(await keys()).toEqual({ left: 0, reserved: 0 });
    await booksAgree();
  });
});

it('a code is shown again as long as it is good; after its day another one is, and only that one opens', async () => {
  const sold = await sell();
  const shown = () =>
    house.inOrg(async (tx) => (await showCode(tx, shop, { customer_id: sold.customerId })).code?.token ?? '');
  const first = await shown();
  await later(0.9);
  expect(await shown()).toBe(first);
  await later(0.2);
  const second = await shown();
  expect(second).not.toBe(first);
  expect(await scan(sold, first)).toMatchObject({ code: 'ENROLMENT_TOKEN_EXPIRED' });
  expect(await scan(sold, second)).toMatchObject({ device_id: expect.any(String) });
});

describe('at once', () => {
  it('fifty registrations on the last key sell one phone, and fifty scans of its code enrol it once', async () => {
    await sell();
    const outcomes = await Promise.all(
      Array.from({ length: 50 }, () => sell().catch((error: KistError) => error.code)),
    );
    const sold = outcomes.filter((one) => typeof one === 'object');
    expect(sold).toHaveLength(1);
    expect(new Set(outcomes.filter((one) => typeof one === 'string'))).toEqual(new Set(['INSUFFICIENT_KEYS']));
    const token = await codeFor(sold[0]!);
    const scans = await Promise.all(Array.from({ length: 50 }, () => scan(sold[0]!, token)));
    expect(scans.filter(({ device_id }) => device_id)).toHaveLength(1);
    expect(await enrolments(sold[0]!)).toBe(1);
    expect(await keys()).toEqual({ left: 0, reserved: 1 });
    await booksAgree();
  });

  it('fifty new codes for a phone whose key went back set one key aside', async () => {
    const sold = await sell();
    await later(8);
    await sweep();
    await Promise.all(Array.from({ length: 50 }, () => codeFor(sold)));
    expect(await keys()).toEqual({ left: 1, reserved: 1 });
    await booksAgree();
  });

  it('the sweep and the scans race: a phone that got in has its key spent, one that did not has it back', async () => {
    await house.give(shop, 18);
    const all = await Promise.all(Array.from({ length: 20 }, () => sell()));
    await later(6.9);
    const tokens = await Promise.all(all.map(codeFor));
    await reservationsEnd();
    const [scans] = await Promise.all([
      Promise.all(all.map((sold, index) => scan(sold, tokens[index]!))),
      sweep(),
      sweep(),
    ]);
    while ((await sweep()) > 0);
    const enrolled = scans.filter(({ device_id }) => device_id).length;
    expect(scans.filter(({ code }) => code === 'ENROLMENT_TOKEN_EXPIRED')).toHaveLength(20 - enrolled);
    expect(await keys()).toEqual({ left: 20 - enrolled, reserved: 0 });
    expect((await Promise.all(all.map(enrolments))).reduce((sum, n) => sum + n, 0)).toBe(enrolled);
    await booksAgree();
  });

  it('the sweep does not wait for a phone that is enrolling, and leaves that phone its key', async () => {
    const neighbour = await makeRetailer(db, ORG);
    await house.give(neighbour, 1);
    const enrolling = await sell();
    await house.sell(neighbour);
    await reservationsEnd();
    let hasTaken = () => {};
    let mayEnd = () => {};
    const taken = new Promise<void>((resolve) => (hasTaken = resolve));
    const end = new Promise<void>((resolve) => (mayEnd = resolve));
    const enrolment = house.inOrg(async (tx) => {
      expect(await wallet.spend(tx, SYSTEM(ORG), { customer_id: enrolling.customerId })).toBe(true);
      hasTaken();
      await end;
    });
    await taken;
    const swept = sweep();
    const outcome = await Promise.race([swept, sleep(3000, 'waits')]);
    mayEnd();
    await Promise.all([enrolment, swept]);
    expect(outcome).toBe(1);
    expect(await keys()).toEqual({ left: 1, reserved: 0 });
    expect(await db.read(ORG, (tx) => wallet.keysOf(tx, neighbour.userId))).toMatchObject([{ paid: 1, reserved: 0 }]);
    await booksAgree();
  });

  it('stays set aside as long as a code that was asked for later is good', async () => {
    const sold = await sell();
    await later(6.9);
    const token = await codeFor(sold);
    await later(0.9);
    await sweep();
    expect(await scan(sold, token)).toMatchObject({ device_id: expect.any(String) });
    await booksAgree();
  });
});

it('the database itself keeps no enrolment that cost no key', async () => {
  const sold = await sell();
  const phone = await db.read(ORG, (tx) => deviceOfCustomer(tx, sold.customerId));
  await expect(
    house.inOrg((tx) =>
      tx.query(
        `insert into enrolments (org_id, enrolment_id, device_id, public_key_spki, grade, started_at)
         values (kist_org(), gen_random_uuid(), $1, '\\x00', 'none', kist_now())`,
        [phone!.deviceId],
      ),
    ),
  ).rejects.toMatchObject({ code: '23514' });

  // A code that is moved to another phone's enrolment is a key from nowhere.
  await house.give(shop, 1);
  const [paid, unpaid] = [await sell(), await sell()];
  await scan(paid, await codeFor(paid));
  const other = await db.read(ORG, (tx) => deviceOfCustomer(tx, unpaid.customerId));
  const owner = await db.read(ORG, (tx) => deviceOfCustomer(tx, paid.customerId));
  await expect(
    house.inOrg((tx) =>
      tx.query('update enrolments set device_id = $1 where device_id = $2', [other!.deviceId, owner!.deviceId]),
    ),
  ).rejects.toMatchObject({ code: '23514' });

  // Nor does one key carry a second phone, whoever writes it.
  const second = (sold: Sold) =>
    house.inOrg((tx) =>
      tx.query(
        `with d as (insert into devices (org_id, device_id, customer_id, provisioning_type, created_at) values (kist_org(), gen_random_uuid(), $1, 1, kist_now()) returning *)
         insert into enrolments (org_id, enrolment_id, device_id, public_key_spki, grade, started_at)
         select org_id, gen_random_uuid(), device_id, sha256(device_id::text::bytea), 'none', kist_now() from d`,
        [sold.customerId],
      ),
    );
  await expect(second(paid)).rejects.toMatchObject({ code: '23514' });
  const token = await codeFor(unpaid);
  const outcomes = await Promise.allSettled([second(unpaid), scan(unpaid, token), second(unpaid)]);
  expect(outcomes.map(({ status }) => status)).toEqual(['rejected', 'fulfilled', 'rejected']);
});
