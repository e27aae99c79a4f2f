import { z } from 'zod';
import { NEEDS } from './access.ts';
import { endpoint } from './endpoint.ts';
import { idSchema, isOfRefusal, NOTE_OF_YES, refusalNoteSchema } from './fields.ts';
import { PATHS } from './paths.ts';

/** A lock by the organisation's decision that lacks nothing but a second person. */
export const overrideAskedSchema = z.object({
  ask_id: z.uuid(),
  reason: z.string(),
  asked_by: z.string(),
  /** Of whoever reads this, who can only think better of it. */
  is_own: z.boolean(),
  /** Whoever reads this may be the second: another than who asked, a retailer of its own. */
  may_agree: z.boolean(),
  /** It ends by itself then. */
  ends_at: z.string(),
});
export type OverrideAsked = z.infer<typeof overrideAskedSchema>;

export const overrideEndpoints = {
  decideOverride: endpoint({
    ...PATHS.decideOverride,
    summary:
      'The second person’s yes or no to a lock by the organisation’s decision; no is also for who asked, for nobody else, and may say why in `note`, which who asked reads. A yes passes the gate as of now. It is asked for by an order to lock with reason ORG_OVERRIDE that is refused with OVERRIDE_NEEDS_SECOND, and ends by itself after a day. It can be asked for a few times a day for each agreement; RATE_LIMITED says when again.',
    auth: ['retailer', 'miniretailer', 'admin'],
    access: NEEDS.lock,
    idempotent: true,
    body: z
      .strictObject({ ask_id: idSchema, is_agreed: z.boolean(), note: refusalNoteSchema })
      .refine(({ is_agreed, note }) => isOfRefusal(is_agreed, note), NOTE_OF_YES),
    reply: z.object({
      ask_id: z.uuid(),
      state: z.enum(['agreed', 'refused']),
      /** The order to lock; null of a no. */
      command_id: z.uuid().nullable(),
      revision: z.int().nullable(),
    }),
    errors: [
      'NOT_FOUND',
      'SECOND_PERSON_REQUIRED',
      'STATE_CONFLICT',
      'POLICY_REFUSED',
      'UNSUPPORTED_ON_DEVICE',
      'FEATURE_NOT_OFFERED',
    ],
  }),
} as const;
