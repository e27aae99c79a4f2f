import { z } from 'zod';
import { NEEDS } from './access.ts';
import { endpoint } from './endpoint.ts';
import { idSchema, isOfRefusal, NOTE_OF_YES, noteSchema, paiseIn, refusalNoteSchema } from './fields.ts';
import { LIMITS } from './limits.ts';
import { PATHS } from './paths.ts';

/** A penal charge that stands. */
export const chargeViewSchema = z.object({
  charge_id: z.uuid(),
  instalment_no: z.int(),
  instalment_place: z.int(),
  charged_on: z.string(),
  amount_paise: z.int(),
  paid_paise: z.int(),
  waived_paise: z.int(),
  left_paise: z.int(),
  /** A waiver that waits for a second person; of whoever reads this, when `is_own`. */
  asked: z
    .object({
      waiver_id: z.uuid(),
      amount_paise: z.int(),
      reason: z.string(),
      asked_by: z.string(),
      is_own: z.boolean(),
    })
    .nullable(),
});
export type ChargeView = z.infer<typeof chargeViewSchema>;

const waivedSchema = z.object({
  waiver_id: z.uuid(),
  /** Asked: it waits for a second person. */
  state: z.enum(['asked', 'granted', 'refused']),
  left_paise: z.int(),
});

export const penaltyEndpoints = {
  sendPenalty: endpoint({
    ...PATHS.sendPenalty,
    summary:
      'A penal charge by hand, within the rule that the agreement was signed under: of one instalment or the oldest that it may be made of, all of it or less.',
    auth: ['retailer', 'miniretailer'],
    access: NEEDS.read,
    idempotent: true,
    body: z.strictObject({
      customer_id: idSchema,
      instalment_id: idSchema.optional(),
      amount: paiseIn.optional(),
    }),
    reply: z.object({
      charge_id: z.uuid(),
      instalment_no: z.int(),
      amount_paise: z.int(),
      charged_on: z.string(),
      penal_left_paise: z.int(),
    }),
    errors: ['NOT_FOUND', 'PENALTY_REFUSED', 'AMOUNT_TOO_LARGE'],
  }),
  waivePenalty: endpoint({
    ...PATHS.waivePenalty,
    summary:
      "Waive a penal charge with a reason; beyond the organisation's limit it waits for a second person, whom it rings.",
    auth: ['retailer', 'miniretailer'],
    access: NEEDS.read,
    idempotent: true,
    body: z.strictObject({
      charge_id: idSchema,
      amount: paiseIn.optional(),
      reason: noteSchema(LIMITS.reasonLengthMin),
    }),
    reply: waivedSchema,
    errors: ['NOT_FOUND', 'ALREADY_PAID', 'AMOUNT_TOO_LARGE', 'WAIVER_ASKED_ALREADY', 'STATE_CONFLICT'],
  }),
  decideWaiver: endpoint({
    ...PATHS.decideWaiver,
    summary:
      "The second person's yes or no to a waiver; the retailer of the mini-retailer that asked is none. No is also for who asked, and may say why in `note`, which who asked reads.",
    auth: ['retailer', 'miniretailer', 'admin'],
    access: NEEDS.read,
    idempotent: true,
    body: z
      .strictObject({ waiver_id: idSchema, is_granted: z.boolean(), note: refusalNoteSchema })
      .refine(({ is_granted, note }) => isOfRefusal(is_granted, note), NOTE_OF_YES),
    reply: waivedSchema,
    errors: ['NOT_FOUND', 'SECOND_PERSON_REQUIRED', 'ALREADY_PAID', 'AMOUNT_TOO_LARGE', 'STATE_CONFLICT'],
  }),
} as const;
