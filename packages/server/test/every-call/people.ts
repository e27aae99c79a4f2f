import { newMobile } from '#test/http.ts';
import { sendForm } from '#test/whole-shop.ts';
import { BEFORE_SIGN_IN, NO_ORGANISATION, type Table, UNKNOWN_FIELD } from './case.ts';
import type { Shops } from './shops.ts';

const RUNNERS = ['retailer', 'admin'] as const;
const SHOPS_AND_ADMIN = ['retailer', 'miniretailer', 'admin'] as const;
const UNKNOWN_IN_BODY = { input: { rawBody: { nobody_knows: 1 } }, path: 'nobody_knows' };

const newShop = () => ({ mobile: newMobile(), first_name: 'Vikas', shop_name: 'Vikas Communication' });
/** A mini-retailer that nobody else of the tests knows. */
/** A shop below the own one. */
export const mini = async ({ http, own }: Shops): Promise<string> =>
  (await http.call('addUser', { token: own.token, body: newShop() })).data.user_id;
/** One that may not log in. */
export const suspended = async (shops: Shops): Promise<string> => {
  const user_id = await mini(shops);
  await shops.http.call('suspendUser', { token: shops.own.token, body: { user_id, reason: 'closed' } });
  return user_id;
};

const listing = {
  who: SHOPS_AND_ADMIN,
  right: () => ({ query: { search: 'vikas' } }),
  wrong: { input: { query: { state: 'asleep' } as never }, path: 'state' },
  needs: 'read',
  theirs: ['retailer_id'],
  alike: ['account_id'],
} as const;
const profile = {
  who: SHOPS_AND_ADMIN,
  right: ({ mini: { ids } }: Shops) => ({ query: { user_id: ids.user_id } }),
  wrong: UNKNOWN_FIELD,
  theirs: ['user_id', 'retailer_id'],
  alike: ['account_id'],
} as const;
const upload = {
  who: SHOPS_AND_ADMIN,
  right: () => ({ form: {} }),
  wrong: { input: { form: { nobody_knows: '1' } }, path: 'nobody_knows' },
  theirs: ['user_id'],
  alike: ['account_id'],
} as const;

/** Shops below the caller, and oneself. */
export const peopleCases: Pick<
  Table,
  | 'listUsers'
  | 'getUsers'
  | 'addUser'
  | 'updateUser'
  | 'suspendUser'
  | 'activateUser'
  | 'readUserById'
  | 'getUserDetails'
  | 'getRetailerProfile'
  | 'getRetailerProfileOfCountry'
  | 'uploadRetailerQr'
  | 'uploadRetailerSignature'
  | 'getUserPicture'
  | 'transferCustomers'
  | 'signupRequest'
> = {
  listUsers: listing,
  getUsers: listing,
  addUser: {
    who: RUNNERS,
    right: () => ({ body: newShop() }),
    wrong: { input: { rawBody: { ...newShop(), upi_id: 'nobody' } }, path: 'upi_id' },
    needs: 'active_deactive',
    theirs: ['retailer_id'],
    conflicts: [
      {
        code: 'MOBILE_TAKEN',
        input: async ({ newUser }) => ({ body: { ...newShop(), mobile: (await newUser()).mobile } }),
      },
    ],
  },
  updateUser: {
    who: SHOPS_AND_ADMIN,
    right: async (shops) => ({ body: { user_id: await mini(shops), shop_name: 'Vikas Gallery' } }),
    wrong: UNKNOWN_IN_BODY,
    theirs: ['user_id'],
    alike: ['account_id'],
    conflicts: [
      {
        code: 'MOBILE_TAKEN',
        input: async (shops) => ({ body: { user_id: await mini(shops), mobile: (await shops.newUser()).mobile } }),
      },
    ],
  },
  suspendUser: {
    who: RUNNERS,
    right: async (shops) => ({ body: { user_id: await mini(shops), reason: 'closed the shop' } }),
    wrong: { input: { rawBody: {} }, path: 'reason' },
    needs: 'active_deactive',
    theirs: ['user_id'],
    conflicts: [
      {
        code: 'STATE_CONFLICT',
        input: async (shops) => ({ body: { user_id: await suspended(shops), reason: 'once more' } }),
      },
    ],
  },
  activateUser: {
    who: RUNNERS,
    right: async (shops) => ({ body: { user_id: await suspended(shops) } }),
    wrong: { input: { rawBody: {} }, path: 'user_id' },
    needs: 'active_deactive',
    theirs: ['user_id'],
    conflicts: [{ code: 'STATE_CONFLICT', input: async (shops) => ({ body: { user_id: await mini(shops) } }) }],
  },
  readUserById: {
    who: SHOPS_AND_ADMIN,
    right: ({ mini: { ids } }) => ({ body: { user_id: ids.user_id } }),
    wrong: UNKNOWN_IN_BODY,
    theirs: ['user_id', 'retailer_id'],
    alike: ['account_id'],
  },
  getUserDetails: profile,
  getRetailerProfile: profile,
  getRetailerProfileOfCountry: profile,
  uploadRetailerQr: upload,
  uploadRetailerSignature: upload,
  getUserPicture: {
    who: SHOPS_AND_ADMIN,
    right: async ({ http, own }) => {
      await sendForm(http, 'uploadRetailerQr', own.token, {});
      return { query: { kind: 'qr' } };
    },
    wrong: { input: { query: { kind: 'selfie' } as never }, path: 'kind' },
    theirs: ['user_id'],
    alike: ['account_id'],
  },
  transferCustomers: {
    who: RUNNERS,
    right: async (shops) => ({
      body: {
        from_user_id: shops.own.ids.user_id,
        to_user_id: await mini(shops),
        customer_ids: [(await shops.sale()).customer_id],
        reason: 'another counter',
      },
    }),
    wrong: { input: { rawBody: {} }, path: 'reason' },
    needs: 'active_deactive',
    theirs: ['from_user_id', 'to_user_id', 'customer_ids'],
    conflicts: [
      {
        code: 'STATE_CONFLICT',
        input: async (shops) => ({
          body: { from_user_id: shops.own.ids.user_id, to_user_id: await suspended(shops), reason: 'once more' },
        }),
      },
    ],
  },
  signupRequest: {
    who: 'everybody',
    right: () => ({ body: newShop() }),
    wrong: { input: { rawBody: { ...newShop(), mobile: '12345' } }, path: 'mobile' },
    conflicts: [NO_ORGANISATION],
    never: BEFORE_SIGN_IN,
  },
};
