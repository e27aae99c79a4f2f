import { beforeAll, expect, test } from 'vitest';
import { type Access, LOCK_ACCESS_WORDS, USER_ACCESS_WORDS } from '@kist/contract/access';
import { COMMAND_TYPES, TAKING_COMMANDS } from '@kist/contract/commands';
import type { Endpoint } from '@kist/contract/endpoint';
import { ENDPOINTS } from '@kist/contract/endpoints';
import type { CallName } from '@kist/contract/paths';
import { newId } from '#server/platform/ids.ts';
import {
  type CallInput,
  type TestApp,
  createOrganisation,
  createSession,
  createTestApp,
  createUser,
} from '#test/http.ts';
import { route } from './route.ts';

/**
 * Which words each call needs, written from the specification's section 6 and apart from the contract. `a b` both, `a|b` one of them, `(a)` only a
 * mini-retailer's; '' is for everybody who is signed in, or nobody yet.
 */
const TABLE: Record<string, string> = {
  getOrgAppConfig: '',
  getPrivacyPolicy: '',
  getAppConfigs: '',
  getAccessConfig: '',
  getUserAccess: '',
  listUsers: 'read',
  getUsers: 'read',
  addUser: 'active_deactive',
  updateUser: '',
  suspendUser: 'active_deactive',
  activateUser: 'active_deactive',
  readUserById: '',
  getUserDetails: '',
  getRetailerProfile: '',
  getRetailerProfileOfCountry: '',
  uploadRetailerQr: '',
  uploadRetailerSignature: '',
  getUserPicture: '',
  transferCustomers: 'active_deactive read',
  signupRequest: '',
  loginWithOtp: '',
  verifyOtpAuth: '',
  resendOtp: '',
  forgotPassword: '',
  resetPassword: '',
  setMpin: '',
  logout: '',
  getOauthUrl: '',
  oauthCallback: '',
  offerPasskey: '',
  addPasskey: '',
  askPasskey: '',
  enterByPasskey: '',
  myPasskeys: '',
  removePasskey: '',
  mySessions: '',
  logoutMySession: '',
  'sendOtpToUser UNINSTALL': 'unistall uninstall',
  'sendOtpToUser BYPASS_CODE': 'lock_unlock unlock',
  listCustomers: 'read',
  listFinancers: 'active_deactive',
  financerList: 'active_deactive',
  createCustomerHdb: 'active_deactive',
  getCustomerProfile: 'read',
  getDocument: 'read',
  getCustomerDocuments: 'read',
  listCustomersKeygen: 'read',
  customerEmiDetails: 'read',
  uploadCustomerDocument: 'active_deactive',
  registerCustomer: 'active_deactive',
  sendConsentCode: 'active_deactive',
  collectConsent: 'active_deactive',
  deleteDraft: 'active_deactive',
  previewCancellation: 'active_deactive read',
  cancelAgreement: 'active_deactive read',
  getCustomerData: 'read',
  previewErasure: 'active_deactive',
  eraseCustomer: 'active_deactive',
  previewExchange: 'active_deactive',
  updateCustomerDetails: 'active_deactive',
  generateEmmCode: 'active_deactive',
  generateLinkCode: 'active_deactive',
  getDeepLink: 'active_deactive',
  checkStatus: 'active_deactive',
  getCustomerQrCode: 'active_deactive',
  uploadSignature: 'active_deactive',
  uploadCustomerPhoto: 'active_deactive',
  uploadWitnessSignature: 'active_deactive',
  uploadInvoice: 'active_deactive',
  listPlans: 'read|active_deactive',
  getProducts: 'read|active_deactive',
  readPlanById: 'read|active_deactive',
  getBrands: 'read|active_deactive',
  getCountries: '',
  getStates: '',
  getCities: '',
  getPhoneModel: 'active_deactive',
  getKeys: 'read|active_deactive',
  transferKeys: 'active_deactive',
  takeBackKeys: 'active_deactive',
  previewEmi: '',
  getEmiDetails: 'read',
  getUpcomingEmi: 'read',
  upcomingEmiCounts: 'read',
  listCollections: 'read',
  getDashboard: 'read',
  getTotalOutstanding: 'read',
  trialBalance: 'read',
  getAuditRoots: '',
  getCustomerHistory: 'read',
  previewEmiEdit: 'active_deactive read',
  sendNumberCode: 'active_deactive',
  sendEmiEditCode: 'active_deactive read',
  updateEmiDetails: 'active_deactive read',
  updateEmiStatus: 'read',
  multipleEmiPaid: 'read',
  reversePayment: 'read',
  claimPayment: '',
  answerClaim: 'read',
  getPayTo: 'read',
  getNoticeLink: 'read',
  getCertificate: 'read',
  renewNoticeLink: 'feature_access read',
  listRefunds: 'read',
  refundDone: 'read',
  sendPenalty: 'read',
  waivePenalty: 'read',
  decideWaiver: 'read',
  refusePhoneClaim: 'read',
  previewEmiAlert: 'feature_access read',
  getPhoneMessages: 'feature_access read',
  sendEmiAlert: 'feature_access',
  'sendCommand lock': 'lock_unlock lock',
  'sendCommand unlock': 'lock_unlock unlock',
  'sendCommand *': 'feature_access',
  'previewCommand lock': 'lock_unlock lock read',
  'previewCommand *': 'feature_access read',
  'bulkCommand lock': 'lock_unlock lock (bulk_retailer)',
  'bulkCommand unlock': 'lock_unlock unlock (bulk_retailer)',
  decideBatch: 'lock_unlock lock',
  getBatch: 'read',
  getDevice: 'read',
  getTimeline: 'read',
  sendTheftCode: 'feature_access',
  reportTheft: 'feature_access',
  liftTheft: 'feature_access',
  openDispute: '',
  escalateDispute: '',
  decideDispute: '',
  listDisputes: '',
  listCompensations: '',
  payCompensation: '',
  closeDispute: 'lock_unlock lock',
  decideOverride: 'lock_unlock lock',
  listWaiting: 'read',
  unclaimCustomer: 'active_deactive',
  unclaim: 'active_deactive',
  reportLost: '',
  withdrawLost: '',
  setHold: 'lock_unlock unlock',
  liftHold: 'lock_unlock lock',
  listNotifications: 'read',
  readNotifications: '',
  getInvariants: '',
  getLockPolicy: '',
  choosePolicy: '',
  changePolicy: '',
  previewPolicy: '',
  getLockRules: 'read',
  getComingSteps: 'read',
  listHolidays: '',
  addHolidays: '',
  removeHolidays: '',
};
const WORDS = [...USER_ACCESS_WORDS, ...LOCK_ACCESS_WORDS];
const calls = Object.entries(ENDPOINTS) as [CallName, Endpoint][];

