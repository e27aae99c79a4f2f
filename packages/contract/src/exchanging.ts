import { z } from 'zod';
import { NEEDS } from './access.ts';
import { addressSchema, deviceInSchema, identitySchema } from './customers.ts';
import { CODE_REFUSALS } from './consent-code.ts';
import { endpoint } from './endpoint.ts';
import { emptyIsNone, idSchema, mobileSchema, noteSchema, otpSchema, personNameSchema } from './fields.ts';
import { withPersonNames } from './form-names.ts';
import { LIMITS } from './limits.ts';
import { PATHS } from './paths.ts';

/** What the change of the phone under a running agreement (IMEI_EDIT) does, beside which phone comes. */
const exchangeShape = {
  agreement_id: z.uuid(),
  agreement_no: z.string(),
  /** `CORRECTED`: no phone was set up yet, only its number was wrong; `EXCHANGED`: another phone comes in the place of the one in use. */
  kind: z.enum(['CORRECTED', 'EXCHANGED']),
  /** Of the phone that goes: its set-up code is dead, it ends when it says that it is free, or it was let go before. */
  channel: z.enum(['NEVER_OPENED', 'ENDS_WHEN_FREE', 'NONE']),
  /** What held the phone that goes is off, or nothing did. */
  lock: z.enum(['LIFTED', 'NONE']),
  /** The one that is set aside serves the right phone too; another phone needs another one, and what was spent stays spent. */
  key: z.enum(['KEPT', 'NEW']),
  /** Of this plan, in the wallet of the customer's shop. */
  keys_left: z.int(),
  /** Whether the customer has to agree to the clause once more: what was signed speaks of the phone that goes. A number that is put right keeps it where brand and model stay. */
  consent: z.enum(['KEPT', 'ANEW']),
};
export const exchangePreviewSchema = z.object({
  ...exchangeShape,
  /** Why it cannot be done now. */
  refused: z.enum(['HELD_FOR_OWNER']).nullable(),
});
export type ExchangePreview = z.infer<typeof exchangePreviewSchema>;
export const exchangedSchema = z.object({
  ...exchangeShape,
  /** The phone that came: free, and waiting for its own set-up code. */
  device_id: z.uuid(),
  /** With an exchange the schedule has its next version, with the same terms and rows. */
  schedule_version: z.int(),
});
export type Exchanged = z.infer<typeof exchangedSchema>;

/** What of a customer can be changed, each by itself, the address as a whole; what is left out, or empty, stays. */
const detailsShape = {
  first_name: emptyIsNone(personNameSchema),
  last_name: emptyIsNone(personNameSchema),
  mobile: emptyIsNone(identitySchema.shape.mobile),
  alternate_mobile: identitySchema.shape.alternate_mobile,
  email: identitySchema.shape.email,
  birth_on: identitySchema.shape.birth_on,
  language: identitySchema.shape.language.unwrap().optional(),
  address: addressSchema.optional(),
  aadhaar_last4: identitySchema.shape.aadhaar_last4,
  pan: identitySchema.shape.pan,
};
export const CUSTOMER_DETAILS = Object.keys(detailsShape) as (keyof typeof detailsShape)[];

/** The phone, and a reason that the customer may read. */
const phoneEditSchema = z.strictObject({
  customer_id: idSchema,
  edit: z.literal('IMEI_EDIT'),
  device: deviceInSchema,
  reason: noteSchema(LIMITS.reasonLengthMin),
});
/**
 * The person: what is named, and of nothing nothing. `otp`: of another mobile number, the code that went to the one on file, if the customer still has
 * it: without it the new one waits for a day.
 */
const personEditSchema = z.strictObject({
  customer_id: idSchema,
  edit: z.undefined().optional(),
  ...detailsShape,
  otp: otpSchema.optional(),
});
export type PersonEdit = z.output<typeof personEditSchema>;
const changedSchema = z.object({
  customer_id: z.uuid(),
  changed: z.array(z.enum(CUSTOMER_DETAILS)),
  /** From when on OTPs to another number are the customer's word; null: they are now. */
  number_speaks_at: z.string().nullable(),
});
export type DetailsChanged = z.infer<typeof changedSchema>;

export const exchangingEndpoints = {
  previewExchange: endpoint({
    ...PATHS.previewExchange,
    summary: 'What changing the phone of a running agreement would do with phone, key and consent; changes nothing.',
    auth: ['retailer', 'miniretailer'],
    access: NEEDS.activate,
    query: z.strictObject({ customer_id: idSchema }),
    reply: exchangePreviewSchema,
    errors: ['NOT_FOUND', 'STATE_CONFLICT', 'FEATURE_NOT_OFFERED'],
  }),
  updateCustomerDetails: endpoint({
    ...PATHS.updateCustomerDetails,
    summary:
      'Edit a customer: who they are and how they are reached, each field by itself; another mobile number ends their login, the old one is told by SMS, and OTPs to the new one count after a day, or at once with the `otp` of the old one. With IMEI_EDIT the phone: put a wrong IMEI right before it is set up (with another brand or model the customer agrees anew), or give another one in its place; the one that goes is let go with everything off it, the one that comes begins free.',
    auth: ['retailer', 'miniretailer'],
    access: NEEDS.activate,
    idempotent: true,
    body: withPersonNames(z.discriminatedUnion('edit', [phoneEditSchema, personEditSchema])),
    reply: z.union([exchangedSchema, changedSchema]),
    errors: [
      'NOT_FOUND',
      'STATE_CONFLICT',
      'FEATURE_NOT_OFFERED',
      'DUPLICATE_IMEI',
      'INSUFFICIENT_KEYS',
      'STAFF_NUMBER',
      'NUMBER_IS_NEW',
      'NUMBER_CHANGED_OFTEN',
      'OTP_INVALID',
      'OTP_EXPIRED',
      'OTP_USED_UP',
    ],
  }),
  sendNumberCode: endpoint({
    ...PATHS.sendNumberCode,
    summary:
      'Send the customer, on the number on file, the code with which they agree to this other number: OTPs to it count at once then.',
    auth: ['retailer', 'miniretailer'],
    access: NEEDS.activate,
    body: z.strictObject({ customer_id: idSchema, mobile: mobileSchema }),
    reply: z.object({ resend_after_s: z.int(), expires_in_s: z.int(), masked_mobile: z.string() }),
    errors: ['NOT_FOUND', 'STATE_CONFLICT', 'STAFF_NUMBER', ...CODE_REFUSALS],
  }),
} as const;
