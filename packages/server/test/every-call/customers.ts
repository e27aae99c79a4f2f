import { PLAN } from '@kist/contract/codes';
import { newId } from '#server/platform/ids.ts';
import { newMobile } from '#test/http.ts';
import { NAMES_NOTHING, SHOPS, type Table, UNKNOWN_FIELD } from './case.ts';
import { registration, type Shops } from './shops.ts';

const NARROWING = ['retailer_id', 'account_id', 'user_id', 'customer_id'] as const;
const CLAUSE = { text_version: '1', language: 'en' } as const;
const exchange = (customer_id: string, imei1 = registration().device.imei1) => ({
  customer_id,
  edit: 'IMEI_EDIT' as const,
  device: { imei1, brand: 'Vivo', model: 'Y28' },
  reason: 'display broken',
});
const WITHOUT_CUSTOMER = { input: { query: {} as never }, path: 'customer_id' };

let loans = 0;
/** A loan of a lender that the organisation has, or has from now on. */
async function loan({ db, own }: Shops, isRegulated = false) {
  const financer_id = isRegulated ? 2 : 1;
  await db.asOwner(
    `insert into financers (org_id, financer_id, name, is_regulated, set_at) values ($1, $2, 'Gramin Finance', $3, now()) on conflict do nothing`,
    [own.actor.orgId, financer_id, isRegulated],
  );
  const loan_account_no = `GF-${(loans += 1)}`;
  return { financer_id, loan_account_no, sanctioned_amount: 15_000_00, sanctioned_on: '2026-01-01' };
}

/** Customers, their pictures, plans and keys. */
export const customerCases: Pick<
  Table,
  | 'listCustomers'
  | 'listCustomersKeygen'
  | 'registerCustomer'
  | 'getCustomerProfile'
  | 'sendConsentCode'
  | 'collectConsent'
  | 'deleteDraft'
  | 'previewCancellation'
  | 'cancelAgreement'
  | 'previewExchange'
  | 'updateCustomerDetails'
  | 'sendNumberCode'
  | 'generateEmmCode'
  | 'generateLinkCode'
  | 'getDeepLink'
  | 'listFinancers'
  | 'financerList'
  | 'createCustomerHdb'
  | 'checkStatus'
  | 'getCustomerQrCode'
  | 'uploadSignature'
  | 'uploadWitnessSignature'
  | 'uploadInvoice'
  | 'uploadCustomerPhoto'
  | 'getCustomerDocuments'
  | 'uploadCustomerDocument'
  | 'getDocument'
  | 'listPlans'
  | 'getPhoneModel'
