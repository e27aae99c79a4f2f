import { z } from 'zod';
import { NEEDS } from './access.ts';
import { endpoint } from './endpoint.ts';
import { idSchema, noteSchema } from './fields.ts';
import { LIMITS } from './limits.ts';
import { PATHS } from './paths.ts';

/** What cancelling a running agreement does with money and key. */
const cancellationSchema = z.object({
  agreement_id: z.uuid(),
  agreement_no: z.string(),
  /** Of what was still owed: nothing any more. */
  given_up_paise: z.int(),
  /** Everything that was paid, the down payment too: it is owed back, each payment with a task of its own. */
  refund_paise: z.int(),
  refunds: z.int(),
  /** One that was set aside returns to the wallet; one that a phone spent stays spent. */
  key: z.enum(['RETURNED', 'SPENT', 'NONE']),
});
export type Cancellation = z.infer<typeof cancellationSchema>;

const cancellationPreviewSchema = cancellationSchema.extend({
  /** Held for its owner: it is not cancelled before it is found. */
  refused: z.enum(['HELD_FOR_OWNER']).nullable(),
});
export type CancellationPreview = z.infer<typeof cancellationPreviewSchema>;

const cancelledSchema = cancellationSchema.extend({
  /** `NEVER_OPENED`: no phone was set up, and its set-up code is dead; `ENDS_WHEN_FREE`: it ends when the phone says that it is free; `NONE`: there is none. */
  channel: z.enum(['NEVER_OPENED', 'ENDS_WHEN_FREE', 'NONE']),
  /** What held the phone is off, or nothing did. */
  lock: z.enum(['LIFTED', 'NONE']),
  disputes_answered: z.int(),
  holds_lifted: z.int(),
});
export type Cancelled = z.infer<typeof cancelledSchema>;

export const cancellingEndpoints = {
  previewCancellation: endpoint({
    ...PATHS.previewCancellation,
    summary: 'What cancelling the running agreement of a customer would do with money and key; changes nothing.',
    auth: ['retailer', 'miniretailer'],
    access: NEEDS.terms,
    query: z.strictObject({ customer_id: idSchema }),
    reply: cancellationPreviewSchema,
    errors: ['NOT_FOUND', 'STATE_CONFLICT'],
  }),
  cancelAgreement: endpoint({
    ...PATHS.cancelAgreement,
    summary:
      'Cancel a running agreement for good, of a phone that was never set up or is given back: what is owed is taken back, what was paid is owed back, the phone is let go with everything off it.',
    auth: ['retailer', 'miniretailer'],
    access: NEEDS.terms,
    idempotent: true,
    /** `reason`: the customer may read it. */
    body: z.strictObject({ customer_id: idSchema, reason: noteSchema(LIMITS.reasonLengthMin) }),
    reply: cancelledSchema,
    errors: ['NOT_FOUND', 'STATE_CONFLICT'],
  }),
} as const;
