import { generateKeyPairSync } from 'node:crypto';
import { cpSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { PLAN } from '@kist/contract/codes';
import { composeServices, localesDir } from '#server/compose.ts';
import { createLog } from '#server/platform/log.ts';
import { encodePng } from '#server/platform/png.ts';
import { signingKeyFromPem } from '#server/platform/signing-key.ts';
import { registerEverything } from '#server/serve.ts';
import { credit } from '#server/wallet/wallet.ts';
import { createTestDatabase } from '#test/database.ts';
import { imei, makeOrganisation } from '#test/factories.ts';
import { type ForeignAnswer, ForeignClient, type ForeignRequest } from '#test/foreign-client.ts';
import { createTestApp, createUser, lastOtp } from '#test/http.ts';
import { createPhone } from '#test/phone.ts';

/** The parameters that the specification's section 3 names, with what somebody would put in them. */
const parameters = (known: Known): Record<string, string> => ({
  customer_id: known.customerId,
  device_id: 'a-browser-of-their-own-000000000001',
  mpin: '4821',
  status: 'all',
  deviceQuery: 'redmi',
  lock_status: '0',
  account_id: known.accountId,
  app_type: '0',
  document_type: 'Photo',
  from: '2020-01-01',
  to: '2090-12-31',
  user_type: 'RETAILER',
  image_name: 'photo.png',
  page: '1',
  search: 'a',
  refresh: 'true',
  retailer_id: known.userId,
  device_query: 'redmi',
  user_id: known.userId,
  product_id: '1',
  plan_id: '1',
  serial_number: 'SER1',
});

/** What the client has learnt so far, from answers only. */
interface Known {
  mobile: string;
  code: string;
  userId: string;
  accountId: string;
  customerId: string;
  instalments: string[];
  sessionId: string;
  resetToken: string;
}
interface Step {
  call: string;
  send?: (known: Known) => ForeignRequest | Promise<ForeignRequest>;
  /** 200 unless said; of several any, where the lock gate decides. */
  status?: number | number[];
  // oxlint-disable-next-line typescript/no-explicit-any -- a client that knows no types of ours
  shows?: (data: any, known: Known) => unknown;
}

const picture = encodePng('bits', 64, 64, (y, bytes) => bytes.fill(y % 2 ? 0xaa : 0x55));
const deviceId = 'foreign-browser-000000000001';
const ofCustomer = ({ customerId }: Known) => ({ query: { customer_id: customerId } });
const order = (call: string, more: Partial<Step> & { body?: object } = {}): Step => ({
  call: `POST /api/device/commands/${call}`,
  send: ({ customerId }) => ({ body: { customer_id: customerId, ...more.body } }),
  ...more,
});

/** The specification's section 7 as far as it is served, in the order in which a shop would come to it. */
const NOW: Step[] = [
  { call: 'GET locales/hn.json', shows: (words) => expect(words).toHaveProperty('errors') },
  {
    call: 'GET api/organizations/get_org_app_config',
    shows: (data) =>
      expect(data).toMatchObject({
        orgId: 20,
        orgName: expect.any(String),
        companyName: expect.any(String),
        parentCompanyName: expect.any(String),
        aiName: expect.any(String),
        aiAgentId: expect.any(String),
        inactive_warning_organisations: [35, 36, 46],
        special_organisations: expect.any(Array),
        organisations: { 'Shop 20': 20 },
        languages: ['en', 'hn', 'mr', 'gj', 'sp', 'bd', 'kn', 'tg', 'tm', 'pp'],
        flags: { witness_signature_layout: false, payment_gateway: false },
      }),
  },
  {
    call: 'GET api/config/get_app_configs',
    shows: (data) => expect(data.limits).toMatchObject({ cacheS: 300, antihackingCacheS: 5, unusedDataS: 60 }),
  },
  { call: 'POST /api/auth/forgot-password', send: ({ mobile }) => ({ body: { mobile } }) },
  {
    call: 'POST /api/auth/reset-password',
    send: () => ({ body: { reset_token: 'nobody-gave-it', mpin: '4821' } }),
    status: 400,
  },
  { call: 'POST /api/auth/loginWithOtp', send: ({ mobile }) => ({ body: { mobile, device_id: deviceId } }) },
  { call: 'POST api/auth/resend-otp', send: ({ mobile }) => ({ body: { mobile, purpose: 'LOGIN' } }), status: 429 },
  {
    call: 'POST /api/auth/verifyOtpAuth',
    send: async (known) => {
      const otp = await lastOtp(db, 20, `+91${known.mobile}`);
      return { body: { mobile: known.mobile, otp, purpose: 'LOGIN', device_id: deviceId } };
    },
    shows: (data, known) => {
      expect(data).toMatchObject({ user_type: 'retailer', mpin_set: false });
      client.token = data.token;
      Object.assign(known, { userId: data.user_id, accountId: data.account_id });
    },
  },
  {
    call: 'GET api/config/access-config',
    shows: (data) => expect(data).toEqual({ lock: '1', unlock: '1', read: '1', uninstall: '1' }),
  },
  {
    call: 'GET api/user/user_access',
    shows: (data) => expect(data).toMatchObject({ unistall: '1', bulk_retailer: '0' }),
  },
  {
    call: 'GET /api/sessions/my-sessions',
    shows: (data, known) => Object.assign(known, { sessionId: data[0].session_id }),
  },
  { call: 'GET api/plans', shows: (data) => expect(data[0]).toMatchObject({ plan_id: 1, plan_type: 0 }) },
  { call: 'GET api/points/getBalanceTypesWithScheme', shows: (data) => expect(data[0]).toMatchObject({ paid: 5 }) },
  {
    call: 'POST /country/customerRegistrationByKegenUpdateV3',
    send: () => ({
      body: {
        plan_id: 1,
        firstName: 'Savita',
        lastName: 'More',
        email: 'savita@example.in',
        mobile: '9812345678',
        device: { imei1: imei(7001), brand: 'Redmi', model: '13C', serial: 'SER1' },
        emi: {
          method: 'ZERO',
          cash_price: 12_000_00,
          down_payment: 0,
          rate_bps: 0,
          tenure: 6,
          frequency: 'MONTHLY',
          delivered_on: new Date(Date.now() + 5.5 * 3_600_000).toISOString().slice(0, 10),
        },
        consent: { text_version: '1', language: 'en', method: 'typed', typed_name: 'Savita More', accepted: true },
      },
    }),
    shows: (data, known) => Object.assign(known, { customerId: data.customer_id }),
  },
  { call: 'GET /api/customer', send: () => ({ query: { status: 'all', page: 1, search: '' } }), shows: isOneCustomer },
  {
    call: 'GET /api/customer/get_customers_keygen',
    send: () => ({ query: { lock_status: '' } }),
    shows: isOneCustomer,
  },
  {
    call: 'GET /country/getCustomerProfile',
    send: ofCustomer,
    shows: (data) =>
      expect(data.customer).toMatchObject({
        first_name: 'Savita',
        last_name: 'More',
        email: 'savita@example.in',
        mobile: '+919812345678',
      }),
  },
  {
    call: 'POST /upload/update_customer_details',
    send: ({ customerId }) => ({ body: { customer_id: customerId }, file: picture }),
  },
  { call: 'POST /upload/signature', send: ({ customerId }) => ({ body: { customer_id: customerId }, file: picture }) },
  {
    call: 'POST /api/customer/customer_document',
    send: ({ customerId }) => ({ body: { customer_id: customerId, document_type: 'Invoice' }, file: picture }),
  },
  {
    call: 'GET /api/customer/customer_document',
    send: ({ customerId }) => ({ query: { customer_id: customerId, document_type: 'invoice' } }),
    shows: (data) => {
      expect(data).toHaveLength(1);
      expect(data[0].data_url).toMatch(/^data:image\/png;base64,/);
    },
  },
  { call: 'GET /api/customer/generate_emm_code', send: ofCustomer },
  { call: 'GET /api/customer/get_customers_qrCode', send: ofCustomer, shows: (data) => enrol(data) },
  {
    call: 'GET /api/customer/get_customers_qrCode',
    send: ofCustomer,
    shows: (data) => expect(data).toMatchObject({ is_enrolled: true, status: 1, qr: null, image: null }),
  },
  {
    call: 'POST /country/get_emi_details',
    send: ({ customerId }) => ({ body: { customer_id: customerId } }),
    shows: (data, known) => {
      known.instalments = data.instalments.map((row: { instalment_id: string }) => row.instalment_id);
    },
  },
  { call: 'POST /api/emi/customer_emi_details', send: ({ customerId }) => ({ body: { customer_id: customerId } }) },
  { call: 'GET /api/emi/getUpcomingEmi', send: () => ({ query: { from: '2020-01-01', search: '' } }), shows: isPage },
  { call: 'GET /country/upcoming_emi_counts', shows: (data) => expect(data).toHaveLength(4) },
  {
    call: 'POST /country/send_emialert',
    send: ({ customerId }) => ({ body: { customer_id: customerId } }),
    shows: (data) => expect(data.sent).toEqual(['sms', 'phone']),
  },
  {
    call: 'POST /country/update_emi_status',
    send: ({ instalments }) => ({ body: { instalment_id: instalments[0], amount: 1_000_00, method: 'CASH' } }),
    shows: (data) => expect(data.receipt_no).toMatch(/\//),
  },
  {
    call: 'POST /api/emi/multiple_emi_paid',
    send: ({ customerId, instalments }) => ({
      body: { customer_id: customerId, instalment_ids: instalments.slice(0, 2), method: 'UPI' },
    }),
  },
  {
    call: 'GET /api/stats/get_keygen_dashboardV1',
    send: ({ userId }) => ({ query: { from: '', to: '', retailer_id: userId, plan_id: '', refresh: true } }),
    shows: (data) => expect(data).toMatchObject({ statuses: { all: 1, 1: 1 }, today: { collected_paise: 4_000_00 } }),
  },
  { call: 'GET /api/stats/getTotalOutStanding', shows: (data) => expect(data.outstanding_paise).toBe(8_000_00) },
  { call: 'GET /api/notifications', shows: isPage },
  order('lock', { status: 422 }),
  order('unlock'),
  order('app_lock', { status: [200, 422] }),
  order('app_unlock'),
  order('camera_lock', { status: [200, 422] }),
  order('camera_unlock'),
  order('set_wallpaper', { status: [200, 422] }),
  order('remove_wallpaper'),
  order('location'),
  order('reboot'),
  order('sim_info'),
  order('emi_alert', { body: { value: 'Please come by' } }),
  {
    call: 'POST /api/device/bulk',
    send: () => ({ body: { command: 'lock', reason: 'EMI_OVERDUE', filter: { status: 'all' }, dry_run: true } }),
    shows: (data) => expect(data).toMatchObject({ total: 1, allowed: 0, refused: 1 }),
  },
  {
    call: 'POST /api/auth/send-otp-to-user',
    send: ({ customerId }) => ({ body: { purpose: 'BYPASS_CODE', customer_id: customerId } }),
  },
  {
    call: 'POST /api/sessions/logout-my-session',
    send: () => ({ body: { session_id: '01890a5d-ac96-774b-bcce-b302099a8057' } }),
    status: 404,
  },
  { call: 'POST /api/auth/logout' },
];

/** What the specification names besides and this server does not serve yet. Whoever builds one moves it up; the count below falls. */
const LATER = [
  'api/auth/getOauthUrl',
  'api/auth/offline_lock_unlock',
  'api/user/signup_request',
  'api/customer/create-customer-hdb',
  'api/customer/customer_sim_change_details',
  'api/customer/send_penalty',
  'api/customer/ouc-code',
  'api/customer/get_deep_link',
  'api/customer/get_plans_familycare',
  'api/customer/get_plans_antihacking',
  'api/customer/add_antihacking',
  'country/update_customer_detailsV3',
  'upload/invoice',
  'api/emi/customer_emi_pin',
  'country/update_emi_details',
  'api/user',
  'api/user/readById',
  'api/user/get-details',
  'api/user/getRetailerProfile',
  'country/getRetailerProfile',
  'country/addUsers',
  'country/updateUsers',
  'country/getUsers',
  'upload/retailer_qr',
  'upload/retailer_signature',
  'api/transaction/getRetailerTransactionV2',
  'api/payments',
  'api/payments/validate',
  'api/products',
  'api/brands',
  'api/plans/readById',
  'api/csc/countries',
  'api/csc/states',
  'api/csc/cities',
  'api/medias',
  ...[
    'usb_on',
    'usb_off',
    'tracking',
    'tracking_on',
    'tracking_off',
    'online_tracking_on',
    'online_tracking_off',
    'offline_tracking_on',
    'offline_tracking_off',
    'SIMTRACKINGON',
    'SIMTRACKINGOFF',
    'SIMTRACKINGOFFLINEON',
    'SIMTRACKINGOFFLINEOFF',
    'wallpaper_alert',
    'lost_mode_on',
    'lost_mode_off',
    'antitheft_lost_mode',
    'outgoing_call',
    'bluetooth',
    'wifi',
    'airplane_mode',
    'accessibility',
    'permissions',
    'app_hide',
    'app_unhide',
    'sim_lock',
    'sim_unlock',
    'uninstall',
    'uninstall_antitheft',
    'install_apple_onemodapp',
  ].map((command) => `api/device/commands/${command}`),
  'api/device/schedule',
  'api/device/get_device_bypass_code',
  'api/device/unclaim_customer',
  'api/device/offline_command_log',
  'country/unclaim',
  'country/unclaim_apple',
  'api/apple/sync',
  'api/apple/qr',
  'api/apple/disable_activation_lock',
  'api/apple/install_onemode_app',
  'emm/generate_code',
  'emm/generate_code_linkfl',
  'emm/linkflapk',
  'country/financer_list',
];

function isPage(data: unknown): void {
  expect(data).toEqual({ list: expect.any(Array), total: expect.any(Number), page: 1, page_size: 20 });
}
function isOneCustomer(data: { list: object[]; total: number }): void {
  isPage(data);
  expect([data.total, data.list[0]]).toEqual([1, expect.objectContaining({ first_name: 'Savita' })]);
}

let db: Awaited<ReturnType<typeof createTestDatabase>>;
let client: ForeignClient;
let phoneOf: (number: string) => ReturnType<typeof createPhone>;
const known = { customerId: '', instalments: [] } as unknown as Known;

/** The phone on the counter reads what the answer shows. */
async function enrol(data: { qr: string; image: string; is_enrolled: boolean }): Promise<void> {
  expect(data).toMatchObject({ is_enrolled: false, image: expect.stringMatching(/^data:image\/png;base64,iVBOR/) });
  const bundle = JSON.parse(data.qr)['android.app.extra.PROVISIONING_ADMIN_EXTRAS_BUNDLE'];
  const enrolled = await phoneOf(imei(7001)).enrol(bundle['kist.token']);
  expect(enrolled.status).toBe(200);
}

/** As much of a built app as a client that is not ours asks for. */
function builtApp(): string {
  const folder = mkdtempSync(path.join(tmpdir(), 'kist-foreign-'));
  afterAll(() => rmSync(folder, { recursive: true }));
  writeFileSync(path.join(folder, 'index.html'), '<!doctype html><title>EMI</title>');
  cpSync(localesDir, path.join(folder, 'locales'), { recursive: true });
  return folder;
}

beforeAll(async () => {
  db = await createTestDatabase();
  await makeOrganisation(db, 20);
  const user = await createUser(db);
  known.mobile = user.mobile.slice(3);
  await db.transaction(20, (tx) =>
    credit(tx, { userId: user.userId, planType: PLAN.DPC, lot: 'paid', count: 5, effectKey: 'foreign' }),
  );
  const { privateKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' });
  const services = composeServices({
    db,
    log: createLog('silent'),
    config: {
      keys: { current: 1, keys: new Map([[1, Buffer.alloc(32, 9)]]) },
      agentKey: signingKeyFromPem(privateKey.export({ format: 'pem', type: 'pkcs8' }).toString()),
      agentPackage: { url: 'http://127.0.0.1/agent.apk', signatureChecksum: 'checksum' },
      publicUrl: 'http://127.0.0.1',
      ownUrl: 'http://127.0.0.1',
      sms: undefined,
    },
  });
  const { app } = await createTestApp({
    database: db,
    limitFactor: 1e6,
    settings: { localesDir, webDir: builtApp() },
    register: (made) => registerEverything(made, services, undefined),
  });
  await app.fastify.listen({ port: 0, host: '127.0.0.1' });
  client = new ForeignClient(`http://127.0.0.1:${(app.fastify.server.address() as AddressInfo).port}`);
  phoneOf = (number) => createPhone(app.fastify, services.plane.key.spki, number);
  afterAll(() => services.waker.close());
});

const isOurs = ({ status, contentType, body }: ForeignAnswer): void => {
  expect(contentType).toBe('application/json; charset=utf-8');
  expect(body).toMatchObject({
    status,
    response: status === 200 ? 'success' : 'failure',
    message: expect.any(String),
    ...(status === 200 ? { data: expect.anything() } : { code: expect.stringMatching(/^[A-Z_]+$/) }),
  });
};

describe('a client written from the specification alone', () => {
  test('is told 511 in our shape by every call that needs a session, and nothing else by them', async () => {
    const open = /locales|get_org_app_config|get_app_configs|api\/auth\/(?!send-otp|logout)/;
    for (const { call } of NOW.filter((step) => !open.test(step.call))) {
      const answer = await client.ask(call, { accept: 'text/html' });
      expect([call, answer.status, answer.body.code]).toEqual([call, 511, 'SESSION_REQUIRED']);
      isOurs(answer);
    }
  });

  // One story: each call stands on what the ones before it made.
  for (const [place, { call, send, status = 200, shows }] of NOW.slice(0, -1).entries())
    test(`${place + 1}. ${call}`, async () => {
      const answer = await client.ask(call, await send?.(known));
      expect([status].flat(), JSON.stringify(answer.body).slice(0, 400)).toContain(answer.status);
      if (!call.includes('locales')) isOurs(answer);
      await shows?.(call.includes('locales') ? answer.body : answer.body.data, known);
    });

  const kinds = [
    ...new Map(NOW.filter(({ call }) => !/locales|logout$/.test(call)).map((step) => [step.call, step])).values(),
  ];
  test.each(kinds)('$call takes every parameter that the specification names, and no other', async ({ call, send }) => {
    const given = (await send?.(known)) ?? {};
    const isRead = call.startsWith('GET');
    const withParameter = (name: string, value: string): ForeignRequest => ({
      ...given,
      ...(isRead
        ? { query: { [name]: value, ...given.query } }
        : { query: { [name]: value }, body: { [name]: value } }),
    });
    const complaints = async (name: string, value: string): Promise<string[]> => {
      const { status, body } = await client.ask(call, withParameter(name, value));
      if (isRead && name !== 'nobody_knows') expect([name, status]).toEqual([name, 200]);
      return (body.errors ?? []).flatMap((error: { path: string; code: string }) =>
        error.path === name && error.code === 'field.unknown' ? [name] : [],
      );
    };
    for (const [name, value] of Object.entries(parameters(known))) expect(await complaints(name, value)).toEqual([]);
    expect(await complaints('nobody_knows', '1')).toEqual(['nobody_knows']);
  });

  test('gets what its parameters mean: each narrows the list, in whatever letters', async () => {
    const total = async (query: Record<string, string>) =>
      (await client.ask('GET /api/customer', { query })).body.data.total as number;
    for (const [name, hit, miss] of [
      ['customer_id', known.customerId, '01890a5d-ac96-774b-bcce-b302099a8057'],
      ['status', '1', '2'],
      ['deviceQuery', 'redMI', 'iphone'],
      ['device_query', imei(7001).slice(2, 9), '99999999'],
      ['lock_status', '0', '1'],
      ['account_id', known.accountId, '01890a5d-ac96-774b-bcce-b302099a8057'],
      ['user_id', known.userId, '01890a5d-ac96-774b-bcce-b302099a8057'],
      ['retailer_id', known.userId, '01890a5d-ac96-774b-bcce-b302099a8057'],
      ['user_type', 'Retailer', 'MINIRETAILER'],
      ['app_type', '0', '2'],
      ['plan_id', '1', '2'],
      ['product_id', '1', '2'],
      ['serial_number', 'SER1', 'SER2'],
      ['search', 'savita', 'nobody'],
      ['from', '2020-01-01', '2090-01-01'],
      ['to', '2090-01-01', '2020-01-01'],
    ] as const)
      expect([name, await total({ [name]: hit }), await total({ [name]: miss })]).toEqual([name, 1, 0]);
  });

  test('finds what is not served yet missing by our own word, never as a page', async () => {
    expect(LATER).toHaveLength(79);
    for (const call of LATER)
      for (const method of ['GET', 'POST']) {
        const answer = await client.ask(`${method} ${call}`, { accept: 'text/html' });
        const isOtherMethod = answer.status === 405;
        expect([call, method, isOtherMethod || answer.body.code]).toEqual([call, method, isOtherMethod || 'NOT_FOUND']);
        isOurs(answer);
      }
  });

  test('logs out, and every call after that is 511', async () => {
    const { call } = NOW.at(-1)!;
    isOurs(await client.ask(call, { body: { device_id: deviceId } }));
    expect((await client.ask('GET /api/customer')).status).toBe(511);
  });
});