interface Asked {
  row: string;
  name: CallName;
  input: CallInput<CallName>;
}
const customer_id = newId();
const params = { device_id: newId(), batch_id: newId(), command: 'lock' };
const plain = (name: CallName): Asked => ({ row: name, name, input: { params, rawBody: {} } });
/** Calls whose words hang on what is asked, with something of each. */
const BY_INPUT: Partial<Record<CallName, readonly Asked[]>> = {
  sendOtpToUser: ['UNINSTALL', 'BYPASS_CODE'].map((purpose) => ({
    row: `sendOtpToUser ${purpose}`,
    name: 'sendOtpToUser',
    input: { rawBody: { purpose, customer_id } },
  })),
  sendCommand: COMMAND_TYPES.map((command) => ({
    row: command === 'lock' || command === 'unlock' ? `sendCommand ${command}` : 'sendCommand *',
    name: 'sendCommand',
    input: { params: { command }, rawBody: { customer_id } },
  })),
  previewCommand: (['lock', ...TAKING_COMMANDS] as const).map((command) => ({
    row: command === 'lock' ? 'previewCommand lock' : 'previewCommand *',
    name: 'previewCommand',
    input: { params: { command }, rawBody: { customer_id } },
  })),
  bulkCommand: ['lock', 'unlock'].map((command) => ({
    row: `bulkCommand ${command}`,
    name: 'bulkCommand',
    input: { rawBody: { command, reason: 'EMI_OVERDUE', customer_ids: [customer_id] } },
  })),
};
const asked: Asked[] = calls.flatMap(([name]) => BY_INPUT[name] ?? [plain(name)]);

