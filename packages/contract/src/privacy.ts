import { z } from 'zod';
import { NEEDS } from './access.ts';
import { LANGUAGES } from './codes.ts';
import { customerProfileSchema } from './customers.ts';
import { emiDetailsSchema } from './emi.ts';
import { endpoint } from './endpoint.ts';
import { idSchema } from './fields.ts';
import { PATHS } from './paths.ts';

/**
 * Why nothing is erased yet: an agreement runs, the shop has not answered that money was paid, money is owed back, a complaint waits for an answer or can still
 * be taken further, a phone has not said that it is free of a lock, compensation for locks is not paid out, the phone is still set up, or the sale is a draft,
 * which is deleted.
 */
export const ERASURE_REFUSALS = [
  'AGREEMENT_RUNS',
  'CLAIM_OPEN',
  'REFUND_OPEN',
  'DISPUTE_OPEN',
  'UNLOCK_OPEN',
  'COMPENSATION_OPEN',
  'PHONE_SET_UP',
  'DRAFT',
] as const;
export type ErasureRefusal = (typeof ERASURE_REFUSALS)[number];

const erasureSchema = z.object({
  customer_id: z.uuid(),
  /** Null: everything is there. */
  erased_at: z.string().nullable(),
  refused: z.enum(ERASURE_REFUSALS).nullable(),
  /**
   * Until when the law asks for what stays without a name: proofs of consent and messages, and the books with their receipts. After the first the signature
   * and the number in the proof of consent go; books and messages stay.
   */
  evidence_until: z.string(),
  books_until: z.string(),
});
export type Erasure = z.infer<typeof erasureSchema>;

const moment = z.string();
const maybe = z.string().nullable();

