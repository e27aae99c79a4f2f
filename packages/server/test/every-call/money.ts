import { NAMES_NOTHING, SHOPS, type Table, UNKNOWN_FIELD } from './case.ts';
import { registration, type Shops } from './shops.ts';
import { newId } from '#server/platform/ids.ts';

const NARROWING = ['account_id', 'user_id'] as const;
const CASH = { method: 'CASH' as const };
const CHANGE = { reason: 'asked for it' };

const NO_SUCH = newId();
const claim = () => ({
  payment_id: newId(),
  amount: 4200,
  method: 'UPI' as const,
  reference: newId(),
  again: true,
});

/** Instalments, payments and the sums of the shop. */
export const moneyCases: Pick<
  Table,
  | 'previewEmi'
  | 'getEmiDetails'
  | 'customerEmiDetails'
  | 'previewEmiEdit'
  | 'sendEmiEditCode'
  | 'updateEmiDetails'
  | 'updateEmiStatus'
  | 'multipleEmiPaid'
  | 'reversePayment'
  | 'claimPayment'
  | 'answerClaim'
  | 'getPayTo'
  | 'getNoticeLink'
  | 'getCertificate'
  | 'renewNoticeLink'
  | 'listRefunds'
  | 'refundDone'
  | 'getUpcomingEmi'
  | 'upcomingEmiCounts'
  | 'previewEmiAlert'
  | 'sendEmiAlert'
  | 'getDashboard'
  | 'listCollections'
  | 'getTotalOutstanding'
  | 'trialBalance'
