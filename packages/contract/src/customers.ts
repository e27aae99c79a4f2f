import { z } from 'zod';
import { NEEDS } from './access.ts';
import { EDIT_ACTIONS, LANGUAGES } from './codes.ts';
import { CODE_REFUSALS } from './consent-code.ts';
import { customerFilterShape, refreshIn } from './customer-filter.ts';
import { emiTermsSchema } from './emi-terms.ts';
import { disputeViewSchema } from './disputes.ts';
import { endpoint } from './endpoint.ts';
import { pageSchema } from './envelope.ts';
import {
  birthDateSchema,
  emptyIsNone,
  idSchema,
  imeiInSchema,
  lineNameSchema,
  lineTextSchema,
  mobileSchema,
  optionalPersonNameSchema,
  pagingShape,
  otpSchema,
  personNameSchema,
  idNumberIn,
  textVersionSchema,
  textsSchema,
  wordSchema,
} from './fields.ts';
import { withFormNames } from './form-names.ts';
import { LIMITS } from './limits.ts';
import { LOST_KINDS, LOST_REPORTERS } from './lost-kinds.ts';
import { GRANTED_HOLDS } from './hold-kinds.ts';
import { pastPhoneSchema } from './past-phones.ts';
import { overrideAskedSchema } from './overrides.ts';
import { PATHS } from './paths.ts';
import { AADHAAR_LAST4, PAN, PINCODE_OR_NONE } from './patterns.ts';

export const addressSchema = z.strictObject({
  line1: lineTextSchema(LIMITS.addressLength).default(''),
  city: lineTextSchema(LIMITS.placeLength).default(''),
  state: lineTextSchema(LIMITS.placeLength).default(''),
  pincode: z.string().regex(PINCODE_OR_NONE, 'field.pincode').default(''),
});

/** Identity step. The Aadhaar number itself is never taken: the last four digits are all that is kept. */
export const identitySchema = z.strictObject({
  first_name: personNameSchema,
  last_name: optionalPersonNameSchema.default(''),
  mobile: mobileSchema,
  alternate_mobile: emptyIsNone(mobileSchema),
  email: emptyIsNone(z.email('field.email').max(120)),
  birth_on: emptyIsNone(birthDateSchema),
  language: z.enum(LANGUAGES).default('en'),
  address: addressSchema.prefault({}),
  aadhaar_last4: emptyIsNone(z.string().regex(AADHAAR_LAST4, 'field.aadhaar_last4')),
  pan: emptyIsNone(z.string().regex(PAN, 'field.pan')),
});
export const deviceInSchema = z.strictObject({
  imei1: imeiInSchema,
  imei2: emptyIsNone(imeiInSchema),
  serial: lineTextSchema(40).optional(),
  brand: lineNameSchema(),
  model: lineNameSchema(),
});
/** The clause that the customer accepted: which text, in which language, how. The server hashes its own copy of that version. */
export const consentInSchema = z.strictObject({
  text_version: wordSchema,
  language: z.enum(LANGUAGES),
  method: z.enum(['signature', 'typed']),
  typed_name: personNameSchema.optional(),
  accepted: z.literal(true, 'field.consent'),
});

/** Which clause a code is about: the code is worth nothing for another text, in another language or for another number. */
const clauseShape = { customer_id: idSchema, text_version: textVersionSchema, language: z.enum(LANGUAGES) };

/** What a consent still lacks before a debt may hold the phone. */
export const CONSENT_PARTS = ['signature', 'code'] as const;
export type ConsentPart = (typeof CONSENT_PARTS)[number];

/** One call for every step: with `draft: true` any part may be missing and nothing is spent; without, all is needed and a key is reserved. */
export const registerShape = {
  draft: z.boolean().default(false),
  customer_id: idSchema.optional(),
  plan_id: idNumberIn,
  customer: identitySchema.optional(),
  device: deviceInSchema.optional(),
  emi: emiTermsSchema.optional(),
  consent: consentInSchema.optional(),
  /** Of a draft: who makes the loan of the sale to come. What its customer signs and tells counts for this lender's loan alone, as without it for none. */
  financer_id: idNumberIn.optional(),
  /** Which step the form stood at and what was typed but is not valid yet; a draft gives it back as it was. */
  draft_state: z
    .strictObject({ step: wordSchema, typed: textsSchema(60, LIMITS.messageLength).default({}) })
    .optional(),
};
export const registerBodySchema = withFormNames(z.strictObject(registerShape));
export const registeredSchema = z.object({
  customer_id: z.uuid(),
  is_draft: z.boolean(),
  status: z.int(),
  agreement_id: z.uuid().nullable(),
  agreement_no: z.string().nullable(),
  device_id: z.uuid().nullable(),
  keys_left: z.int().nullable(),
});
export const REGISTER_ERRORS = [
  'NOT_FOUND',
  'PLAN_NOT_ON_SALE',
  'INSUFFICIENT_KEYS',
  'DUPLICATE_IMEI',
  'STATE_CONFLICT',
  'IMEI_INVALID',
] as const;