/** What is kept of a customer beside what the app's pages show. Everything newest first. */
const customerTracesSchema = z.object({
  /** What an unfinished sale has so far. */
  draft: z.unknown().nullable(),
  /** Where they were and are signed in; from which address, only they are told. */
  sessions: z.array(
    z.object({
      device: z.string(),
      browser: z.string(),
      platform: z.string(),
      place: maybe,
      first_seen_at: moment,
      last_seen_at: moment,
      ended_at: maybe,
    }),
  ),
  /** How they come back in without a code. */
  ways_in: z.array(
    z.object({
      kind: z.enum(['passkey', 'trusted_device', 'mpin']),
      device: z.record(z.string(), z.unknown()),
      since: moment,
      last_used_at: maybe,
    }),
  ),
  /** Every phone that is or was theirs, with what it said last. */
  phones: z.array(
    z.object({
      device_id: z.uuid(),
      brand: z.string(),
      model: z.string(),
      imei1: maybe,
      imei2: maybe,
      serial: maybe,
      created_at: moment,
      enrolled_at: maybe,
      released_at: maybe,
      last_seen_at: maybe,
      battery: z.int().nullable(),
      sims: z.array(z.record(z.string(), z.unknown())),
      toggles: z.record(z.string(), z.boolean()),
      location: z.record(z.string(), z.unknown()).nullable(),
      channels: z.array(z.object({ vendor: z.string(), grade: z.string(), started_at: moment, ended_at: maybe })),
    }),
  ),
  /** What the phones told by themselves, as long as it is kept. */
  phone_events: z.array(
    z.object({ device_id: z.uuid(), kind: z.string(), at: moment, data: z.record(z.string(), z.unknown()) }),
  ),
  orders: z.array(
    z.object({
      device_id: z.uuid(),
      type: z.string(),
      reason: z.string(),
      note: maybe,
      state: z.string(),
      created_at: moment,
      sent_at: maybe,
      applied_at: maybe,
      ended_at: maybe,
      fail_code: maybe,
      result: z.unknown().nullable(),
    }),
  ),
  /** What the lock gate said, and to what. */
  verdicts: z.array(z.object({ device_id: z.uuid(), allowed: z.boolean(), rule: z.string(), decided_at: moment })),
  locks: z.array(
    z.object({
      device_id: z.uuid(),
      cause: z.string(),
      level: z.int(),
      reason: z.string(),
      level_since: moment,
      ends_at: maybe,
    }),
  ),
  /** Single things that were taken from a phone. */
  takings: z.array(
    z.object({
      device_id: z.uuid(),
      taken: z.string(),
      cause: z.string(),
      reason: z.string(),
      taken_at: moment,
      given_back_at: maybe,
    }),
  ),
  /** When what was overdue was paid, and when the phone said that it was free; since when it was locked, where that was wrong. */
  cures: z.array(z.object({ cured_at: moment, confirmed_at: maybe, held_since: maybe })),
  /** When nothing rose, and why; `claim`: their own word "I have paid", of which the payments in `emi` tell the amounts. */
  holds: z.array(
    z.object({
      kind: z.string(),
      until_on: z.string(),
      due_on: maybe,
      note: z.string(),
      created_at: moment,
      lifted_at: maybe,
      lifted_note: z.string(),
    }),
  ),
  /** "I have paid" as it was said on the phone, without a sum, and what became of each: of every agreement. */
  phone_claims: z.array(
    z.object({
      agreement_id: z.uuid(),
      said_at: moment,
      state: z.enum(['open', 'told', 'paid', 'refused', 'over']),
      ended_at: maybe,
      reason: maybe,
    }),
  ),
  /** What was said of a phone, lost or stolen, that is over too. */
  lost_history: z.array(
    z.object({
      device_id: z.uuid(),
      kind: z.string(),
      reported_by: z.string(),
      note: z.string(),
      code_mobile: maybe,
      reported_at: moment,
      closed_at: maybe,
      closed_as: maybe,
      closed_reason: z.string(),
    }),
  ),
  /** Agreements that count no more, whole. */
  earlier_agreements: z.array(emiDetailsSchema),
  agreement_moves: z.array(
    z.object({
      agreement_id: z.uuid(),
      from_state: z.string(),
      to_state: z.string(),
      reason: z.string(),
      moved_at: moment,
    }),
  ),
  schedule_changes: z.array(
    z.object({
      agreement_id: z.uuid(),
      version: z.int(),
      effective_on: z.string(),
      cause: z.string(),
      reason: z.string(),
      made_at: moment,
    }),
  ),
  refunds: z.array(
    z.object({
      payment_id: z.uuid(),
      amount_paise: z.int(),
      state: z.string(),
      opened_at: moment,
      closed_at: maybe,
      method: maybe,
      reference: z.string(),
    }),
  ),
  /** What they agreed to by a code, and from which number. */
  confirmations: z.array(
    z.object({ mobile: z.string(), text_version: z.string(), language: z.string(), confirmed_at: moment }),
  ),
  number_changes: z.array(z.object({ changed_at: moment, waits: z.boolean(), is_back: z.boolean() })),
  /** From one shop to another. */
  transfers: z.array(z.object({ made_at: moment, reason: z.string() })),
});
export type CustomerTraces = z.infer<typeof customerTracesSchema>;

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
      seen_at: z.string().nullable(),
      failed_at: z.string().nullable(),
    }),
  ),
  documents: z.array(
    z.object({
      document_type: z.string(),
      image_name: z.string(),
      bytes: z.int(),
      created_at: z.string(),
      /** Another took its place; it goes after a while. */
      replaced_at: z.string().nullable(),
    }),
  ),
  /** Who did what and when, by kind of user; never a name. */
  history: z.array(z.object({ kind: z.string(), seq: z.int(), at: z.string(), action: z.string(), by: z.string() })),
  ...customerTracesSchema.shape,
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
      'Erase a customer for good: name, numbers, address, pictures, places, login. Refused while an agreement runs or something is owed or unanswered; books and proofs stay, without a name, as long as the law says.',
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
