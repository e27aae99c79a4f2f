import { z } from 'zod';
import { NEEDS } from './access.ts';
import { endpoint } from './endpoint.ts';
import { pageSchema } from './envelope.ts';
import { pagingShape } from './fields.ts';
import { lockReasonSchema } from './lock-policy.ts';
import { PATHS } from './paths.ts';

/**
 * What one person asked for and a second has to agree to: a lock by the organisation’s decision, a lock of more phones than the hour has room for, or giving up
 * more of a late fee than one alone may.
 */
const WAITING_KINDS = ['override', 'batch', 'waiver'] as const;

const waitingSchema = z.object({
  kind: z.enum(WAITING_KINDS),
  /** For decideOverride (`ask_id`), decideBatch (`batch_id`) or decideWaiver (`waiver_id`). */
  id: z.uuid(),
  /** Of a lock. */
  reason: lockReasonSchema.nullable(),
  /** In the words of who asked; empty of an order to many. */
  note: z.string(),
  asked_by: z.string(),
  /** Whose customers it is about. */
  shop: z.string(),
  /** Where that shop is called, to ask; empty where nobody is there any more. */
  shop_mobile: z.string(),
  /** Of the one agreement it is about, and its phone by maker and model; empty of an order to many. Both name nobody. */
  agreement_no: z.string(),
  phone: z.string(),
  /** Since when the oldest of it is unpaid, and all that is overdue. */
  days_past_due: z.int(),
  overdue_paise: z.int(),
  /** So many phones it may lock. */
  phones: z.int(),
  /** So much of a late fee it gives up. */
  amount_paise: z.int().nullable(),
  /** Of an override or a waiver, for the shops that look after the customer; an administrator sees none. */
  customer_id: z.uuid().nullable(),
  customer_name: z.string(),
  /** Of whoever reads this, who can only think better of it. */
  is_own: z.boolean(),
  /** Whoever reads this may be the second. */
  may_agree: z.boolean(),
  asked_at: z.string(),
  /** It ends by itself then; a waiver waits until it is decided. */
  ends_at: z.string().nullable(),
});
export type Waiting = z.infer<typeof waitingSchema>;

export const waitingEndpoints = {
  listWaiting: endpoint({
    ...PATHS.listWaiting,
    summary:
      'What waits for a second person, as far as whoever asks sees it: of a shop its own and its mini-retailers’, all of the organisation for its administrator, who sees the agreement, its phone and what is overdue, and no customer. What ends first comes first.',
    auth: ['retailer', 'miniretailer', 'admin'],
    access: NEEDS.read,
    query: z.strictObject(pagingShape),
    reply: pageSchema(waitingSchema),
  }),
} as const;
