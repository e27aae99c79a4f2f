import { z } from 'zod';
import { NEEDS } from './access.ts';
import { emiPreviewSchema, emiTermsSchema } from './emi-terms.ts';
import { endpoint } from './endpoint.ts';
import { dateSchema, idSchema, instantSchema, lineTextSchema, noteSchema, paymentIn } from './fields.ts';
import { LIMITS } from './limits.ts';
import { PATHS } from './paths.ts';
import { phoneClaimSchema } from './phone-claims.ts';
import { PAYMENT_METHODS } from './payment-methods.ts';
import { chargeViewSchema } from './penalties.ts';

export const instalmentViewSchema = z.object({
  instalment_id: z.uuid(),
  /** Its number for good; a schedule that was changed leaves some out. */
  no: z.int(),
  /** Its place among the instalments that stand, from 1: what people are shown. */
  place: z.int(),
  due_on: z.string(),
  principal_paise: z.int(),
  interest_paise: z.int(),
  fee_paise: z.int(),
  total_paise: z.int(),
  paid_paise: z.int(),
  left_paise: z.int(),
  balance_paise: z.int(),
  state: z.enum(['paid', 'part', 'overdue', 'due', 'upcoming']),
  paid_on: z.string().nullable(),
  penal_paise: z.int(),
  penal_left_paise: z.int(),
});
/** Where a part of a payment went; no instalment: in advance. `instalment_place` is null too of one that stands no more, and of a receipt from before it was told. */
const allocationSchema = z.object({
  instalment_no: z.int().nullable(),
  instalment_place: z.int().nullable().default(null),
  bucket: z.string(),
  paise: z.int(),
});
export const paymentViewSchema = z.object({
  payment_id: z.uuid(),
  /** None while it is a claim. */
  receipt_no: z.string().nullable(),
  amount_paise: z.int(),
  method: z.string(),
  reference: z.string(),
  paid_at: z.string(),
  recorded_by: z.string(),
  state: z.enum(['claimed', 'pending_approval', 'posted', 'reversed', 'refused']),
  reversed_at: z.string().nullable(),
  reverse_reason: z.string().nullable(),
  /** What the shop answered to a claim that it refused; the customer reads it. */
  refuse_reason: z.string().nullable(),
  /** What is owed, the price itself when the agreement was signed, or back to who paid it, where the agreement was over. */
  goes_to: z.enum(['dues', 'down_payment', 'suspense']),
  /** The number of the note that the payment was taken back by. */
  note_no: z.string().nullable(),
  allocations: z.array(allocationSchema),
});
export type PaymentView = z.infer<typeof paymentViewSchema>;

export const emiDetailsSchema = z.object({
  agreement: z.object({
    agreement_id: z.uuid(),
    agreement_no: z.string(),
    customer_id: z.uuid(),
    state: z.string(),
    method: z.string(),
    frequency: z.string(),
    cash_price_paise: z.int(),
    down_payment_paise: z.int(),
    fee_paise: z.int(),
    financed_paise: z.int(),
    emi_paise: z.int(),
    rate_bps: z.int(),
    apr_bps: z.int(),
    tenure: z.int(),
    total_interest_paise: z.int(),
    total_payable_paise: z.int(),
    outstanding_paise: z.int(),
    overdue_paise: z.int(),
    penal_left_paise: z.int(),
    advance_paise: z.int(),
    delivered_on: z.string(),
    next_due_on: z.string().nullable(),
    days_past_due: z.int(),
    paid_count: z.int(),
    first_name: z.string(),
    last_name: z.string(),
    mobile: z.string(),
    device: z.string(),
    /** Whose loan it is, where a financer made it. */
    loan: z
      .object({
        financer: z.string(),
        financer_id: z.int(),
        loan_account_no: z.string(),
        sanctioned_paise: z.int(),
        sanctioned_on: z.string(),
      })
      .nullable(),
  }),
  instalments: z.array(instalmentViewSchema),
  payments: z.array(paymentViewSchema),
  /** “I have paid” as the phone said it last, without a sum: what waits for the shop's answer, or was answered no; null: nothing. */
  phone_claim: phoneClaimSchema.nullable(),
  /** Penal charges that stand, oldest first. */
  charges: z.array(chargeViewSchema),
  /** What the rule of the agreement lets a shop charge by hand today, of which instalment; null: nothing. */
  chargeable: z
    .object({ instalment_no: z.int(), instalment_place: z.int(), due_on: z.string(), amount_paise: z.int() })
    .nullable(),
  business_on: z.string(),
});
export type EmiDetails = z.infer<typeof emiDetailsSchema>;