> = {
  listCustomers: {
    who: SHOPS,
    right: () => ({ query: { search: 'own' } }),
    wrong: { input: { query: { status: '9' } as never }, path: 'status' },
    needs: 'read',
    alike: NARROWING,
    never: NAMES_NOTHING,
  },
  listCustomersKeygen: {
    who: SHOPS,
    right: () => ({}),
    wrong: { input: { query: { page: 'first' } as never }, path: 'page' },
    needs: 'read',
    alike: NARROWING,
    never: NAMES_NOTHING,
  },
  registerCustomer: {
    who: SHOPS,
    right: () => ({ body: registration() }),
    wrong: { input: { rawBody: { ...registration(), plan_id: 'one' } }, path: 'plan_id' },
    needs: 'active_deactive',
    theirs: ['customer_id'],
    conflicts: [
      {
        code: 'DUPLICATE_IMEI',
        input: async ({ sale }) => ({ body: registration((await sale()).imei1) }),
      },
      {
        code: 'INSUFFICIENT_KEYS',
        input: async ({ newUser, session }) => ({ token: await session(await newUser()), body: registration() }),
      },
      {
        code: 'STATE_CONFLICT',
        input: async ({ sale }) => ({ body: { ...registration(), customer_id: (await sale()).customer_id } }),
      },
    ],
  },
  getCustomerProfile: {
    who: 'signed in',
    right: ({ own }) => ({ query: { customer_id: own.ids.customer_id } }),
    wrong: WITHOUT_CUSTOMER,
    needs: 'read',
    theirs: ['customer_id'],
  },
  sendConsentCode: {
    who: SHOPS,
    right: ({ own }) => ({ body: { customer_id: own.ids.customer_id, ...CLAUSE } }),
    wrong: { input: { rawBody: { customer_id: newId(), ...CLAUSE, language: 'xx' } }, path: 'language' },
    needs: 'active_deactive',
    theirs: ['customer_id'],
    conflicts: [
      { code: 'STATE_CONFLICT', input: async ({ draft }) => ({ body: { customer_id: await draft(), ...CLAUSE } }) },
      {
        code: 'STAFF_NUMBER',
        input: async ({ staffCustomer }) => ({ body: { customer_id: await staffCustomer(), ...CLAUSE } }),
      },
    ],
  },
  collectConsent: {
    who: SHOPS,
    right: ({ own }) => ({ body: { customer_id: own.ids.customer_id, ...CLAUSE } }),
    wrong: { input: { rawBody: { customer_id: newId(), ...CLAUSE, otp: '12' } }, path: 'otp' },
    needs: 'active_deactive',
    theirs: ['customer_id'],
    conflicts: [
      { code: 'STATE_CONFLICT', input: async ({ draft }) => ({ body: { customer_id: await draft(), ...CLAUSE } }) },
      {
        code: 'STAFF_NUMBER',
        input: async ({ staffCustomer }) => ({ body: { customer_id: await staffCustomer(), ...CLAUSE } }),
      },
    ],
  },
  deleteDraft: {
    who: SHOPS,
    right: async ({ draft }) => ({ body: { customer_id: await draft() } }),
    wrong: { input: { rawBody: {} }, path: 'customer_id' },
    needs: 'active_deactive',
    theirs: ['customer_id'],
    conflicts: [{ code: 'STATE_CONFLICT', input: ({ own }) => ({ body: { customer_id: own.ids.customer_id } }) }],
  },
  previewCancellation: {
    who: SHOPS,
    right: async ({ sale }) => ({ query: { customer_id: (await sale()).customer_id } }),
    wrong: WITHOUT_CUSTOMER,
    needs: 'active_deactive',
    theirs: ['customer_id'],
    conflicts: [{ code: 'STATE_CONFLICT', input: async ({ draft }) => ({ query: { customer_id: await draft() } }) }],
  },
  cancelAgreement: {
    who: SHOPS,
    right: async ({ sale }) => ({ body: { customer_id: (await sale()).customer_id, reason: 'sold by mistake' } }),
    wrong: { input: { rawBody: { customer_id: newId(), reason: '' } }, path: 'reason' },
    needs: 'active_deactive',
    theirs: ['customer_id'],
    conflicts: [
      {
        code: 'STATE_CONFLICT',
        input: async ({ draft }) => ({ body: { customer_id: await draft(), reason: 'never signed' } }),
      },
    ],
  },
  previewExchange: {
    who: SHOPS,
    right: async ({ sale }) => ({ query: { customer_id: (await sale()).customer_id } }),
    wrong: WITHOUT_CUSTOMER,
    needs: 'active_deactive',
    theirs: ['customer_id'],
    conflicts: [{ code: 'STATE_CONFLICT', input: async ({ draft }) => ({ query: { customer_id: await draft() } }) }],
  },
  updateCustomerDetails: {
    who: SHOPS,
    right: async ({ sale }) => ({ body: exchange((await sale()).customer_id) }),
    wrong: { input: { rawBody: { ...exchange(newId()), edit: 'IMEI' } }, path: 'edit' },
    needs: 'active_deactive',
    theirs: ['customer_id'],
    conflicts: [
      {
        code: 'DUPLICATE_IMEI',
        input: async ({ sale }) => ({ body: exchange((await sale()).customer_id, (await sale()).imei1) }),
      },
      { code: 'STATE_CONFLICT', input: async ({ draft }) => ({ body: exchange(await draft()) }) },
      {
        code: 'STAFF_NUMBER',
        input: async ({ sale, newUser, db }) => {
          const { mobile, userId } = await newUser();
          await db.asOwner('update users set number_proved_at = now() where user_id = $1', [userId]);
          return { body: { customer_id: (await sale()).customer_id, mobile: mobile.slice(-10) } };
        },
      },
    ],
  },
  sendNumberCode: {
    who: SHOPS,
    right: async ({ sale }) => ({ body: { customer_id: (await sale()).customer_id, mobile: newMobile().slice(-10) } }),
    wrong: { input: { rawBody: { customer_id: newId(), mobile: '12' } }, path: 'mobile' },
    needs: 'active_deactive',
    theirs: ['customer_id'],
    conflicts: [
      {
        code: 'STATE_CONFLICT',
        input: async ({ draft }) => ({ body: { customer_id: await draft(), mobile: newMobile().slice(-10) } }),
      },
      {
        code: 'STAFF_NUMBER',
        input: async ({ staffCustomer }) => ({
          body: { customer_id: await staffCustomer(), mobile: newMobile().slice(-10) },
        }),
      },
    ],
  },
  generateEmmCode: {
    who: SHOPS,
    right: async ({ sale }) => ({ query: { customer_id: (await sale()).customer_id } }),
    wrong: WITHOUT_CUSTOMER,
    needs: 'active_deactive',
    theirs: ['customer_id'],
  },
  generateLinkCode: {
    who: SHOPS,
    right: async ({ db, sale }) => {
      const { customer_id } = await sale();
      await db.asOwner('update devices set provisioning_type = 2 where customer_id = $1', [customer_id]);
      return { body: { customer_id } };
    },
    wrong: { input: { body: {} as never }, path: 'customer_id' },
    needs: 'active_deactive',
    theirs: ['customer_id'],
  },
  listFinancers: {
    who: SHOPS,
    right: () => ({}),
    wrong: UNKNOWN_FIELD,
    needs: 'active_deactive',
    never: NAMES_NOTHING,
  },
  financerList: {
    who: SHOPS,
    right: () => ({ body: {} }),
    wrong: { input: { rawBody: { nobody_knows: 1 } }, path: 'nobody_knows' },
    needs: 'active_deactive',
  },
  createCustomerHdb: {
    who: SHOPS,
    right: async (shops) => ({ body: { ...registration(), loan: await loan(shops) } }),
    wrong: { input: { rawBody: { ...registration(), loan: { financer_id: 'x' } } }, path: 'loan.financer_id' },
    needs: 'active_deactive',
    theirs: ['customer_id'],
    conflicts: [
      {
        code: 'LOAN_NUMBER_USED',
        input: async (shops) => {
          const used = await loan(shops);
          await shops.http.call('createCustomerHdb', {
            token: shops.own.token,
            body: { ...registration(), loan: used },
          });
          return { body: { ...registration(), loan: used } };
        },
      },
      {
        code: 'LENDER_RULES_REQUIRED',
        input: async (shops) => ({ body: { ...registration(), loan: await loan(shops, true) } }),
      },
    ],
  },
  getDeepLink: {
    who: SHOPS,
    right: async ({ db, sale }) => {
      const { customer_id } = await sale();
      await db.asOwner('update devices set provisioning_type = 2 where customer_id = $1', [customer_id]);
      return { query: { customer_id } };
    },
    wrong: WITHOUT_CUSTOMER,
    needs: 'active_deactive',
    theirs: ['customer_id'],
    conflicts: [{ code: 'NO_PHONE_YET', input: async ({ draft }) => ({ query: { customer_id: await draft() } }) }],
  },
  checkStatus: {
    who: SHOPS,
    // Only an iPhone's plan has this edit.
    right: async ({ sale, db }) => {
      const { customer_id } = await sale();
      await db.plant(['customers'], 'update customers set plan_type = $2 where customer_id = $1', [
        customer_id,
        PLAN.APPLE,
      ]);
      return { body: { customer_id } };
    },
    wrong: { input: { body: {} as never }, path: 'customer_id' },
    needs: 'active_deactive',
    theirs: ['customer_id'],
  },
  getCustomerQrCode: {
    who: SHOPS,
    right: async ({ sale }) => ({ query: { customer_id: (await sale()).customer_id } }),
    wrong: WITHOUT_CUSTOMER,
    needs: 'active_deactive',
    theirs: ['customer_id'],
  },
  uploadSignature: {
    who: SHOPS,
    right: ({ own }) => ({ form: { customer_id: own.ids.customer_id } }),
    wrong: { input: { form: {} }, path: 'customer_id' },
    needs: 'active_deactive',
    theirs: ['customer_id'],
  },
  uploadWitnessSignature: {
    who: SHOPS,
    right: async ({ db, own }) => {
      await db.asOwner(
        `update organisations set flags = flags || '{"witness_signature_layout": true}' where org_id = $1`,
        [own.actor.orgId],
      );
      return { form: { customer_id: own.ids.customer_id } };
    },
    wrong: { input: { form: {} }, path: 'customer_id' },
    needs: 'active_deactive',
    theirs: ['customer_id'],
  },
  uploadInvoice: {
    who: SHOPS,
    right: ({ own }) => ({ form: { customer_id: own.ids.customer_id, image_name: 'Bill 12' } }),
    wrong: { input: { form: { image_name: '../bill' } }, path: 'image_name' },
    needs: 'active_deactive',
    theirs: ['customer_id'],
  },
  uploadCustomerPhoto: {
    who: SHOPS,
    right: ({ own }) => ({ form: { customer_id: own.ids.customer_id } }),
    wrong: { input: { form: {} }, path: 'customer_id' },
    needs: 'active_deactive',
    theirs: ['customer_id'],
  },
  getCustomerDocuments: {
    who: 'signed in',
    right: ({ own }) => ({ query: { customer_id: own.ids.customer_id } }),
    wrong: { input: { query: { document_type: 'diary' } as never }, path: 'document_type' },
    needs: 'read',
    theirs: ['customer_id'],
  },
  uploadCustomerDocument: {
    who: SHOPS,
    right: ({ own }) => ({ form: { customer_id: own.ids.customer_id, document_type: 'Invoice' } }),
    wrong: { input: { form: { document_type: 'diary' } }, path: 'document_type' },
    needs: 'active_deactive',
    theirs: ['customer_id'],
  },
  getDocument: {
    who: 'signed in',
    right: ({ own }) => ({ query: { document_id: own.ids.document_id } }),
    wrong: { input: { query: {} as never }, path: 'document_id' },
    needs: 'read',
    theirs: ['document_id'],
  },
  listPlans: { who: SHOPS, right: () => ({}), wrong: UNKNOWN_FIELD, never: NAMES_NOTHING },
  getPhoneModel: {
    who: SHOPS,
    right: () => ({ query: { tac: '35391805' } }),
    wrong: { input: { query: { tac: '3539180' } }, path: 'tac' },
    needs: 'active_deactive',
    never: NAMES_NOTHING,
  },
};