export const lockViewSchema = z.object({
  /** What the phone last confirmed: 1 locked, 0 unlocked. */
  lock_status: z.union([z.literal(0), z.literal(1)]),
  level: z.int(),
  desired_level: z.int(),
  /** Set while desired and reported differ. */
  pending: z.object({ to: z.enum(['locked', 'unlocked', 'level']), state: z.string(), since: z.string() }).nullable(),
  confirmed_at: z.string().nullable(),
  /** 'unproven': the agent obeys, and could not prove that it is ours. */
  strength: z.enum(['enforced', 'unproven', 'advisory']),
  /** Of a phone that is held, or shall be: its last word, where that is longer ago than a phone may be silent. */
  silent_since: z.string().nullable(),
  /** What the phone is held for by our books, whatever cause it names itself; null when we want it free. */
  cause: z.string().nullable(),
});
export type LockView = z.infer<typeof lockViewSchema>;

export const customerRowSchema = z.object({
  customer_id: z.uuid(),
  first_name: z.string(),
  last_name: z.string(),
  mobile: z.string(),
  status: z.int(),
  plan_type: z.int(),
  provisioning_type: z.int().nullable(),
  device: z.string(),
  imei1: z.string().nullable(),
  agreement_no: z.string().nullable(),
  lock: lockViewSchema.nullable(),
  next_due_on: z.string().nullable(),
  next_due_paise: z.int(),
  days_past_due: z.int(),
  overdue_paise: z.int(),
  paid_count: z.int(),
  tenure: z.int(),
  is_disputed: z.boolean(),
  is_draft: z.boolean(),
  created_at: z.string(),
  /** When they were asked for money last; told in a list of what is due (`due`), absent in any other. */
  reminded_at: z.string().nullable().optional(),
});
export type CustomerRow = z.infer<typeof customerRowSchema>;

export const listCustomersQuery = z.strictObject({
  ...pagingShape,
  ...customerFilterShape,
  /** Counts anew; a total is else remembered for two minutes. */
  refresh: refreshIn.optional(),
  sort: z.enum(['newest', 'name', 'due', 'overdue']).default('newest'),
});
export type ListCustomersQuery = z.input<typeof listCustomersQuery>;

export const deviceViewSchema = z.object({
  device_id: z.uuid(),
  provisioning_type: z.int(),
  brand: z.string(),
  model: z.string(),
  imei1: z.string().nullable(),
  imei2: z.string().nullable(),
  serial: z.string().nullable(),
  enrolled_at: z.string().nullable(),
  released_at: z.string().nullable(),
  is_online: z.boolean(),
  last_seen_at: z.string().nullable(),
  battery: z.int().nullable(),
  agent_version: z.string().nullable(),
  grade: z.string().nullable(),
  sims: z.array(z.object({ slot: z.int(), operator: z.string(), iccid_tail: z.string() })),
  location: z
    .object({ latitude: z.number(), longitude: z.number(), accuracy_m: z.number(), at: z.string() })
    .nullable(),
  desired_revision: z.int(),
  reported_revision: z.int(),
  toggles: z.record(z.string(), z.boolean()),
  features: z.object({
    toggles: z.array(z.string()),
    actions: z.array(z.string()),
    /** Of those, what this very phone cannot do: the locale key of the sentence that says why, and what fills it. */
    cannot: z.record(z.string(), z.object({ why: z.string(), needs: z.string().optional() })),
  }),
});
export type DeviceView = z.infer<typeof deviceViewSchema>;

