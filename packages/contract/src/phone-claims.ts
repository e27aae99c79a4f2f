import { z } from 'zod';
import { NEEDS } from './access.ts';
import { endpoint } from './endpoint.ts';
import { idSchema, noteSchema } from './fields.ts';
import { LIMITS } from './limits.ts';
import { PATHS } from './paths.ts';

/** "I have paid" as the phone says it: without a sum. */
export const phoneClaimSchema = z.object({
  claim_id: z.uuid(),
  said_at: z.string(),
  /** The shop's no; null: it waits for an answer. */
  refuse_reason: z.string().nullable(),
});
export type PhoneClaim = z.infer<typeof phoneClaimSchema>;

export const phoneClaimEndpoints = {
  refusePhoneClaim: endpoint({
    ...PATHS.refusePhoneClaim,
    summary:
      'The shop’s no to “I have paid” as it was said on the phone, without a sum; the customer reads the reason. Its yes is the payment itself: any payment of the agreement ends what was said.',
    auth: ['retailer', 'miniretailer'],
    access: NEEDS.collect,
    idempotent: true,
    body: z.strictObject({ claim_id: idSchema, reason: noteSchema(LIMITS.reasonLengthMin) }),
    reply: z.object({ claim_id: z.uuid(), state: z.literal('refused') }),
    errors: ['NOT_FOUND', 'STATE_CONFLICT'],
  }),
} as const;