/**
 * What a payment did: the receipt, and what became of the phone. Who brings in what was taken before the customer passed to another shop gets what stands on the
 * slip and nothing of the customer since: null, no parts, no words to share.
 */
export const receiptSchema = z.object({
  payment_id: z.uuid(),
  receipt_no: z.string(),
  amount_paise: z.int(),
  paid_at: z.string(),
  outstanding_paise: z.int().nullable(),
  overdue_paise: z.int().nullable(),
  allocations: z.array(allocationSchema),
  advance_paise: z.int(),
  /** Present when the payment cleared the dues of a held phone: the unlock that went out in the same transaction. */
  unlock: z.object({ command_id: z.uuid().nullable(), state: z.string(), revision: z.int() }).nullable(),
  agreement_state: z.string().nullable(),
  warnings: z.array(z.enum(['CASH_LIMIT'])),
  share_text: z.string(),
  /** What was taken besides, beyond everything that was owed: a payment of its own, to be paid back. Left out where nothing was. */
  overpaid: z.object({ payment_id: z.uuid(), receipt_no: z.string(), amount_paise: z.int() }).optional(),
});
export type Receipt = z.infer<typeof receiptSchema>;

/** What became of a customer's "I have paid". */
const claimStateSchema = z.object({
  payment_id: z.uuid(),
  state: z.enum(['claimed', 'pending_approval', 'posted', 'reversed', 'refused']),
  receipt: receiptSchema.nullable(),
});
export type ClaimState = z.infer<typeof claimStateSchema>;

/** Money that came in for an agreement that was over, and has to go back. */
const refundTaskSchema = z.object({
  payment_id: z.uuid(),
  customer_id: z.uuid(),
  first_name: z.string(),
  last_name: z.string(),
  mobile: z.string(),
  receipt_no: z.string().nullable(),
  amount_paise: z.int(),
  state: z.enum(['open', 'done', 'void']),
  opened_at: z.string(),
  closed_at: z.string().nullable(),
  method: z.string().nullable(),
  reference: z.string(),
});
export type RefundTask = z.infer<typeof refundTaskSchema>;

const payShape = {
  /** Made by the app (UUID version 7) and kept before it is sent: the same id always answers with the same receipt. */
  payment_id: idSchema.toLowerCase().optional(),
  method: z.enum(PAYMENT_METHODS),
  /** When the money changed hands; now when left out, and of a customer who passed to another shop since, when the app made the id. */
  paid_at: instantSchema.optional(),
  reference: lineTextSchema(LIMITS.referenceLength).default(''),
};

/** What is more than everything owed is taken too, and owed back; without it the amount is refused with MORE_THAN_OWED. */
const acceptsMore = { accept_overpayment: z.boolean().default(false) };