> = {
  previewEmi: {
    who: SHOPS,
    right: () => ({ body: registration().emi }),
    wrong: { input: { rawBody: { ...registration().emi, tenure: 0 } }, path: 'tenure' },
  },
  getEmiDetails: {
    who: 'signed in',
    right: ({ own }) => ({ body: { customer_id: own.ids.customer_id } }),
    wrong: { input: { rawBody: {} }, path: 'customer_id' },
    needs: 'read',
    theirs: ['customer_id'],
  },
  customerEmiDetails: {
    who: 'signed in',
    right: ({ own }) => ({ body: { customer_id: own.ids.customer_id } }),
    wrong: { input: { rawBody: {} }, path: 'customer_id' },
    needs: 'read',
    theirs: ['customer_id'],
  },
  previewEmiEdit: {
    who: SHOPS,
    right: async ({ sale }) => ({ body: { customer_id: (await sale()).customer_id, tenure: 4 } }),
    wrong: { input: { rawBody: { customer_id: NO_SUCH, tenure: 0 } }, path: 'tenure' },
    needs: 'active_deactive',
    theirs: ['customer_id'],
    conflicts: [
      { code: 'STATE_CONFLICT', input: async ({ draft }) => ({ body: { customer_id: await draft(), tenure: 4 } }) },
    ],
  },
  sendEmiEditCode: {
    who: SHOPS,
    right: async ({ sale }) => ({ body: { customer_id: (await sale()).customer_id, tenure: 4 } }),
    wrong: { input: { rawBody: { customer_id: NO_SUCH, tenure: 0 } }, path: 'tenure' },
    needs: 'active_deactive',
    theirs: ['customer_id'],
    conflicts: [
      { code: 'STATE_CONFLICT', input: async ({ draft }) => ({ body: { customer_id: await draft(), tenure: 4 } }) },
      {
        code: 'STAFF_NUMBER',
        input: async ({ staffCustomer }) => ({ body: { customer_id: await staffCustomer(), tenure: 4 } }),
      },
    ],
  },
  updateEmiDetails: {
    who: SHOPS,
    // Without interest more EMIs cost nothing more.
    right: async ({ sale }) => ({ body: { customer_id: (await sale()).customer_id, tenure: 8, ...CHANGE } }),
    wrong: { input: { rawBody: { customer_id: NO_SUCH, tenure: 8, reason: '' } }, path: 'reason' },
    needs: 'active_deactive',
    theirs: ['customer_id'],
    conflicts: [
      {
        code: 'STATE_CONFLICT',
        input: async ({ draft }) => ({ body: { customer_id: await draft(), tenure: 8, ...CHANGE } }),
      },
      {
        code: 'SCHEDULE_UNCHANGED',
        input: async ({ sale }) => ({ body: { customer_id: (await sale()).customer_id, tenure: 6, ...CHANGE } }),
      },
      {
        code: 'CUSTOMER_CODE_REQUIRED',
        input: async ({ sale }) => ({ body: { customer_id: (await sale()).customer_id, tenure: 3, ...CHANGE } }),
      },
      {
        code: 'STAFF_NUMBER',
        input: async ({ staffCustomer }) => ({
          body: { customer_id: await staffCustomer(), tenure: 3, otp: '123456', ...CHANGE },
        }),
      },
    ],
  },
  updateEmiStatus: {
    who: SHOPS,
    right: ({ own }) => ({ body: { instalment_id: own.ids.instalment_id, amount: 5000, ...CASH } }),
    wrong: { input: { rawBody: { amount: -1, ...CASH } }, path: 'amount' },
    needs: 'read',
    theirs: ['instalment_id', 'charge_id'],
    chosen: ['payment_id'],
    conflicts: [
      {
        code: 'ALREADY_PAID',
        input: async ({ http, own, sale }) => {
          const { instalment_ids } = await sale();
          const body = { instalment_id: instalment_ids[0]!, amount: 2_000_00, ...CASH };
          await http.call('updateEmiStatus', { token: own.token, body });
          return { body };
        },
      },
      {
        code: 'MORE_THAN_OWED',
        input: async ({ sale }) => {
          const { instalment_ids } = await sale();
          return { body: { instalment_id: instalment_ids[0]!, amount: 9_00_000_00, ...CASH } };
        },
      },
    ],
  },
  multipleEmiPaid: {
    who: SHOPS,
    right: async ({ sale }) => {
      const { customer_id, instalment_ids } = await sale();
      return { body: { customer_id, instalment_ids: instalment_ids.slice(0, 2), method: 'UPI' } };
    },
    wrong: { input: { rawBody: { instalment_ids: [], method: 'UPI' } }, path: 'instalment_ids' },
    needs: 'read',
    theirs: ['customer_id', 'instalment_ids'],
    chosen: ['payment_id'],
    conflicts: [
      {
        code: 'ALREADY_PAID',
        input: async ({ http, own, sale }) => {
          const { customer_id, instalment_ids } = await sale();
          const body = { customer_id, instalment_ids: instalment_ids.slice(0, 1), ...CASH };
          await http.call('multipleEmiPaid', { token: own.token, body });
          return { body };
        },
      },
      {
        code: 'STATE_CONFLICT',
        input: async ({ sale }) => {
          const { customer_id, instalment_ids } = await sale();
          return { body: { customer_id, instalment_ids: instalment_ids.slice(0, 2), amount: 1, ...CASH } };
        },
      },
    ],
  },
  reversePayment: {
    who: SHOPS,
    right: async (shops) => ({ body: await paidJustNow(shops) }),
    wrong: { input: { rawBody: { reason: '' } }, path: 'reason' },
    needs: 'read',
    theirs: ['payment_id'],
    conflicts: [
      {
        code: 'ALREADY_REVERSED',
        input: async (shops) => {
          const body = await paidJustNow(shops);
          await shops.http.call('reversePayment', { token: shops.own.token, body });
          return { body };
        },
      },
    ],
  },
  claimPayment: {
    who: ['customer'],
    right: ({ customerToken: token, own }) => ({ token, body: { ...claim(), customer_id: own.ids.customer_id } }),
    wrong: { input: { rawBody: { ...claim(), amount: 0 } }, path: 'amount' },
    theirs: ['customer_id'],
    chosen: ['payment_id'],
    conflicts: [
      {
        code: 'IDEMPOTENCY_CONFLICT',
        input: async ({ http, customerToken: token }) => {
          const body = claim();
          await http.call('claimPayment', { token, body });
          return { token, body: { ...body, amount: body.amount + 1 } };
        },
      },
      {
        code: 'CLAIM_WAITING',
        input: async ({ http, customerToken: token }) => {
          await http.call('claimPayment', { token, body: claim() });
          return { token, body: { ...claim(), again: false } };
        },
      },
    ],
  },
  answerClaim: {
    who: SHOPS,
    right: async (shops) => ({ body: { payment_id: await claimed(shops), is_received: true } }),
    wrong: { input: { rawBody: { payment_id: NO_SUCH, is_received: 'perhaps' } }, path: 'is_received' },
    needs: 'read',
    theirs: ['payment_id'],
    conflicts: [
      {
        code: 'STATE_CONFLICT',
        input: async (shops) => {
          const body = { payment_id: await claimed(shops), is_received: false, reason: 'Nothing came in' };
          await shops.http.call('answerClaim', { token: shops.own.token, body });
          return { body: { payment_id: body.payment_id, is_received: true } };
        },
      },
    ],
  },
  getPayTo: {
    who: 'signed in',
    right: ({ own }) => ({ query: { customer_id: own.ids.customer_id } }),
    wrong: { input: { query: {} as never }, path: 'customer_id' },
    needs: 'read',
    theirs: ['customer_id'],
  },
  getNoticeLink: {
    who: 'signed in',
    right: ({ own }) => ({ query: { customer_id: own.ids.customer_id } }),
    wrong: { input: { query: {} as never }, path: 'customer_id' },
    needs: 'read',
    theirs: ['customer_id'],
  },
  getCertificate: {
    who: 'signed in',
    right: ({ own }) => ({ query: { customer_id: own.ids.customer_id } }),
    wrong: { input: { query: {} as never }, path: 'customer_id' },
    needs: 'read',
    theirs: ['customer_id'],
  },
  renewNoticeLink: {
    who: 'signed in',
    right: ({ own }) => ({ body: { customer_id: own.ids.customer_id } }),
    wrong: { input: { rawBody: {} }, path: 'customer_id' },
    needs: 'feature_access',
    theirs: ['customer_id'],
  },
  listRefunds: { who: SHOPS, right: () => ({}), wrong: UNKNOWN_FIELD, needs: 'read', never: NAMES_NOTHING },
  refundDone: {
    who: SHOPS,
    right: async (shops) => ({ body: { payment_id: await paidTooMuch(shops), ...CASH } }),
    wrong: { input: { rawBody: { payment_id: NO_SUCH, method: 'BARTER' } }, path: 'method' },
    needs: 'read',
    theirs: ['payment_id'],
    conflicts: [
      {
        code: 'STATE_CONFLICT',
        input: async (shops) => {
          const payment_id = await paidTooMuch(shops);
          await shops.http.call('reversePayment', {
            token: shops.own.token,
            body: { payment_id, reason: 'Typed twice' },
          });
          return { body: { payment_id, ...CASH } };
        },
      },
    ],
  },
  getUpcomingEmi: {
    who: SHOPS,
    right: () => ({ query: { bucket: 'month' } }),
    wrong: { input: { query: { bucket: 'year' } as never }, path: 'bucket' },
    needs: 'read',
    alike: ['retailer_id', 'customer_id', ...NARROWING],
    never: NAMES_NOTHING,
  },
  upcomingEmiCounts: {
    who: SHOPS,
    right: () => ({}),
    wrong: { input: { query: { from: 'monday' } as never }, path: 'from' },
    needs: 'read',
    alike: ['retailer_id', 'customer_id', ...NARROWING],
    never: NAMES_NOTHING,
  },
  listCollections: {
    who: SHOPS,
    right: () => ({}),
    wrong: { input: { query: { on: 'monday' } as never }, path: 'on' },
    needs: 'read',
    alike: ['retailer_id', 'customer_id', ...NARROWING],
    never: NAMES_NOTHING,
  },
  previewEmiAlert: {
    who: SHOPS,
    right: ({ own }) => ({ body: { filter: { customer_id: own.ids.customer_id } } }),
    wrong: { input: { rawBody: { filter: { status: '9' } } }, path: 'filter.status' },
    needs: 'feature_access',
    alike: ['filter.customer_id', 'filter.retailer_id', 'filter.account_id', 'filter.user_id'],
  },
  sendEmiAlert: {
    who: SHOPS,
    right: async ({ sale }) => ({ body: { customer_id: (await sale()).customer_id } }),
    wrong: { input: { rawBody: { filter: { status: '9' } } }, path: 'filter.status' },
    needs: 'feature_access',
    theirs: ['customer_id'],
    alike: ['filter.customer_id', 'filter.retailer_id', 'filter.account_id', 'filter.user_id'],
  },
  getDashboard: {
    who: SHOPS,
    right: ({ own }) => ({ query: { retailer_id: own.ids.retailer_id } }),
    wrong: { input: { query: { to: '31.12.2026' } as never }, path: 'to' },
    needs: 'read',
    theirs: ['retailer_id'],
    alike: NARROWING,
  },
  getTotalOutstanding: {
    who: SHOPS,
    right: () => ({}),
    wrong: { input: { query: { plan_id: 'all' } as never }, path: 'plan_id' },
    needs: 'read',
    theirs: ['retailer_id'],
    alike: NARROWING,
  },
  trialBalance: {
    who: ['retailer', 'admin'],
    right: () => ({}),
    wrong: { input: { query: { on: '2026-02-30' } as never }, path: 'on' },
    needs: 'read',
    theirs: ['retailer_id'],
  },
};

/** A payment that nobody has taken back yet. */
async function paidJustNow({ http, own, sale }: Parameters<(typeof moneyCases)['reversePayment']['right']>[0]) {
  const { instalment_ids } = await sale();
  const { data } = await http.call('updateEmiStatus', {
    token: own.token,
    body: { instalment_id: instalment_ids[0]!, amount: 7700, ...CASH },
  });
  return { payment_id: data.payment_id, reason: 'Entered twice' };
}

/** What the customer of the shop says is paid. */
async function claimed({ http, customerToken: token }: Shops): Promise<string> {
  const { data } = await http.call('claimPayment', { token, body: claim() });
  return data.payment_id;
}

/** Money for an agreement that is paid off. */
async function paidTooMuch({ http, own, sale }: Shops): Promise<string> {
  const { token } = own;
  const { customer_id, instalment_ids } = await sale();
  await http.call('multipleEmiPaid', { token, body: { customer_id, instalment_ids, ...CASH } });
  const body = { instalment_id: instalment_ids[0]!, amount: 9900, ...CASH };
  const { data } = await http.call('updateEmiStatus', { token, body });
  return data.payment_id;
}
