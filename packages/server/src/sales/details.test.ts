import { beforeAll, beforeEach, expect, test } from 'vitest';
import { customerRoutes } from '#server/http/routes/customers.ts';
import type { Actor } from '#server/identity/identity.ts';
import { createSealer } from '#server/platform/crypto.ts';
import { createTestDatabase } from '#test/database.ts';
import { imei, makeOrganisation, makeRetailer, makeSale, setClock } from '#test/factories.ts';
import { type TestApp, createSession, createTestApp } from '#test/http.ts';
import { createServices } from '#test/services.ts';

/** Who a customer is and how they are reached, changed field by field through the call that the specification names. */
const services = createServices(await createTestDatabase());
const { db } = services;
let http: TestApp;
let shop: Actor;
let token: string;
let customer_id: string;

beforeAll(async () => {
  await makeOrganisation(db, 20);
  await setClock(db, '2026-03-05T12:00:00');
  shop = await makeRetailer(db, 20);
  http = await createTestApp({ database: db, register: (app) => customerRoutes(app, services) });
  token = await createSession(db, { orgId: 20, userId: shop.userId, mobile: '' });
  return () => services.waker.close();
});
beforeEach(async () => {
  ({ customerId: customer_id } = await db.transaction(20, (tx) => makeSale(tx, shop, { mobile: '+919812300001' })));
});

const change = (fields: object) => http.call('updateCustomerDetails', { token, rawBody: { customer_id, ...fields } });
const row = async () =>
  (await db.asOwner<Record<string, unknown>>('select * from customers where customer_id = $1', [customer_id]))[0]!;

test('by the names of the specification and by ours, and nothing but what is named', async () => {
  const before = await row();
  expect(
    (await change({ firstName: 'Zubeida', lastName: 'Qureshi', email: 'z@example.in', mobile: '9812300002' })).data,
  ).toEqual({
    customer_id,
    changed: ['first_name', 'last_name', 'mobile', 'email'],
    number_speaks_at: null,
  });
  const address = { line1: '12 Main Road', city: 'Pune', state: 'Maharashtra', pincode: '411001' };
  const more = {
    birth_on: '1990-05-05',
    language: 'mr',
    address,
    aadhaar_last4: '1234',
    pan: 'ABCDE1234F',
    alternate_mobile: '9812300003',
  };
  expect((await change(more)).data).toMatchObject({
    changed: ['alternate_mobile', 'birth_on', 'language', 'address', 'aadhaar_last4', 'pan'],
  });
  expect(await row()).toMatchObject({
    first_name: 'Zubeida',
    last_name: 'Qureshi',
    mobile: '+919812300002',
    alternate_mobile: '+919812300003',
    email: 'z@example.in',
    language: 'mr',
    address,
    aadhaar_last4: '1234',
    pan_masked: 'AB••••••4F',
    plan_id: before['plan_id'],
    status: before['status'],
  });
  // Found by the new name and number, and by the phone's and the agreement's still.
  const search = String((await row())['search']);
  for (const part of [
    'zubeida',
    '+919812300002',
    ...String(before['search'])
      .split(' ')
      .filter((word) => /^35|^20-/.test(word)),
  ])
    expect(search).toContain(part);
});

test('as it stands changes nothing, and writes nothing into the history', async () => {
  const lines = () =>
    db.asOwner('select seq from audit_lines where subject_id = $1', [customer_id]).then((rows) => rows.length);
  const [before, { address }] = [await lines(), await row()];
  const nothing = { customer_id, changed: [], number_speaks_at: null };
  expect((await change({ mobile: '9812300001', address })).data).toEqual(nothing);
  expect((await change({})).data).toEqual(nothing);
  expect(await lines()).toBe(before);
});