/** What a shop looks at first where its organisation's anti-hacking layout is in steps, in the order in which it does something about it. */
export const SECURITY_SIGNALS = ['contact', 'agent', 'orders', 'sim'] as const;
export const securitySignalSchema = z.object({
  signal: z.enum(SECURITY_SIGNALS),
  /** Whether nothing is to be done about it. */
  is_safe: z.boolean(),
  /** When it was seen last, or came about; null where there is no such moment. */
  at: z.string().nullable(),
});
export type SecuritySignal = z.infer<typeof securitySignalSchema>;

/** Why a phone is (or is not) held: its line from the first notice to the moment it will open. */
export const lockTimelineSchema = z.object({
  level: z.int(),
  policy: z.string(),
  days_past_due: z.int(),
  events: z.array(
    z.object({ at: z.string(), kind: z.string(), params: z.record(z.string(), z.union([z.string(), z.number()])) }),
  ),
  /** What happens next and when, or null. */
  next: z.object({ level: z.int(), at: z.string().nullable(), rule: z.string() }).nullable(),
  /** What has to be paid for the phone to open; 0 where no payment opens it. */
  pay_to_open_paise: z.int(),
  /** Held for its owner, on the owner's own word: paying does not open it. */
  is_owners: z.boolean(),
  /** Granted, and standing today: nothing rises until the end of that day. */
  holds: z.array(
    z.object({
      hold_id: z.uuid(),
      kind: z.enum(GRANTED_HOLDS),
      until_on: z.string(),
      /** The organisation granted it: no shop ends it. */
      is_organisations: z.boolean(),
    }),
  ),
  cure: z
    .object({
      cured_at: z.string(),
      confirmed_at: z.string().nullable(),
      /** The lock was found to have been wrong, from this moment: every hour of it counts. */
      held_since: z.string().nullable(),
      compensation_paise: z.int(),
    })
    .nullable(),
  /** What the customer is owed for all hours of locks that were wrong or came off too late, this one's among them. */
  owed_paise: z.int(),
});
export type LockTimeline = z.infer<typeof lockTimelineSchema>;

export const customerProfileSchema = z.object({
  customer: z.object({
    customer_id: z.uuid(),
    status: z.int(),
    is_draft: z.boolean(),
    plan_id: z.int().nullable(),
    plan_type: z.int(),
    plan_name: z.string(),
    first_name: z.string(),
    last_name: z.string(),
    mobile: z.string(),
    alternate_mobile: z.string().nullable(),
    email: z.string().nullable(),
    address: addressSchema,
    birth_on: z.string().nullable(),
    language: z.string(),
    aadhaar_masked: z.string().nullable(),
    pan_masked: z.string().nullable(),
    photo_document_id: z.uuid().nullable(),
    signature_document_id: z.uuid().nullable(),
    created_at: z.string(),
    added_by: z.string(),
  }),
  /** When everything but what the law keeps was erased, and until when that is kept; null: it is all there. */
  erasure: z.object({ erased_at: z.string(), evidence_until: z.string(), books_until: z.string() }).nullable(),
  /** What the consent of a running agreement still lacks: without it no debt holds the phone. */
  consent_missing: z.array(z.enum(CONSENT_PARTS)),
  /** The policy that its agreement was signed under does without the code: the signature alone is asked for. */
  consent_needs_no_code: z.literal(true).optional(),
  device: deviceViewSchema.nullable(),
  /** Phones that were the agreement's before, the last one first. */
  exchanges: z.array(pastPhoneSchema),
  /** What its owner says of the phone now. */
  lost_reports: z.array(z.object({ kind: z.enum(LOST_KINDS), at: z.string(), by: z.enum(LOST_REPORTERS) })),
  /** Of the agreement, the newest first. */
  disputes: z.array(disputeViewSchema),
  agreement: z
    .object({
      agreement_id: z.uuid(),
      agreement_no: z.string(),
      state: z.string(),
      emi_paise: z.int(),
      tenure: z.int(),
      paid_count: z.int(),
      outstanding_paise: z.int(),
      overdue_paise: z.int(),
      next_due_on: z.string().nullable(),
      next_due_paise: z.int(),
      days_past_due: z.int(),
      /** One letter an instalment: paid, part, overdue, due (today), upcoming. */
      segments: z.array(z.enum(['paid', 'part', 'overdue', 'due', 'upcoming'])),
    })
    .nullable(),
  lock: lockViewSchema.nullable(),
  lock_timeline: lockTimelineSchema.nullable(),
  /** Of a running agreement whose rules know the organisation's decision, for its shop: what waits for a second person. Else null. */
  override: z.object({ asked: overrideAskedSchema.nullable() }).nullable(),
  /** Of a phone that is set up, where the organisation's anti-hacking layout shows it as steps; else null. */
  security: z.array(securitySignalSchema).nullable(),
  /** What the server takes of edits now: those of the plan, and while the sale is being made those that finish it. */
  edit_actions: z.array(z.enum(EDIT_ACTIONS)),
  /** Enrolment checklist for a customer who is not active yet. */
  steps: z.array(
    z.object({
      step: z.enum(['plan', 'identity', 'device', 'emi', 'consent', 'signature', 'qr']),
      is_done: z.boolean(),
    }),
  ),
  /** What an unfinished form had, to go on with. */
  draft: z.unknown().nullable(),
});
export type CustomerProfile = z.infer<typeof customerProfileSchema>;