export const emiEndpoints = {
  previewEmi: endpoint({
    ...PATHS.previewEmi,
    summary: 'Instalments, total cost and APR of these terms; nothing is stored.',
    auth: ['retailer', 'miniretailer'],
    access: { none: 'a calculation with the caller’s own numbers' },
    body: emiTermsSchema,
    reply: emiPreviewSchema,
  }),
  customerEmiDetails: endpoint({
    ...PATHS.customerEmiDetails,
    summary: 'Agreement, schedule and payments: getEmiDetails under its other path.',
    auth: 'session',
    access: NEEDS.read,
    body: z.strictObject({ customer_id: idSchema }),
    reply: emiDetailsSchema,
    errors: ['NOT_FOUND'],
  }),
  getEmiDetails: endpoint({
    ...PATHS.getEmiDetails,
    summary: 'Agreement, schedule and payments.',
    auth: 'session',
    access: NEEDS.read,
    body: z.strictObject({ customer_id: idSchema }),
    reply: emiDetailsSchema,
    errors: ['NOT_FOUND'],
  }),
  updateEmiStatus: endpoint({
    ...PATHS.updateEmiStatus,
    summary: 'Take a payment, full or part: receipt, ledger, dues, unlock, audit and outbox in one transaction.',
    auth: ['retailer', 'miniretailer'],
    access: NEEDS.collect,
    idempotent: true,
    /** `charge_id`: the penal charge that the money is for, filled before anything else. */
    body: z.strictObject({
      instalment_id: idSchema,
      amount: paymentIn,
      charge_id: idSchema.optional(),
      ...payShape,
      ...acceptsMore,
    }),
    reply: receiptSchema,
    errors: ['NOT_FOUND', 'ALREADY_PAID', 'MORE_THAN_OWED', 'REFERENCE_USED', 'STATE_CONFLICT'],
  }),
  multipleEmiPaid: endpoint({
    ...PATHS.multipleEmiPaid,
    summary: 'Several instalments of one customer, one receipt.',
    auth: ['retailer', 'miniretailer'],
    access: NEEDS.collect,
    idempotent: true,
    /**
     * `amount`: the sum that was taken for them; where they come to another by now nothing is booked (STATE_CONFLICT). With `accept_overpayment` that sum is
     * booked, whatever they come to; without it an instalment that was paid meanwhile counts with all that it was: the money for it was taken, and goes to what
     * is owed.
     */
    body: z.strictObject({
      customer_id: idSchema,
      instalment_ids: z.array(idSchema).min(1).max(120),
      amount: paymentIn.optional(),
      ...payShape,
      ...acceptsMore,
    }),
    reply: receiptSchema,
    errors: ['NOT_FOUND', 'ALREADY_PAID', 'REFERENCE_USED', 'STATE_CONFLICT'],
  }),
  reversePayment: endpoint({
    ...PATHS.reversePayment,
    summary: 'Take a payment back with a reason; later payments replay in date order.',
    auth: ['retailer', 'miniretailer'],
    access: NEEDS.collect,
    idempotent: true,
    body: z.strictObject({
      payment_id: idSchema,
      reason: noteSchema(LIMITS.reasonLengthMin),
    }),
    reply: z.object({
      payment_id: z.uuid(),
      note_no: z.string(),
      outstanding_paise: z.int(),
      overdue_paise: z.int(),
      /** Of money that came with it and was more than all that was owed: it still waits to be paid back. */
      rest_waits_paise: z.int(),
    }),
    errors: ['NOT_FOUND', 'ALREADY_REVERSED', 'STATE_CONFLICT'],
  }),
  claimPayment: endpoint({
    ...PATHS.claimPayment,
    summary:
      'A customer says that it is paid: the shop sees it at once and answers; the next lock waits, once for each instalment.',
    auth: ['customer'],
    access: { none: 'the customer’s own word about the customer’s own money' },
    idempotent: true,
    /** `again`: another payment, though an earlier word still waits for its answer. `customer_id` where more than one thing was sold to the caller's number. */
    body: z.strictObject({
      ...payShape,
      payment_id: idSchema.toLowerCase(),
      amount: paymentIn,
      again: z.boolean().default(false),
      customer_id: idSchema.optional(),
    }),
    reply: claimStateSchema,
    errors: ['NOT_FOUND', 'CLAIM_WAITING', 'STATE_CONFLICT'],
  }),
  answerClaim: endpoint({
    ...PATHS.answerClaim,
    summary: 'The shop’s yes or no to what a customer says was paid: yes makes it a payment with a receipt.',
    auth: ['retailer', 'miniretailer'],
    access: NEEDS.collect,
    idempotent: true,
    /** `reason` where it was not received: the customer reads it. */
    body: z.strictObject({
      payment_id: idSchema,
      is_received: z.boolean(),
      reason: noteSchema(LIMITS.reasonLengthMin).optional(),
    }),
    reply: claimStateSchema,
    errors: ['NOT_FOUND', 'REFERENCE_USED', 'STATE_CONFLICT'],
  }),
  listRefunds: endpoint({
    ...PATHS.listRefunds,
    summary: 'Money that came in for agreements that were over: what has to go back, and what lately did.',
    auth: ['retailer', 'miniretailer'],
    access: NEEDS.read,
    query: z.strictObject({}),
    reply: z.array(refundTaskSchema),
  }),
  refundDone: endpoint({
    ...PATHS.refundDone,
    summary:
      'Such money was given back: out of the till of who gave it. By another person or another way than it was: a conflict.',
    auth: ['retailer', 'miniretailer'],
    access: NEEDS.collect,
    idempotent: true,
    body: z.strictObject({ payment_id: idSchema, method: payShape.method, reference: payShape.reference }),
    reply: z.object({ payment_id: z.uuid(), amount_paise: z.int() }),
    errors: ['NOT_FOUND', 'STATE_CONFLICT'],
  }),
  trialBalance: endpoint({
    ...PATHS.trialBalance,
    summary:
      'Trial balance of the caller’s own shops by account code, the administrator’s of the organisation, with the schedule and wallet checks.',
    auth: ['retailer', 'admin'],
    access: NEEDS.read,
    /** Balances of a day, `on` or `to`; without one, of everything posted. Another shop of the caller's by `retailer_id`. */
    query: z.strictObject({ on: dateSchema.optional(), to: dateSchema.optional(), retailer_id: idSchema.optional() }),
    reply: z.object({
      rows: z.array(z.object({ code: z.string(), unit: z.string(), debit: z.int(), credit: z.int() })),
      is_balanced: z.boolean(),
      differences: z.array(z.string()),
    }),
    errors: ['NOT_FOUND'],
  }),
} as const;
