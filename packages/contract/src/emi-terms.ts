import { z } from 'zod';
import { EMI_FREQUENCIES, EMI_LIMITS, EMI_METHODS } from './emi-limits.ts';
import { bpsSchema, dateSchema, isoDateSchema, paiseSchema } from './fields.ts';

export const EMI_ROUNDINGS = ['RUPEE', 'PAISE'] as const;
export type EmiRounding = (typeof EMI_ROUNDINGS)[number];

const termsShape = {
  method: z.enum(EMI_METHODS, 'field.choice'),
  /** Price of the phone today, paise. */
  cash_price: z
    .int('field.cash_price')
    .min(1, 'field.cash_price')
    .max(EMI_LIMITS.cashPriceMaxPaise, 'field.cash_price')
    .brand<'Paise'>(),
  /** Instalment 0, paid at the counter, outside the tenure; paise. */
  down_payment: paiseSchema,
  /** Charged once, due with the first instalment, bears no interest and counts in the APR; never more than what is financed. Paise. */
  fee: z
    .int('field.fee')
    .min(0, 'field.fee')
    .max(EMI_LIMITS.cashPriceMaxPaise, 'field.fee')
    .brand<'Paise'>()
    .prefault(0),
  rate_bps: z.int('field.rate').min(0, 'field.rate').max(EMI_LIMITS.rateMaxBps, 'field.rate').brand<'Bps'>(),
  /** Number of instalments. */
  tenure: z.int('field.tenure').min(1, 'field.tenure').max(EMI_LIMITS.tenureMax.WEEKLY, 'field.tenure'),
  frequency: z.enum(EMI_FREQUENCIES, 'field.choice'),
  delivered_on: dateSchema,
  /** Day of the month on which instalments fall due, clamped; the day of delivery when left out. Of no effect unless MONTHLY. */
  anchor_day: z.int('field.anchor_day').min(1, 'field.anchor_day').max(31, 'field.anchor_day').optional(),
  rounding: z.enum(EMI_ROUNDINGS, 'field.choice').default('RUPEE'),
};

/** Terms of an agreement as the app sends them: previewed, and signed, by the same engine. Unknown fields are refused. */
export const emiTermsSchema = z
  .strictObject(termsShape)
  .refine((terms) => terms.down_payment < terms.cash_price, { path: ['down_payment'], error: 'field.down_payment' })
  .refine((terms) => terms.fee <= terms.cash_price - terms.down_payment, {
    path: ['fee'],
    error: 'field.fee',
    when: ({ issues }) => issues.length === 0,
  })
  .refine((terms) => terms.method !== 'ZERO' || terms.rate_bps === 0, { path: ['rate_bps'], error: 'field.rate_zero' })
  .refine((terms) => terms.tenure <= EMI_LIMITS.tenureMax[terms.frequency], { path: ['tenure'], error: 'field.tenure' })
  .refine((terms) => terms.cash_price - terms.down_payment >= EMI_LIMITS.financedMinPaisePerInstalment * terms.tenure, {
    path: ['cash_price'],
    error: 'field.financed_too_small',
    when: ({ issues }) => issues.length === 0,
  });
export type EmiTerms = z.output<typeof emiTermsSchema>;
/** What a form sends. @internal for tests, which make terms */
export type EmiTermsInput = z.input<typeof emiTermsSchema>;

/** One row of the schedule, paise; `balance` is the principal still owed after it. */
export const emiPreviewRowSchema = z.object({
  no: z.int(),
  due_on: isoDateSchema,
  principal: paiseSchema,
  interest: paiseSchema,
  fee: paiseSchema,
  total: paiseSchema,
  balance: paiseSchema,
});

/**
 * What the terms come to, paise. `emi` is the regular amount, without the fee; `total_payable` is all instalments together with the fee, without the down
 * payment.
 */
export const emiPreviewSchema = z.object({
  financed: paiseSchema,
  emi: paiseSchema,
  instalments: z.array(emiPreviewRowSchema),
  total_interest: paiseSchema,
  fee: paiseSchema,
  total_payable: paiseSchema,
  /** Yearly cost of all interest and fees: internal rate of return of a period × periods in a year, basis points. */
  apr_bps: bpsSchema,
  /**
   * Days from delivery to the first instalment, and of a whole period from delivery. They differ where the anchor day makes the first period longer or
   * shorter; REDUCING charges it by its days then, FLAT and ZERO charge whole periods whatever its length.
   */
  first_period: z.object({ days: z.int(), whole_days: z.int() }),
});
export type EmiPreview = z.output<typeof emiPreviewSchema>;