type Shop = 'retailer' | 'miniretailer';
/** By the table, is the call refused to a user whose words at '0' are these? */
const isRefused = (row: string, userType: Shop, off: readonly string[]): boolean =>
  (TABLE[row] ?? '').split(' ').some((need) => {
    if (need === '') return false;
    if (need.startsWith('(')) return userType === 'miniretailer' && off.includes(need.slice(1, -1));
    return need.split('|').every((word) => off.includes(word));
  });

let http: TestApp;
const tokens = new Map<string, string>();
/** Each word at '0' alone, all but none, none but all. */
const USERS: readonly { label: string; off: readonly string[] }[] = [
  ...WORDS.map((word) => ({ label: `without ${word}`, off: [word] })),
  { label: 'with all nine', off: [] },
  { label: 'with none of the nine', off: WORDS },
];

beforeAll(async () => {
  http = await createTestApp({
    limitFactor: 1e6,
    register: (app) => {
      for (const [name] of calls)
        route(app, name, async () => {
          throw new Error('reached');
        });
    },
  });
  await createOrganisation(http.db, { orgId: 20 });
  for (const userType of ['retailer', 'miniretailer', 'customer'] as const)
    for (const { label, off } of USERS) {
      const given = (words: readonly string[]) =>
        Object.fromEntries(words.map((word) => [word, off.includes(word) ? ('0' as const) : ('1' as const)]));
      const user = await createUser(http.db, {
        userType,
        access: given(USER_ACCESS_WORDS),
        lockAccess: given(LOCK_ACCESS_WORDS),
        ...(userType === 'customer' ? { customerId: newId() } : {}),
      });
      tokens.set(`${userType} ${label}`, await createSession(http.db, user));
    }
});

test('every call has a row here, and says in the contract which words it needs, or why none', () => {
  expect([...new Set(asked.map(({ row }) => row))].toSorted()).toEqual(Object.keys(TABLE).toSorted());
  for (const [name, { access }] of calls) {
    const declared: Access | undefined = access;
    expect(declared, name).toBeDefined();
    if ('none' in declared) expect(declared.none.length, name).toBeGreaterThan(5);
  }
});

test.each((['retailer', 'miniretailer'] as const).flatMap((userType) => USERS.map((user) => ({ userType, ...user }))))(
  'a $userType $label is refused exactly the calls of the table',
  async ({ userType, label, off }) => {
    const token = tokens.get(`${userType} ${label}`)!;
    const wrong: string[] = [];
    for (const { row, name, input } of asked) {
      const { auth } = ENDPOINTS[name] as Endpoint;
      const { status, code } = await http.call(name, { ...input, ...(auth === 'public' ? {} : { token }) });
      // What is not for this type of user at all is refused with another word.
      const isTheirs = typeof auth === 'string' || auth.includes(userType);
      const expected = isTheirs && auth !== 'public' && isRefused(row, userType, off);
      const refused = status === 403 && code === 'FEATURE_NOT_ALLOWED';
      if (refused !== expected) wrong.push(`${row}: ${code}, by the table ${expected ? 'refused' : 'allowed'}`);
    }
    expect(wrong).toEqual([]);
  },
);

test('a customer’s own calls ask for none of the words', async () => {
  const token = tokens.get('customer with none of the nine')!;
  for (const { name, input } of asked.filter((one) => (ENDPOINTS[one.name] as Endpoint).auth === 'session'))
    expect([name, (await http.call(name, { ...input, token })).code]).not.toEqual([name, 'FEATURE_NOT_ALLOWED']);
});

test('a refusal names the word that is missing', async () => {
  const token = tokens.get('retailer without read')!;
  const { details } = await http.call('getDashboard', { token });
  expect(details).toEqual({ access: 'read' });
});
