import { expect } from 'vitest';
import { writeBlackAndWhite } from '#server/platform/png.ts';
import { imei } from './factories.ts';
import type { ForeignRequest } from './foreign-client.ts';

/** The phone that the run sells. */
export const PHONE = imei(7001);

/** The parameters that the specification's section 3 names, with what somebody would put in them. */
export const parameters = (known: Known): Record<string, string> => ({
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
export interface Known {
  mobile: string;
  userId: string;
  accountId: string;
  customerId: string;
  manualCode: string;
  instalments: string[];
  sessionId: string;
  /** The code that came by text message. */
  readCode(): Promise<string>;
  keepToken(token: string): void;
  /** The phone on the counter reads what the answer shows. */
  enrol(data: { qr: string; image: string; is_enrolled: boolean }): Promise<void>;
}
interface Step {
  call: string;
  send?: (known: Known) => ForeignRequest | Promise<ForeignRequest>;
  /** 200 unless said; of several any, where the lock gate decides. */
  status?: number | number[];
  // oxlint-disable-next-line typescript/no-explicit-any -- a client that knows no types of ours
  learn?: (data: any, known: Known) => unknown;
}

const picture = writeBlackAndWhite(64, 64, (x, y) => (x + y) % 2 === 0);
export const deviceId = 'foreign-browser-000000000001';
const ofCustomer = ({ customerId }: Known) => ({ query: { customer_id: customerId } });
const order = (call: string, more: Partial<Step> & { body?: object } = {}): Step => ({
  call: `POST /api/device/commands/${call}`,
  send: ({ customerId }) => ({ body: { customer_id: customerId, ...more.body } }),
  ...more,
});

/** The specification's section 7 as far as it is served, in the order in which a shop would come to it. */
export const NOW: Step[] = [
  { call: 'GET locales/hn.json', learn: (words) => expect(words).toHaveProperty('errors') },
  {
    call: 'GET api/organizations/get_org_app_config',
    learn: (data) =>
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
    learn: (data) => expect(data.limits).toMatchObject({ cacheS: 300, antihackingCacheS: 5, unusedDataS: 60 }),
  },
  {
    call: 'GET api/auth/getOauthUrl',
    learn: (data) => expect(data.url).toMatch(/^http:\/\/127\.0\.0\.1:\d+\/auth\?.*code_challenge_method=S256/),
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
      const otp = await known.readCode();
      return { body: { mobile: known.mobile, otp, purpose: 'LOGIN', device_id: deviceId } };
    },
    learn: (data, known) => {
      expect(data).toMatchObject({ user_type: 'retailer', mpin_set: false });
      known.keepToken(data.token);
      Object.assign(known, { userId: data.user_id, accountId: data.account_id });
    },
  },
  {
    call: 'GET api/config/access-config',
    learn: (data) => expect(data).toEqual({ lock: '1', unlock: '1', read: '1', uninstall: '1' }),
  },
  {
    call: 'GET api/user/user_access',
    learn: (data) => expect(data).toMatchObject({ unistall: '1', bulk_retailer: '0' }),
  },
  {
    call: 'GET /api/sessions/my-sessions',
    learn: (data, known) => Object.assign(known, { sessionId: data[0].session_id }),
  },
  { call: 'GET api/products', learn: (data) => expect(data[0]).toMatchObject({ id: 1, provisioning: 'DPC' }) },
  { call: 'GET api/brands', learn: (data) => expect(data[0]).toEqual({ name: 'Samsung', models: [] }) },
  {
    call: 'POST api/plans/readById',
    send: () => ({ body: { plan_id: 1 } }),
    learn: (data) => expect(data).toMatchObject({ plan_id: 1, plan_type_name: 'DPC', keys_left: 5 }),
  },
  { call: 'GET api/csc/countries', learn: (data) => expect(data).toContainEqual({ code: 'IN', name: 'India' }) },
  { call: 'GET api/csc/states', learn: (data) => expect(data).toHaveLength(36) },
  { call: 'GET api/csc/cities', learn: (data) => expect(data.length).toBeGreaterThan(600) },
  { call: 'GET api/plans', learn: (data) => expect(data[0]).toMatchObject({ plan_id: 1, plan_type: 0 }) },
  { call: 'GET api/points/getBalanceTypesWithScheme', learn: (data) => expect(data[0]).toMatchObject({ paid: 5 }) },
  {
    call: 'POST /country/customerRegistrationByKegenUpdateV3',
    send: () => ({
      body: {
        plan_id: 1,
        firstName: 'Savita',
        lastName: 'More',
        email: 'savita@example.in',
        mobile: '9812345678',
        device: { imei1: PHONE, brand: 'Redmi', model: '13C', serial: 'SER1' },
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
    learn: (data, known) => Object.assign(known, { customerId: data.customer_id }),
  },
  { call: 'GET /api/customer', send: () => ({ query: { status: 'all', page: 1, search: '' } }), learn: isOneCustomer },
  {
    call: 'GET /api/customer/get_customers_keygen',
    send: () => ({ query: { lock_status: '' } }),
    learn: isOneCustomer,
  },
  {
    call: 'GET /country/getCustomerProfile',
    send: ofCustomer,
    learn: (data) =>
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
  { call: 'POST /upload/invoice', send: ({ customerId }) => ({ body: { customer_id: customerId }, file: picture }) },
  { call: 'POST /upload/signature', send: ({ customerId }) => ({ body: { customer_id: customerId }, file: picture }) },
  {
    call: 'POST /api/customer/customer_document',
    send: ({ customerId }) => ({ body: { customer_id: customerId, document_type: 'Invoice' }, file: picture }),
  },
  {
    call: 'GET /api/customer/customer_document',
    send: ({ customerId }) => ({ query: { customer_id: customerId, document_type: 'invoice' } }),
    learn: (data) => {
      expect(data).toHaveLength(1);
      expect(data[0].url).toMatch(/\/files\//);
    },
  },
  {
    call: 'GET /api/customer/generate_emm_code',
    send: ofCustomer,
    learn: (data, known) => {
      known.manualCode = data.manual_code;
    },
  },
  {
    call: 'GET /api/customer/get_customers_qrCode',
    send: ofCustomer,
    learn: (data, known) => {
      // Shown again, not made anew: the page that shows the first one goes on working.
      expect(data.manual_code).toBe(known.manualCode);
      return known.enrol(data);
    },
  },
  {
    call: 'GET /api/customer/get_customers_qrCode',
    send: ofCustomer,
    learn: (data) => expect(data).toMatchObject({ is_enrolled: true, status: 1, qr: null, image: null }),
  },
  {
    call: 'POST /country/get_emi_details',
    send: ({ customerId }) => ({ body: { customer_id: customerId } }),
    learn: (data, known) => {
      known.instalments = data.instalments.map((row: { instalment_id: string }) => row.instalment_id);
    },
  },
  { call: 'POST /api/emi/customer_emi_details', send: ({ customerId }) => ({ body: { customer_id: customerId } }) },
  { call: 'GET /api/emi/getUpcomingEmi', send: () => ({ query: { from: '2020-01-01', search: '' } }), learn: isPage },
  { call: 'GET /country/upcoming_emi_counts', learn: (data) => expect(data).toHaveLength(4) },
  {
    call: 'POST /country/send_emialert',
    send: ({ customerId }) => ({ body: { customer_id: customerId } }),
    learn: (data) => expect(data.sent).toEqual(['sms', 'phone']),
  },
  {
    call: 'POST /country/update_emi_status',
    send: ({ instalments }) => ({ body: { instalment_id: instalments[0], amount: 1_000_00, method: 'CASH' } }),
    learn: (data) => expect(data.receipt_no).toMatch(/\//),
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
    learn: (data) => expect(data).toMatchObject({ statuses: { all: 1, 1: 1 }, outstanding_paise: 8_000_00 }),
  },
  { call: 'GET /api/stats/getTotalOutStanding', learn: (data) => expect(data.outstanding_paise).toBe(8_000_00) },
  {
    call: 'POST /country/update_emi_details',
    send: ({ customerId }) => ({ body: { customer_id: customerId, tenure: 8, reason: 'wants to pay less a month' } }),
    learn: (data) => expect(data).toMatchObject({ outstanding_paise: 8_000_00, after: { tenure: 10 } }),
  },
  { call: 'GET /api/notifications', learn: isPage },
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
  // Reminded by send_emialert above: one throttle for both.
  order('emi_alert', { body: { value: 'visit_shop' }, status: 429 }),
  order('emi_alert', { body: { value: 'Please come by' }, status: 400 }),
  {
    call: 'POST /api/device/bulk',
    send: () => ({ body: { command: 'lock', reason: 'EMI_OVERDUE', filter: { status: 'all' }, dry_run: true } }),
    learn: (data) => expect(data).toMatchObject({ total: 1, allowed: 0, refused: 1 }),
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
  {
    call: 'POST /api/user/signup_request',
    send: () => ({ body: { mobile: '9812300077', first_name: 'Asha', shop_name: 'Asha Mobile' } }),
  },
  { call: 'GET /api/user' },
  { call: 'GET /country/getUsers' },
  {
    call: 'POST /country/addUsers',
    send: () => ({ body: { mobile: '9812300078', first_name: 'Meena', shop_name: 'Meena Mobile' } }),
    learn: (data, known) => void Object.assign(known, { otherId: data.user_id }),
  },
  {
    call: 'POST /country/updateUsers',
    send: (known) => ({ body: { user_id: (known as Known & { otherId: string }).otherId, first_name: 'Meena' } }),
  },
  { call: 'POST /api/user/readById', send: ({ userId }) => ({ body: { user_id: userId } }) },
  { call: 'GET /api/user/get-details', send: ({ userId }) => ({ query: { user_id: userId } }) },
  { call: 'GET /api/user/getRetailerProfile' },
  { call: 'GET /country/getRetailerProfile' },
  { call: 'POST /upload/retailer_qr', send: () => ({ body: {} }), status: 415 },
  { call: 'POST /upload/retailer_signature', send: () => ({ body: {} }), status: 415 },
  // The very phone that is sold is no other phone.
  {
    call: 'POST /country/update_customer_detailsV3',
    send: ({ customerId }) => ({
      body: {
        customer_id: customerId,
        edit: 'IMEI_EDIT',
        device: { imei1: PHONE, brand: 'Redmi', model: '13C' },
        reason: 'the screen broke',
      },
    }),
    status: 409,
  },
  {
    call: 'POST /country/update_customer_detailsV3',
    send: ({ customerId }) => ({
      body: { customer_id: customerId, lastName: 'Jadhav', email: 'savita.jadhav@example.in' },
    }),
    learn: (data) => expect(data.changed).toEqual(['last_name', 'email']),
  },
  // Whoever runs the installation has named no lender here.
  { call: 'GET /country/financer_list', learn: (data) => expect(data).toEqual([]) },
  { call: 'POST /country/financer_list', send: () => ({ body: {} }), learn: (data) => expect(data).toEqual([]) },
  {
    call: 'POST /api/customer/create-customer-hdb',
    send: () => ({
      body: {
        plan_id: 1,
        firstName: 'Savita',
        loan: { financer_id: 3, loan_account_no: 'GF-1', sanctioned_amount: 12_000_00, sanctioned_on: '2026-01-09' },
      },
    }),
    status: 400,
  },
  // Of a phone that is set up with a QR code.
  {
    call: 'GET /api/customer/get_deep_link',
    send: ({ customerId }) => ({ query: { customer_id: customerId } }),
    status: 422,
  },
  // Set up, and the agreement runs.
  {
    call: 'POST /api/device/unclaim_customer',
    send: ({ customerId }) => ({ body: { customer_id: customerId } }),
    status: 409,
  },
  { call: 'POST /country/unclaim', send: ({ customerId }) => ({ body: { customer_id: customerId } }), status: 409 },
  { call: 'POST /api/auth/logout' },
];

function isPage(data: unknown): void {
  expect(data).toEqual({ list: expect.any(Array), total: expect.any(Number), page: 1, page_size: 20 });
}
function isOneCustomer(data: { list: object[]; total: number }): void {
  isPage(data);
  expect([data.total, data.list[0]]).toEqual([1, expect.objectContaining({ first_name: 'Savita' })]);
}