export const customerEndpoints = {
  listCustomers: endpoint({
    ...PATHS.listCustomers,
    summary: 'Customers with filters and keyset paging behind page numbers.',
    auth: ['retailer', 'miniretailer'],
    access: NEEDS.read,
    query: listCustomersQuery,
    reply: pageSchema(customerRowSchema),
    errors: ['PAGE_TOO_FAR'],
  }),
  listCustomersKeygen: endpoint({
    ...PATHS.listCustomersKeygen,
    summary: 'The customer list under its other path.',
    auth: ['retailer', 'miniretailer'],
    access: NEEDS.read,
    query: listCustomersQuery,
    reply: pageSchema(customerRowSchema),
    errors: ['PAGE_TOO_FAR'],
  }),
  registerCustomer: endpoint({
    ...PATHS.registerCustomer,
    summary: 'Register: key, agreement, device, consent in one transaction; drafts allowed.',
    auth: ['retailer', 'miniretailer'],
    access: NEEDS.activate,
    idempotent: true,
    body: registerBodySchema,
    reply: registeredSchema,
    errors: REGISTER_ERRORS,
  }),
  getCustomerProfile: endpoint({
    ...PATHS.getCustomerProfile,
    summary: 'Everything about one customer.',
    auth: 'session',
    access: NEEDS.read,
    query: z.strictObject({ customer_id: idSchema }),
    reply: customerProfileSchema,
    errors: ['NOT_FOUND'],
  }),
  sendConsentCode: endpoint({
    ...PATHS.sendConsentCode,
    summary: 'Send the customer, on their own number, the code with which they agree to the clause.',
    auth: ['retailer', 'miniretailer'],
    access: NEEDS.activate,
    body: z.strictObject(clauseShape),
    reply: z.object({ resend_after_s: z.int(), expires_in_s: z.int(), masked_mobile: z.string() }),
    errors: ['NOT_FOUND', 'STATE_CONFLICT', 'STAFF_NUMBER', ...CODE_REFUSALS],
  }),
  collectConsent: endpoint({
    ...PATHS.collectConsent,
    summary:
      'Take the code that the customer was sent, and keep the consent once signature and code are there. Without a code: with what is there already.',
    auth: ['retailer', 'miniretailer'],
    access: NEEDS.activate,
    body: z.strictObject({ ...clauseShape, otp: otpSchema.optional() }),
    /** `login`: the number that told the code signs in as this customer now; not where somebody of a shop signs in with it; null: no code was given. */
    reply: z.object({
      missing: z.array(z.enum(CONSENT_PARTS)),
      /** The policy does without the code: none is asked for. */
      needs_no_code: z.literal(true).optional(),
      login: z.enum(['given', 'shop_number']).nullable(),
    }),
    errors: [
      'NOT_FOUND',
      'STATE_CONFLICT',
      'STAFF_NUMBER',
      'NUMBER_IS_NEW',
      'OTP_INVALID',
      'OTP_EXPIRED',
      'OTP_USED_UP',
    ],
  }),
  deleteDraft: endpoint({
    ...PATHS.deleteDraft,
    summary: 'Delete a customer who never enrolled; a reserved key returns.',
    auth: ['retailer', 'miniretailer'],
    access: NEEDS.activate,
    idempotent: true,
    body: z.strictObject({ customer_id: idSchema }),
    reply: z.object({ keys_returned: z.int() }),
    errors: ['NOT_FOUND', 'STATE_CONFLICT'],
  }),
} as const;
