import { z } from 'zod';
import { NEEDS } from './access.ts';
import { LANGUAGES } from './codes.ts';
import { customerProfileSchema } from './customers.ts';
import { emiDetailsSchema } from './emi.ts';
import { endpoint } from './endpoint.ts';
import { idSchema } from './fields.ts';
import { PATHS } from './paths.ts';

/** Why nothing is erased yet: an agreement runs, money is owed back, the phone is still set up, or the sale is a draft, which is deleted. */
export const ERASURE_REFUSALS = ['AGREEMENT_RUNS', 'REFUND_OPEN', 'PHONE_SET_UP', 'DRAFT'] as const;

const erasureSchema = z.object({
  customer_id: z.uuid(),
  /** Null: everything is there. */
  erased_at: z.string().nullable(),
  refused: z.enum(ERASURE_REFUSALS).nullable(),
  /** What the law keeps, without a name: proofs of consent and messages, the books with their receipts; until when. */
  evidence_until: z.string(),
  books_until: z.string(),
});
export type Erasure = z.infer<typeof erasureSchema>;

/** All that is kept of a customer. Pictures by their names: each opens by its own link in the app. */
const customerDataSchema = z.object({
  made_at: z.string(),
  customer: customerProfileSchema.shape.customer,
  device: customerProfileSchema.shape.device,
  exchanges: customerProfileSchema.shape.exchanges,
  agreement: customerProfileSchema.shape.agreement,
  emi: emiDetailsSchema.nullable(),
  lock: customerProfileSchema.shape.lock,
  lock_timeline: customerProfileSchema.shape.lock_timeline,
  lost_reports: customerProfileSchema.shape.lost_reports,
  disputes: customerProfileSchema.shape.disputes,
  consents: z.array(
    z.object({
      text_version: z.string(),
      text_sha256: z.string(),
      language: z.string(),
      method: z.string(),
      accepted_at: z.string(),
    }),
  ),
  messages: z.array(
    z.object({
      kind: z.string(),
      channel: z.string(),
      body: z.string(),
      at: z.string(),
      delivered_at: z.string().nullable(),
    }),
  ),
  documents: z.array(
    z.object({ document_type: z.string(), image_name: z.string(), bytes: z.int(), created_at: z.string() }),
  ),
  /** Who did what and when, by kind of user; never a name. */
  history: z.array(z.object({ kind: z.string(), seq: z.int(), at: z.string(), action: z.string(), by: z.string() })),
});
export type CustomerData = z.infer<typeof customerDataSchema>;

const ofCustomer = z.strictObject({ customer_id: idSchema });

export const privacyEndpoints = {
  getCustomerData: endpoint({
    ...PATHS.getCustomerData,
    summary: 'All that is kept of a customer, for the customer and for the shop that is asked for it.',
    auth: 'session',
    access: NEEDS.read,
    query: ofCustomer,
    reply: customerDataSchema,
    errors: ['NOT_FOUND'],
  }),
  previewErasure: endpoint({
    ...PATHS.previewErasure,
    summary: 'Whether what is kept of a customer can be erased now, what would stay and until when; changes nothing.',
    auth: 'session',
    access: NEEDS.activate,
    query: ofCustomer,
    reply: erasureSchema,
    errors: ['NOT_FOUND'],
  }),
  eraseCustomer: endpoint({
    ...PATHS.eraseCustomer,
    summary:
      'Erase a customer for good: name, numbers, address, pictures, places, login. Refused while an agreement runs; books and proofs stay, without a name, as long as the law says.',
    auth: 'session',
    access: NEEDS.activate,
    idempotent: true,
    body: ofCustomer,
    reply: erasureSchema,
    errors: ['NOT_FOUND', 'STATE_CONFLICT'],
  }),
  getPrivacyPolicy: endpoint({
    ...PATHS.getPrivacyPolicy,
    summary: 'The privacy policy of the organisation in one language, or in English where it has none in that.',
    auth: 'public',
    access: { none: 'read before anyone signed in' },
    query: z.strictObject({ language: z.enum(LANGUAGES).default('en') }),
    reply: z.object({
      company: z.string(),
      contact: z.string(),
      /** Null: the organisation has none of its own, and the app shows the product's. */
      text: z.string().nullable(),
      language: z.enum(LANGUAGES).nullable(),
      version: z.int().nullable(),
      sha256: z.string().nullable(),
      set_on: z.string().nullable(),
    }),
  }),
} as const;
