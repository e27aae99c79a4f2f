import { afterAll, beforeAll, expect, test } from 'vitest';
import { PLAN, type PlanName } from '@kist/contract/codes';
import type { Services } from '#server/compose.ts';
import { customerRoutes } from '#server/http/routes/customers.ts';
import { type TestApp, createSession, createTestApp } from '#test/http.ts';
import { type LockWorld, ORG, type Sale, createLockWorld } from '#test/lock-world.ts';
import { createServices } from '#test/services.ts';

/** Edit options by plan (section 6), at the calls that exist for them. */
let world: LockWorld;
let http: TestApp;
let token: string;
let sale: Sale;
let services: Services;

beforeAll(async () => {
  world = await createLockWorld();
  await world.at('2026-03-05T12:00:00');
  sale = await world.sell();
  services = createServices(world.db);
  http = await createTestApp({ database: world.db, register: (app) => customerRoutes(app, services) });
  token = await createSession(world.db, { orgId: ORG, userId: world.shop.userId, mobile: '' });
});
afterAll(async () => {
  await services.waker.close();
  await world.close();
});

const become = (plan: PlanName, status: number) =>
  world.db.asOwner('update customers set plan_type = $2, status = $3 where customer_id = $1', [
    sale.customerId,
    PLAN[plan],
    status,
  ]);
const keep = (type: 'signature' | 'photo') =>
  services.documents
    .keep(world.db, world.shop, sale.customerId, type, Buffer.from('no picture'))
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

test('signature and documents of DPC_ANTITHEFT are kept while the sale is made, and not changed after', async () => {
  await become('DPC_ANTITHEFT', 1);
  expect([await keep('signature'), await keep('photo')]).toEqual(['FEATURE_NOT_OFFERED', 'FEATURE_NOT_OFFERED']);
  await become('DPC_ANTITHEFT', 0);
  expect([await keep('signature'), await keep('photo')]).toEqual(['FILE_TYPE_UNSUPPORTED', 'FILE_TYPE_UNSUPPORTED']);
  await become('DPC', 1);
  expect([await keep('signature'), await keep('photo')]).toEqual(['FILE_TYPE_UNSUPPORTED', 'FILE_TYPE_UNSUPPORTED']);
});
