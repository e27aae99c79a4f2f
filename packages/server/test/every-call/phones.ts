import { addDays, businessDate } from '@kist/contract/dates';
import {
  BEFORE_SIGN_IN,
  type Cases,
  NAMES_NOTHING,
  NO_ORGANISATION,
  SHOPS,
  type Table,
  UNKNOWN_FIELD,
} from './case.ts';
import { answeredLongAgo } from '#test/dispute-times.ts';
import { createUser, lastOtp } from '#test/http.ts';
import type { Shops } from './shops.ts';

const NOBODY = '01890a5d-ac96-774b-bcce-b302099a8057';

const held = (customer_id: string) => ({
  customer_id,
  kind: 'medical' as const,
  until_on: addDays(businessDate(Date.now()), 7),
  reason: 'in hospital',
});

const unclaiming: Cases<'unclaim'> = {
  who: SHOPS,
  right: async ({ sale }) => ({ body: { customer_id: (await sale()).customer_id, note: 'sold elsewhere' } }),
  wrong: { input: { rawBody: {} }, path: 'customer_id' },
  needs: 'active_deactive',
  theirs: ['customer_id'],
  // Set up, and its agreement runs.
  conflicts: [{ code: 'STATE_CONFLICT', input: ({ own }) => ({ body: { customer_id: own.ids.customer_id } }) }],
};

const lost = ({ own }: Shops) => ({ customer_id: own.ids.customer_id, kind: 'theft' as const });
/** Nothing is said of the phone any more. */
const found = async (shops: Shops) =>
  shops.http.call('withdrawLost', { token: shops.tokens.customer, body: lost(shops) });

const NO = { holds: false, reason: 'The receipts were looked at' };

const counter = ({ own }: Shops) => ({ customer_id: own.ids.customer_id });
/** The customer told a code from there once. */
const ownNumber = ({ db, own }: Shops) =>
  db.plant(
    ['consent_confirmations'],
    `insert into consent_confirmations (org_id, confirmation_id, customer_id, mobile, text_version, text_hash, language, confirmed_at, confirmed_by)
     select org_id, gen_random_uuid(), customer_id, mobile, '1', '\\x00', 'en', kist_now(), owner_user_id from customers where customer_id = $1`,
    [own.ids.customer_id],
  );
async function theftCode(shops: Shops, purpose: 'THEFT_REPORT' | 'THEFT_LIFT'): Promise<string> {
  const { db, http, own } = shops;
  await ownNumber(shops);
  // Codes are 30 s apart and five a day.
  await db.asOwner(`update otps set created_at = created_at - interval '2 days'`);
  await db.asOwner(`delete from outbox where topic = 'sms'`);
  await http.call('sendTheftCode', { token: own.token, body: { ...counter(shops), purpose } });
  const [row] = await db.asOwner<{ mobile: string }>('select mobile from customers where customer_id = $1', [
    own.ids.customer_id,
  ]);
  return lastOtp(db, own.actor.orgId, row!.mobile);
}

/** Orders to phones, histories, disputes and the bell. */
export const phoneCases: Pick<
  Table,
  | 'sendCommand'
  | 'previewCommand'
  | 'getPhoneMessages'
  | 'bulkCommand'
  | 'getBatch'
  | 'getDevice'
  | 'getTimeline'
  | 'getAuditRoots'
  | 'getCustomerHistory'
  | 'openDispute'
  | 'closeDispute'
  | 'escalateDispute'
  | 'decideDispute'
  | 'listDisputes'
  | 'unclaimCustomer'
  | 'unclaim'
  | 'reportLost'
  | 'withdrawLost'
  | 'sendTheftCode'
  | 'reportTheft'
  | 'liftTheft'
  | 'setHold'
  | 'liftHold'
  | 'listNotifications'
  | 'readNotifications'
