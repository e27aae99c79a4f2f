import { beforeAll, describe, expect, test } from 'vitest';
import { USER_TYPES } from '@kist/contract/codes';
import type { Endpoint } from '@kist/contract/endpoint';
import { ENDPOINTS } from '@kist/contract/endpoints';
import type { CallName } from '@kist/contract/paths';
import { newId } from '#server/platform/ids.ts';
import { type TestApp, createOrganisation, createSession, createTestApp, createUser } from '#test/http.ts';
import { route } from './route.ts';

const ROLES = ['retailer', 'miniretailer', 'customer', 'admin'] as const;
type Role = (typeof ROLES)[number];

/**
 * Who may make each call at all, written from what the product says of the roles and apart from the contract. Whose things they then find stands in
 * ownership.sweep.test.ts, which words they need in access.sweep.test.ts.
 */
const TABLE: readonly (readonly [who: 'anyone' | readonly Role[], calls: string])[] = [
  [
    'anyone',
    `getOrgAppConfig getAppConfigs signupRequest loginWithOtp verifyOtpAuth resendOtp forgotPassword resetPassword getAuditRoots getPrivacyPolicy askPasskey enterByPasskey getOauthUrl oauthCallback getCountries getStates getCities`,
  ],
  [
    // What is everybody's own, and what a customer reads of it as the shop does.
    ROLES,
    `getAccessConfig getUserAccess setMpin logout mySessions logoutMySession listNotifications readNotifications listHolidays
     getCustomerProfile getCustomerDocuments getDocument customerEmiDetails getEmiDetails getNoticeLink renewNoticeLink getPayTo getDevice getTimeline
     getCustomerHistory getCustomerData previewErasure eraseCustomer openDispute escalateDispute getCertificate
     myPasskeys offerPasskey addPasskey removePasskey`,
  ],
  [
    ['retailer', 'miniretailer', 'admin'],
    `listUsers getUsers updateUser readUserById getUserDetails getRetailerProfile getRetailerProfileOfCountry uploadRetailerQr uploadRetailerSignature
     getUserPicture decideWaiver decideOverride liftTheft getBatch listWaiting`,
  ],
  [['retailer', 'admin'], `addUser suspendUser activateUser transferCustomers trialBalance closeDispute decideBatch`],
  [
    ['retailer', 'miniretailer'],
    `sendOtpToUser listCustomers listCustomersKeygen registerCustomer sendConsentCode collectConsent deleteDraft listPlans getProducts readPlanById getBrands getPhoneModel getKeys
     previewCancellation cancelAgreement previewExchange updateCustomerDetails listFinancers financerList createCustomerHdb getDeepLink checkStatus generateEmmCode generateLinkCode getCustomerQrCode uploadSignature
     uploadCustomerPhoto uploadCustomerDocument previewEmi previewEmiEdit sendNumberCode sendEmiEditCode updateEmiDetails updateEmiStatus multipleEmiPaid reversePayment answerClaim refusePhoneClaim listRefunds refundDone
     getUpcomingEmi upcomingEmiCounts listCollections previewEmiAlert sendEmiAlert getDashboard getTotalOutstanding sendPenalty waivePenalty previewCommand bulkCommand
     getPhoneMessages getLockRules getComingSteps uploadWitnessSignature uploadInvoice unclaimCustomer unclaim setHold sendTheftCode reportTheft`,
  ],
  [['retailer'], `liftHold transferKeys takeBackKeys`],
  [['customer'], `claimPayment reportLost withdrawLost`],
  // Of a customer one order alone, by the route: routes/locking.test.ts.
  [['retailer', 'miniretailer', 'customer'], `sendCommand`],
  [
    ['admin'],
    `decideDispute listDisputes listCompensations payCompensation getInvariants getLockPolicy choosePolicy changePolicy previewPolicy addHolidays removeHolidays`,
  ],
];
const rows = TABLE.flatMap(([who, calls]) => calls.split(/\s+/).map((name) => [name as CallName, who] as const));

let http: TestApp;
const tokens = new Map<string, string>();

beforeAll(async () => {
  http = await createTestApp({
    limitFactor: 1e6,
    register: (app) => {
      for (const name of Object.keys(ENDPOINTS) as CallName[])
        route(app, name, async () => {
          throw new Error('reached');
        });
    },
  });
  for (const orgId of [20, 21]) await createOrganisation(http.db, { orgId });
  const enter = async (label: string, options: Parameters<typeof createUser>[1]) => {
    const user = await createUser(http.db, options);
    tokens.set(label, await createSession(http.db, user));
    return user.userId;
  };
  for (const userType of ROLES) {
    await enter(userType, { userType });
    await enter(`${userType} elsewhere`, { userType, orgId: 21 });
    const suspended = await enter(`suspended ${userType}`, { userType });
    const deleted = await enter(`deleted ${userType}`, { userType });
    const gone = await enter(`${userType} who logged out`, { userType });
    await http.db.asOwner('update users set is_active = false where user_id = $1', [suspended]);
    await http.db.asOwner('update sessions set revoked_at = now() where user_id = $1', [gone]);
    await http.db.asOwner('delete from users where user_id = $1', [deleted]);
  }
});

const ask = (name: CallName, label?: string) => {
  const params = { device_id: newId(), batch_id: newId(), command: 'lock' };
  return http.call(name, { params, rawBody: {}, ...(label !== undefined && { token: tokens.get(label)! }) });
};

/** @returns the calls that are not answered as the table has it */
async function wrongOf(label: string | undefined, expected: (who: 'anyone' | readonly Role[]) => string) {
  const wrong: string[] = [];
  for (const [name, who] of rows) {
    const { status, code } = await ask(name, label);
    const answer = code === 'SESSION_REQUIRED' ? `${status}` : code === 'FORBIDDEN' ? `${status}` : 'let in';
    if (answer !== expected(who)) wrong.push(`${name}: ${answer}, by the table ${expected(who)}`);
  }
  return wrong;
}

test('every type of user is a role here', () => {
  expect([...ROLES].toSorted()).toEqual([...USER_TYPES].toSorted());
});

test('every call stands in the table once', () => {
  expect(rows.map(([name]) => name).toSorted()).toEqual(Object.keys(ENDPOINTS).toSorted());
  expect(Object.values(ENDPOINTS).every((endpoint: Endpoint) => endpoint.auth !== undefined)).toBe(true);
});

test('nobody is let in to what is anyone’s alone', async () => {
  expect(await wrongOf(undefined, (who) => (who === 'anyone' ? 'let in' : '511'))).toEqual([]);
});

describe.each(ROLES)('a %s', (role) => {
  test.each([role, `${role} elsewhere`])('(%s) makes the calls of its role and no other', async (label) => {
    expect(await wrongOf(label, (who) => (who === 'anyone' || who.includes(role) ? 'let in' : '403'))).toEqual([]);
  });

  test.each([`suspended ${role}`, `deleted ${role}`, `${role} who logged out`])('(%s) makes none', async (label) => {
    const closed = await wrongOf(label, (who) => (who === 'anyone' ? 'let in' : '511'));
    // What anyone may ask is told with any token, or with none.
    expect(closed.filter((line) => !line.endsWith('by the table let in'))).toEqual([]);
  });
});