test('what is sent empty stays, by the names of the specification and by ours', async () => {
  const before = await row();
  const email = 'z@example.in';
  expect((await change({ firstName: '', lastName: '', mobile: '', email })).data).toMatchObject({ changed: ['email'] });
  expect((await change({ first_name: '', last_name: '', mobile: '', email: '' })).data).toMatchObject({ changed: [] });
  expect((await change({ lastName: ' ' })).status).toBe(400);
  const { first_name, last_name, mobile } = before;
  expect(last_name).not.toBe('');
  expect(await row()).toMatchObject({ first_name, last_name, mobile, email });
});

test('somebody who was erased stays nobody', async () => {
  await db.plant(
    ['erasures'],
    `insert into erasures (org_id, customer_id, erased_at, asked_by, asked_as, evidence_until, books_until)
     values (20, $1, now(), $2, 'customer', '2029-03-05', '2034-03-31')`,
    [customer_id, shop.userId],
  );
  expect(await change({ firstName: 'Zubeida' })).toMatchObject({ status: 409, code: 'STATE_CONFLICT' });
});

test('a number of somebody of a shop is refused', async () => {
  await db.asOwner('update users set number_proved_at = now() where user_id = $1', [shop.userId]);
  const [{ mobile } = {}] = await db.asOwner<{ mobile: string }>('select mobile from users where user_id = $1', [
    shop.userId,
  ]);
  expect(await change({ mobile: mobile!.slice(-10) })).toMatchObject({ status: 409, code: 'STAFF_NUMBER' });
  expect((await row())['mobile']).toBe('+919812300001');
});

/** The keys that the services have. */
const sealer = createSealer({ current: 1, keys: new Map([[1, Buffer.alloc(32, 7)]]) });
/** What stands in the outbox for a text message to this number, opened as its sender does. */
async function toldTo(mobile: string, of: string): Promise<object[]> {
  const rows = await db.asOwner<{ id: string; sealed: Buffer }>(
    `select id, sealed from outbox where topic = 'sms' and sealed is not null order by id`,
  );
  return rows
    .map(
      ({ id, sealed }) =>
        JSON.parse(sealer.open(sealed, `20|outbox|sealed|${id}`).toString()) as {
          mobile?: string;
          params: { agreement_no?: string };
        },
    )
    .filter((payload) => payload.mobile === mobile && payload.params.agreement_no === of);
}

test('another number is told to the old one at once, in its customer’s language, and to no new one', async () => {
  const { agreement_no } = (
    await db.asOwner<{ agreement_no: string }>('select agreement_no from agreements where customer_id = $1', [
      customer_id,
    ])
  )[0]!;
  await change({ mobile: '9812300044', language: 'hn' });
  expect(await toldTo('+919812300001', agreement_no)).toEqual([
    {
      mobile: '+919812300001',
      template: 'number_changed',
      language: 'en',
      params: { agreement_no, shop: expect.any(String), phone: expect.stringMatching(/^\+91/) },
    },
  ]);
  await change({ mobile: '9812300044', first_name: 'Zubeida' });
  expect(await toldTo('+919812300044', agreement_no)).toEqual([]);
});

test('is one thing or the other: a phone with its reason, or the person', async () => {
  const device = { imei1: imei(81_000), brand: 'Vivo', model: 'Y28' };
  for (const [body, path] of [
    [{ edit: 'IMEI_EDIT', device }, 'reason'],
    [{ edit: 'IMEI_EDIT', reason: 'broken display' }, 'device'],
    [{ device, reason: 'broken display' }, 'device'],
    [{ edit: 'IMEI', device, reason: 'broken display' }, 'edit'],
    [
      { edit: 'IMEI_EDIT', device: { ...device, imei1: imei(81_001) }, reason: 'broken', first_name: 'X' },
      'first_name',
    ],
    [{ edit: 'EMI_EDIT', first_name: 'X' }, 'edit'],
    [{ firstName: ' ' }, 'first_name'],
    [{ plan_id: 'x', nobody_knows: 1, first_name: 'X' }, 'nobody_knows'],
  ] as const)
    expect([body, (await change(body)).errors?.map((error) => error.path)]).toEqual([
      body,
      expect.arrayContaining([path]),
    ]);
});
