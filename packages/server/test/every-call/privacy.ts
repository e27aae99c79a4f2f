import type { Shops } from './shops.ts';
import { BEFORE_SIGN_IN, NO_ORGANISATION, type Table, UNKNOWN_FIELD } from './case.ts';

const WITHOUT_CUSTOMER = { input: { query: {} as never }, path: 'customer_id' };

/** A customer of whom nothing runs any more. */
async function finished({ sale, http, own }: Shops): Promise<string> {
  const { customer_id } = await sale();
  await http.call('cancelAgreement', { token: own.token, body: { customer_id, reason: 'sold by mistake' } });
  return customer_id;
}

/** What is promised, what is kept, and that it goes. */
export const privacyCases: Pick<Table, 'getPrivacyPolicy' | 'getCustomerData' | 'previewErasure' | 'eraseCustomer'> = {
  getPrivacyPolicy: {
    who: 'everybody',
    right: () => ({ query: { language: 'hn' } }),
    wrong: { input: { query: { language: 'xx' as never } }, path: 'language' },
    conflicts: [NO_ORGANISATION],
    never: BEFORE_SIGN_IN,
  },
  getCustomerData: {
    who: 'signed in',
    right: ({ own }) => ({ query: { customer_id: own.ids.customer_id } }),
    wrong: UNKNOWN_FIELD,
    needs: 'read',
    theirs: ['customer_id'],
  },
  previewErasure: {
    who: 'signed in',
    right: ({ own }) => ({ query: { customer_id: own.ids.customer_id } }),
    wrong: WITHOUT_CUSTOMER,
    needs: 'active_deactive',
    theirs: ['customer_id'],
  },
  eraseCustomer: {
    who: 'signed in',
    right: async (shops) => ({ body: { customer_id: await finished(shops) } }),
    wrong: { input: { rawBody: {} }, path: 'customer_id' },
    needs: 'active_deactive',
    theirs: ['customer_id'],
    conflicts: [
      { code: 'STATE_CONFLICT', input: async ({ sale }) => ({ body: { customer_id: (await sale()).customer_id } }) },
      { code: 'STATE_CONFLICT', input: async ({ draft }) => ({ body: { customer_id: await draft() } }) },
    ],
  },
};