> = {
  sendCommand: {
    who: [...SHOPS, 'customer'],
    right: ({ own }) => ({ params: { command: 'unlock' }, body: { customer_id: own.ids.customer_id } }),
    // The one order that a customer has, and nobody else.
    rightAs: {
      customer: ({ own }) => ({ params: { command: 'lost_mode_on' }, body: { customer_id: own.ids.customer_id } }),
    },
    wrong: { input: { params: { command: 'unlock' }, rawBody: { reason: 'BECAUSE' } }, path: 'reason' },
    needs: 'unlock',
    theirs: ['customer_id'],
  },
  previewCommand: {
    who: SHOPS,
    right: ({ own }) => ({ params: { command: 'lock' }, body: { customer_id: own.ids.customer_id } }),
    wrong: { input: { params: { command: 'lock' }, rawBody: { reason: 'BECAUSE' } }, path: 'reason' },
    needs: 'lock',
    theirs: ['customer_id'],
  },
  getPhoneMessages: {
    who: SHOPS,
    right: async ({ sale }) => ({ query: { customer_id: (await sale()).customer_id } }),
    wrong: { input: { query: { customer_id: NOBODY, nobody_knows: 1 } as never }, path: 'nobody_knows' },
    needs: 'feature_access',
    theirs: ['customer_id'],
    conflicts: [{ code: 'STATE_CONFLICT', input: async ({ draft }) => ({ query: { customer_id: await draft() } }) }],
  },
  bulkCommand: {
    who: SHOPS,
    right: ({ own }) => ({
      body: { command: 'unlock', reason: 'EMI_OVERDUE', customer_ids: [own.ids.customer_id] },
    }),
    wrong: { input: { rawBody: { command: 'unlock', reason: 'EMI_OVERDUE', customer_ids: [] } }, path: 'customer_ids' },
    needs: 'unlock',
    alike: ['customer_ids', 'filter.customer_id', 'filter.retailer_id', 'filter.account_id', 'filter.user_id'],
  },
  getBatch: {
    who: [...SHOPS, 'admin'],
    right: ({ own }) => ({ params: { batch_id: own.ids.batch_id } }),
    wrong: { input: { params: { batch_id: NOBODY }, query: { nobody_knows: 1 } as never }, path: 'nobody_knows' },
    needs: 'read',
    theirs: ['batch_id'],
  },
  getDevice: {
    who: 'signed in',
    right: ({ own }) => ({ params: { device_id: own.ids.device_id } }),
    wrong: { input: { params: { device_id: NOBODY }, query: { nobody_knows: 1 } as never }, path: 'nobody_knows' },
    needs: 'read',
    theirs: ['device_id'],
  },
  getTimeline: {
    who: 'signed in',
    right: ({ own }) => ({ params: { device_id: own.ids.device_id } }),
    wrong: { input: { params: { device_id: NOBODY }, query: { page: 0 } as never }, path: 'page' },
    needs: 'read',
    theirs: ['device_id'],
  },
  getAuditRoots: {
    who: 'everybody',
    right: () => ({}),
    wrong: { input: { query: { before: '31.12.2026' } as never }, path: 'before' },
    conflicts: [NO_ORGANISATION],
    never: BEFORE_SIGN_IN,
  },
  getCustomerHistory: {
    who: 'signed in',
    right: ({ own }) => ({ query: { customer_id: own.ids.customer_id } }),
    wrong: UNKNOWN_FIELD,
    needs: 'read',
    theirs: ['customer_id'],
  },
  openDispute: {
    who: 'signed in',
    right: async ({ sale }) => ({ body: { customer_id: (await sale()).customer_id, text: 'It was paid in March' } }),
    wrong: { input: { rawBody: { text: '' } }, path: 'text' },
    theirs: ['customer_id', 'instalment_id'],
    conflicts: [
      { code: 'DISPUTE_DECIDED', input: decided },
      {
        code: 'DISPUTE_ALREADY_OPEN',
        input: async ({ http, own, sale }) => {
          const body = { customer_id: (await sale()).customer_id, text: 'It was paid in March' };
          await http.call('openDispute', { token: own.token, body });
          return { body };
        },
      },
    ],
    never: { '403': 'nobody is kept from saying that it is wrong' },
  },
  unclaimCustomer: unclaiming,
  unclaim: unclaiming,
  reportLost: {
    who: ['customer'],
    right: async (shops) => {
      await found(shops);
      return { body: lost(shops) };
    },
    wrong: { input: { rawBody: { kind: 'sold' } }, path: 'kind' },
    theirs: ['customer_id'],
    conflicts: [
      {
        code: 'STATE_CONFLICT',
        input: async (shops) => {
          await shops.http.call('reportLost', { token: shops.tokens.customer, body: lost(shops) });
          return { body: lost(shops) };
        },
      },
    ],
  },
  withdrawLost: {
    who: ['customer'],
    right: async (shops) => {
      await shops.http.call('reportLost', { token: shops.tokens.customer, body: lost(shops) });
      return { body: lost(shops) };
    },
    wrong: { input: { rawBody: { kind: 'sold' } }, path: 'kind' },
    theirs: ['customer_id'],
    conflicts: [
      {
        code: 'STATE_CONFLICT',
        input: async (shops) => {
          await found(shops);
          return { body: lost(shops) };
        },
      },
    ],
  },
  sendTheftCode: {
    who: SHOPS,
    right: async (shops) => {
      await found(shops);
      await ownNumber(shops);
      return { body: { customer_id: shops.own.ids.customer_id, purpose: 'THEFT_REPORT' } };
    },
    wrong: { input: { rawBody: { purpose: 'LOGIN' } }, path: 'purpose' },
    needs: 'feature_access',
    theirs: ['customer_id'],
    conflicts: [
      {
        code: 'STATE_CONFLICT',
        input: async (shops) => {
          await found(shops);
          return { body: { customer_id: shops.own.ids.customer_id, purpose: 'THEFT_LIFT' } };
        },
      },
    ],
  },
  reportTheft: {
    who: SHOPS,
    right: async (shops) => {
      await found(shops);
      return { body: { ...counter(shops), otp: await theftCode(shops, 'THEFT_REPORT') } };
    },
    wrong: { input: { rawBody: { otp: '12' } }, path: 'otp' },
    needs: 'feature_access',
    theirs: ['customer_id'],
    conflicts: [
      {
        code: 'STATE_CONFLICT',
        input: async (shops) => {
          await shops.http.call('reportLost', { token: shops.tokens.customer, body: lost(shops) });
          return { body: { ...counter(shops), otp: '123456' } };
        },
      },
    ],
  },
  liftTheft: {
    who: [...SHOPS, 'admin'],
    right: async (shops) => {
      await shops.http.call('reportLost', { token: shops.tokens.customer, body: lost(shops) });
      return { body: { ...counter(shops), reason: 'found', otp: await theftCode(shops, 'THEFT_LIFT') } };
    },
    wrong: { input: { rawBody: { otp: '12' } }, path: 'otp' },
    needs: 'feature_access',
    theirs: ['customer_id'],
    conflicts: [
      {
        code: 'STATE_CONFLICT',
        input: async (shops) => {
          await found(shops);
          return { body: { ...counter(shops), reason: 'found', otp: '123456' } };
        },
      },
    ],
  },
  setHold: {
    who: SHOPS,
    right: async ({ sale }) => ({ body: held((await sale()).customer_id) }),
    wrong: { input: { rawBody: { ...held(NOBODY), kind: 'manual' } }, path: 'kind' },
    needs: 'unlock',
    theirs: ['customer_id'],
    conflicts: [{ code: 'STATE_CONFLICT', input: async ({ draft }) => ({ body: held(await draft()) }) }],
  },
  liftHold: {
    who: ['retailer'],
    right: async (shops) => ({ body: { hold_id: await heldJustNow(shops), reason: 'paid again' } }),
    wrong: { input: { rawBody: { hold_id: NOBODY, reason: '' } }, path: 'reason' },
    needs: 'lock',
    theirs: ['hold_id'],
    conflicts: [
      {
        code: 'STATE_CONFLICT',
        input: async (shops) => {
          const body = { hold_id: await heldJustNow(shops), reason: 'paid again' };
          await shops.http.call('liftHold', { token: shops.own.token, body });
          return { body };
        },
      },
    ],
  },
  escalateDispute: {
    who: 'signed in',
    right: async (shops) => ({ body: { dispute_id: await answeredJustNow(shops), text: 'Ask my brother' } }),
    wrong: { input: { rawBody: { text: '' } }, path: 'text' },
    theirs: ['dispute_id'],
    conflicts: [
      {
        code: 'STATE_CONFLICT',
        input: async (shops) => ({ body: { dispute_id: await openedJustNow(shops), text: 'Ask my brother' } }),
      },
    ],
    never: { '403': 'nobody is kept from saying that it is wrong' },
  },
  decideDispute: {
    who: ['admin'],
    right: async (shops) => ({ body: { dispute_id: await undecidedJustNow(shops), ...NO } }),
    wrong: { input: { rawBody: { ...NO, dispute_id: NOBODY, reason: '' } }, path: 'reason' },
    theirs: ['dispute_id'],
    conflicts: [
      {
        code: 'STATE_CONFLICT',
        input: async (shops) => ({ body: { dispute_id: await openedJustNow(shops), ...NO } }),
      },
    ],
  },
  listDisputes: { who: ['admin'], right: () => ({}), wrong: UNKNOWN_FIELD, never: NAMES_NOTHING },
  closeDispute: {
    who: ['retailer', 'admin'],
    right: async (shops) => ({ body: { dispute_id: await openedJustNow(shops), outcome: 'The receipt was found' } }),
    wrong: { input: { rawBody: { outcome: '' } }, path: 'outcome' },
    needs: 'lock',
    theirs: ['dispute_id'],
    conflicts: [
      {
        code: 'STATE_CONFLICT',
        input: async (shops) => {
          const body = { dispute_id: await openedJustNow(shops), outcome: 'The receipt was found' };
          await shops.http.call('closeDispute', { token: shops.own.token, body });
          return { body };
        },
      },
    ],
  },
  listNotifications: {
    who: 'signed in',
    right: () => ({}),
    wrong: { input: { query: { page_size: 0 } as never }, path: 'page_size' },
    needs: 'read',
    never: NAMES_NOTHING,
  },
  readNotifications: {
    who: 'signed in',
    right: () => ({ body: {} }),
    wrong: { input: { rawBody: { all: true } }, path: 'all' },
    never: { '403': 'whoever is signed in may ask it of themselves' },
  },
};

