import { z } from 'zod';
import { NEEDS } from './access.ts';
import { CODE_REFUSALS } from './consent-code.ts';
import { EMI_LIMITS, EMI_METHODS } from './emi-limits.ts';
import { endpoint } from './endpoint.ts';
import { idSchema, noteSchema, otpSchema } from './fields.ts';
import { LIMITS } from './limits.ts';
import { PATHS } from './paths.ts';

/**
 * New terms for what is not due yet of a running agreement: in how many EMIs the rest is paid, at which rate. What is left out stays as it is; the days on
 * which EMIs fall due always do.
 */
const newTermsShape = {
  customer_id: idSchema,
  tenure: z.int('field.tenure').min(1, 'field.tenure').max(EMI_LIMITS.tenureMax.WEEKLY, 'field.tenure'),
  rate_bps: z.int('field.rate').min(0, 'field.rate').max(EMI_LIMITS.rateMaxBps, 'field.rate').brand<'Bps'>().optional(),
  method: z.enum(EMI_METHODS, 'field.choice').optional(),
};

const scheduleSchema = z.object({
  method: z.enum(EMI_METHODS),
  rate_bps: z.int(),
  apr_bps: z.int(),
  /** EMIs in all, those that are paid among them. */
  tenure: z.int(),
  emi_paise: z.int(),
  total_interest_paise: z.int(),
  /** Without the down payment. */
  total_payable_paise: z.int(),
  last_due_on: z.string(),
  instalments: z.array(z.object({ due_on: z.string(), total_paise: z.int() })),
});

const changeShape = {
  agreement_id: z.uuid(),
  agreement_no: z.string(),
  before: scheduleSchema,
  after: scheduleSchema,
  /** Of `after`, the last so many EMIs are new; those before them are due or paid and stay. */
  made: z.int(),
  /** From the first of them on. */
  from_on: z.string(),
};
const editPreviewSchema = z.object({
  ...changeShape,
  /** In force now: sent back with the change, it is refused when another came in between. */
  schedule_version: z.int(),
  /** On some day more would have fallen due than before: the customer agrees to it by a code. */
  needs_code: z.boolean(),
});
export type EditPreview = z.infer<typeof editPreviewSchema>;
const editedSchema = z.object({ ...changeShape, schedule_version: z.int(), outstanding_paise: z.int() });
export type Edited = z.infer<typeof editedSchema>;

export const revisingEndpoints = {
  previewEmiEdit: endpoint({
    ...PATHS.previewEmiEdit,
    summary: 'The schedule before and after new terms for what is not due yet (EMI_EDIT); changes nothing.',
    auth: ['retailer', 'miniretailer'],
    access: NEEDS.terms,
    body: z.strictObject(newTermsShape),
    reply: editPreviewSchema,
    errors: ['NOT_FOUND', 'STATE_CONFLICT', 'FEATURE_NOT_OFFERED'],
  }),
  sendEmiEditCode: endpoint({
    ...PATHS.sendEmiEditCode,
    summary: 'Send the customer, on their own number, the code with which they agree to these new terms and no others.',
    auth: ['retailer', 'miniretailer'],
    access: NEEDS.terms,
    body: z.strictObject(newTermsShape),
    reply: z.object({ resend_after_s: z.int(), expires_in_s: z.int(), masked_mobile: z.string() }),
    errors: ['NOT_FOUND', 'STATE_CONFLICT', 'FEATURE_NOT_OFFERED', 'STAFF_NUMBER', ...CODE_REFUSALS],
  }),
  updateEmiDetails: endpoint({
    ...PATHS.updateEmiDetails,
    summary:
      'Change the EMIs that are not due yet (EMI_EDIT): the next version of the schedule, from today. What is due or paid stays; a change that asks more of the customer needs their code; the customer is told.',
    auth: ['retailer', 'miniretailer'],
    access: NEEDS.terms,
    idempotent: true,
    /** `reason`: the customer may read it. `otp`: the customer's code, where the change asks more. `schedule_version`: of the preview. */
    body: z.strictObject({
      ...newTermsShape,
      reason: noteSchema(LIMITS.reasonLengthMin),
      otp: otpSchema.optional(),
      schedule_version: z.int().min(1).max(1_000_000).optional(),
    }),
    reply: editedSchema,
    errors: [
      'NOT_FOUND',
      'STATE_CONFLICT',
      'FEATURE_NOT_OFFERED',
      'SCHEDULE_UNCHANGED',
      'CUSTOMER_CODE_REQUIRED',
      'STAFF_NUMBER',
      'NUMBER_IS_NEW',
      'OTP_INVALID',
      'OTP_EXPIRED',
      'OTP_USED_UP',
    ],
  }),
} as const;
