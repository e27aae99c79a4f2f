import { afterAll, beforeAll, expect, test } from 'vitest';
import { EDIT_ACTIONS, type EditAction, PLAN, PLAN_NAMES, type PlanName } from '@kist/contract/codes';
import type { CallName } from '@kist/contract/paths';
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
const keep = (type: 'signature' | 'photo', { customerId } = sale) =>
  documents
    .keep(services.db, world.shop, {
      customer_id: customerId,
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

/** Section 6, "Edit options by plan", written once more: of DPC_ANTITHEFT these two and no others, an iPhone has its status checked, all others have the QR code. */
const OFFERED = (plan: PlanName, edit: EditAction): boolean => {
  if (plan === 'DPC_ANTITHEFT') return edit === 'IMEI_EDIT' || edit === 'EMM_QR_CODE';
  if (edit === 'CHECK_STATUS') return plan === 'APPLE';
  return edit !== 'EMM_QR_CODE' || plan !== 'APPLE';
};
/** What each edit finishes, as the app asks for it. */
const ASKED: Record<EditAction, (of: Sale) => Promise<string>> = {
  IMEI_EDIT: ({ customerId: customer_id }) => asked('previewExchange', { query: { customer_id } }),
  EMI_EDIT: ({ customerId: customer_id }) => asked('previewEmiEdit', { rawBody: { customer_id, tenure: 4 } }),
  EDIT_SIGNATURE: (of) => keep('signature', of) as Promise<string>,
  EDIT_DOCUMENTS: (of) => keep('photo', of) as Promise<string>,
  EMM_QR_CODE: ({ customerId: customer_id }) => asked('generateEmmCode', { query: { customer_id } }),
  CHECK_STATUS: ({ customerId: customer_id }) => asked('checkStatus', { rawBody: { customer_id } }),
};
const asked = async (name: CallName, input: object): Promise<string> => {
  const { code } = await http.call(name, { token, ...input } as never);
  return code ?? 'done';
};
/** The edits that their doors take. */
const takenOf = async (of: Sale): Promise<EditAction[]> => {
  const taken: EditAction[] = [];
  for (const edit of EDIT_ACTIONS) if ((await ASKED[edit](of)) !== 'FEATURE_NOT_OFFERED') taken.push(edit);
  return taken;
};
const toldOf = async ({ customerId: customer_id }: Sale): Promise<EditAction[]> =>
  (await http.call('getCustomerProfile', { token, query: { customer_id } })).data.edit_actions;

test.each(PLAN_NAMES)('a sale of %s offers the edits of its plan, the app the same as the server', async (plan) => {
  await become(plan, 1);
  const offered = EDIT_ACTIONS.filter((edit) => OFFERED(plan, edit));
  expect(await takenOf(sale)).toEqual(offered);
  expect(await toldOf(sale)).toEqual(offered);
});

test.each(PLAN_NAMES)(
  'while a sale of %s is being made, the app is told of every step that finishes it',
  async (plan) => {
    const made = await world.sell({ isEnrolled: false });
    await become(plan, 0, made);
    const offered = EDIT_ACTIONS.filter((edit) => edit !== 'CHECK_STATUS' || plan === 'APPLE');
    expect(await toldOf(made)).toEqual(offered);
    expect(await takenOf(made)).toEqual(offered);
  },
);

test('checking the status of an iPhone asks the phone and tells what it last said', async () => {
  await become('APPLE', 1);
  const seen = '2026-03-05T06:00:00.000Z';
  await world.db.asOwner('update device_reports set last_seen_at = $2 where device_id = $1', [sale.deviceId, seen]);
  const heard: string[] = [];
  const stop = services.waker.on('wake', sale.deviceId, () => heard.push('wake'));
  const { data } = await http.call('checkStatus', { token, body: { customer_id: sale.customerId } });
  expect(data).toMatchObject({ status: 1, is_enrolled: true, last_seen_at: seen, is_asked: true });
  await expect.poll(() => heard).toEqual(['wake']);
  stop();
  const waiting = await world.sell({ isEnrolled: false });
  await become('APPLE', 0, waiting);
  expect((await http.call('checkStatus', { token, body: { customer_id: waiting.customerId } })).data).toEqual({
    status: 0,
    is_enrolled: false,
    enrolled_at: null,
    last_seen_at: null,
    is_asked: false,
  });
});

test('the deep link is the link of a phone in use, the same until it is used, and there is none for other types', async () => {
  const waiting = await world.sell({ isEnrolled: false });
  const query = { customer_id: waiting.customerId };
  expect(await http.call('getDeepLink', { token, query })).toMatchObject({ code: 'FEATURE_NOT_OFFERED' });
  await world.db.plant(['devices'], 'update devices set provisioning_type = 2 where device_id = $1', [
    waiting.deviceId,
  ]);
  await giveKeys(world.db, world.shop);
  const first = (await http.call('getDeepLink', { token, query })).data;
  expect(first).toMatchObject({ is_enrolled: false, link: expect.stringContaining('/emm/linkflapk#') });
  expect((await http.call('getDeepLink', { token, query })).data.link).toBe(first.link);
  expect(await codesOf(waiting)).toBe(1);
});

test('where a phone in use has no deep link the answer says what to do: make a new one', async () => {
  const inUse = await world.sell();
  await world.db.plant(['devices'], 'update devices set provisioning_type = 2 where device_id = $1', [inUse.deviceId]);
  const query = { customer_id: inUse.customerId };
  expect(await http.call('getDeepLink', { token, query })).toMatchObject({ status: 409, code: 'ENROLMENT_TOKEN_USED' });
});