async function openedJustNow({ http, own, sale }: Parameters<(typeof phoneCases)['closeDispute']['right']>[0]) {
  const { customer_id } = await sale();
  const { data } = await http.call('openDispute', { token: own.token, body: { customer_id, text: 'It was paid' } });
  return data.dispute_id;
}

async function answeredJustNow(shops: Shops): Promise<string> {
  const dispute_id = await openedJustNow(shops);
  await shops.http.call('closeDispute', { token: shops.own.token, body: { dispute_id, outcome: 'Nothing was found' } });
  return dispute_id;
}

/** A customer in the own session, who has disputed the same instalment twice; the answers were given a week ago. */
async function disputedTwice(shops: Shops) {
  const { db, http, own, sale, session } = shops;
  const { customer_id } = await sale();
  const token = await session(await createUser(db, { userType: 'customer', customerId: customer_id }));
  const again = { token, body: { customer_id, text: 'It was paid' } };
  for (let times = 0; times < 2; times += 1) {
    const { dispute_id } = (await http.call('openDispute', again)).data;
    await http.call('closeDispute', { token: own.token, body: { dispute_id, outcome: 'Nothing was found' } });
    await answeredLongAgo(shops, dispute_id);
  }
  return again;
}

async function undecidedJustNow(shops: Shops): Promise<string> {
  return (await shops.http.call('openDispute', await disputedTwice(shops))).data.dispute_id;
}

/** One more of an instalment of which the organisation has said that no more disputes hold. */
async function decided(shops: Shops) {
  const again = await disputedTwice(shops);
  const { dispute_id } = (await shops.http.call('openDispute', again)).data;
  await shops.http.call('decideDispute', { token: shops.tokens.admin, body: { dispute_id, ...NO } });
  return again;
}

async function heldJustNow({ http, own, sale }: Shops): Promise<string> {
  const { data } = await http.call('setHold', { token: own.token, body: held((await sale()).customer_id) });
  return data.hold_id;
}
