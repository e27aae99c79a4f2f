import { afterAll, beforeAll, expect, test } from 'vitest';
import { PLAN, type PlanName } from '@kist/contract/codes';
import * as documents from '#server/documents/documents.ts';
import { customerRoutes } from '#server/http/routes/customers.ts';
import { giveKeys } from '#test/factories.ts';
import { type TestApp, createSession, createTestApp } from '#test/http.ts';
import { type LockWorld, ORG, type Sale, createLockWorld } from '#test/lock-world.ts';
import { createServices, type TestServices } from '#test/services.ts';

/** Edit options by plan (section 6), at the calls that exist for them. */
let world: LockWorld;
let http: TestApp;
let token: string;
let sale: Sale;
let services: TestServices;

beforeAll(async () => {
  world = await createLockWorld();
  await world.at('2026-03-05T12:00:00');
  sale = await world.sell();
  services = createServices(world.db);
  http = await createTestApp({ database: services.db, register: (app) => customerRoutes(app, services) });
  token = await createSession(world.db, { orgId: ORG, userId: world.shop.userId, mobile: '' });
});
afterAll(async () => {
  await services.waker.close();
  await world.close();
});

const become = (plan: PlanName, status: number, { customerId } = sale) =>
  world.db.plant(['customers'], 'update customers set plan_type = $2, status = $3 where customer_id = $1', [
    customerId,
    PLAN[plan],
    status,
  ]);
const keep = (type: 'signature' | 'photo') =>
  documents
    .keep(services.db, world.shop, {
      customer_id: sale.customerId,
      document_type: type,
      bytes: Buffer.from('no picture'),
    })
    .catch((error: { code: string }) => error.code);

test('the set-up code is not for an iPhone', async () => {
  await become('APPLE', 1);
  const query = { customer_id: sale.customerId };
  expect(await http.call('generateEmmCode', { token, query })).toMatchObject({
    status: 422,
    code: 'FEATURE_NOT_OFFERED',
    details: { edit: 'EMM_QR_CODE', plan: 'APPLE' },
  });
  await become('DPC_ANTITHEFT', 1);
  expect((await http.call('generateEmmCode', { token, query })).status).toBe(200);
});

test('neither door shows a set-up code of an iPhone, not even one that was made before, nor makes one', async () => {
  const waiting = await world.sell({ isEnrolled: false });
  for (const planType of [PLAN.DPC, PLAN.APPLE]) await giveKeys(world.db, world.shop, { planType });
  const query = { customer_id: waiting.customerId };
  expect((await http.call('generateEmmCode', { token, query })).data.qr).toContain('kist.token');
  await become('DPC', 1, waiting);
  expect((await http.call('getCustomerQrCode', { token, query })).data).toMatchObject({
    offers_code: true,
    qr: expect.stringContaining('kist.token'),
  });
  await become('APPLE', 1, waiting);
  expect(await http.call('generateEmmCode', { token, query })).toMatchObject({
    status: 422,
    code: 'FEATURE_NOT_OFFERED',
    details: { edit: 'EMM_QR_CODE' },
  });
  for (const image of ['png', 'svg', 'none'] as const)
    expect((await http.call('getCustomerQrCode', { token, query: { ...query, image } })).data).toMatchObject({
      offers_code: false,
      qr: null,
      manual_code: null,
      image: null,
    });
  expect(await codesOf(waiting)).toBe(1);
});

test('neither door gives out a code without a key set aside for its phone', async () => {
  for (const name of ['generateEmmCode', 'getCustomerQrCode'] as const) {
    const waiting = await world.sell({ isEnrolled: false });
    const query = { customer_id: waiting.customerId };
    expect(await http.call(name, { token, query })).toMatchObject({ code: 'INSUFFICIENT_KEYS' });
    expect([await codesOf(waiting), await keysFor(waiting)]).toEqual([0, []]);
    await giveKeys(world.db, world.shop);
    expect((await http.call(name, { token, query })).data.qr).toContain('kist.token');
    expect([await codesOf(waiting), await keysFor(waiting)]).toEqual([1, ['reserved']]);
  }
});

const codesOf = async ({ deviceId }: Sale) =>
  (await world.db.asOwner('select token_hash from enrolment_tokens where device_id = $1', [deviceId])).length;
const keysFor = async ({ customerId }: Sale) =>
  (
    await world.db.asOwner<{ state: string }>('select state from key_reservations where customer_id = $1', [customerId])
  ).map(({ state }) => state);

test('signature and documents of DPC_ANTITHEFT are kept while the sale is made, and not changed after', async () => {
  await become('DPC_ANTITHEFT', 1);
  expect([await keep('signature'), await keep('photo')]).toEqual(['FEATURE_NOT_OFFERED', 'FEATURE_NOT_OFFERED']);
  await become('DPC_ANTITHEFT', 0);
  expect([await keep('signature'), await keep('photo')]).toEqual(['FILE_TYPE_UNSUPPORTED', 'FILE_TYPE_UNSUPPORTED']);
  await become('DPC', 1);
  expect([await keep('signature'), await keep('photo')]).toEqual(['FILE_TYPE_UNSUPPORTED', 'FILE_TYPE_UNSUPPORTED']);
});
