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

/** Orders to phones, histories, disputes and the bell. */
export const phoneCases: Pick<
  Table,
  | 'sendCommand'
  | 'previewCommand'
  | 'bulkCommand'
  | 'getBatch'
  | 'getDevice'
  | 'getTimeline'
  | 'getAuditRoots'
  | 'getCustomerHistory'
  | 'openDispute'
  | 'closeDispute'
  | 'unclaimCustomer'
  | 'unclaim'
  | 'reportLost'
  | 'withdrawLost'
  | 'setHold'
  | 'liftHold'
  | 'listNotifications'
  | 'readNotifications'
> = {
  sendCommand: {
    who: SHOPS,
    right: ({ own }) => ({ params: { command: 'unlock' }, body: { customer_id: own.ids.customer_id } }),
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
    who: SHOPS,
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
    theirs: ['customer_id'],
    conflicts: [
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
  closeDispute: {
    who: ['retailer'],
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

async function heldJustNow({ http, own, sale }: Shops): Promise<string> {
  const { data } = await http.call('setHold', { token: own.token, body: held((await sale()).customer_id) });
  return data.hold_id;
}
