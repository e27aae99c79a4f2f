import { z } from 'zod';
import { endpoint } from './endpoint.ts';
import { idSchema, lineTextSchema, paymentIn } from './fields.ts';
import { LIMITS } from './limits.ts';
import { PATHS } from './paths.ts';
import { PAYMENT_METHODS } from './payment-methods.ts';

const ROLE = { none: 'the role decides: the nine words are for shops, an administrator has none of them' };
/** All that was ever owed for locks of an agreement, what was paid out of it, and what is left. */
const sums = { owed_paise: z.int(), paid_paise: z.int(), left_paise: z.int() };

const compensationSchema = z.object({
  agreement_id: z.uuid(),
  agreement_no: z.string(),
  shop: z.string(),
  ...sums,
  /** What was owed for locks when the money that had shown them to be wrong was taken back: they were right after all. */
  withdrawn_paise: z.int(),
  /** Some phone has not said that it is free: what is owed grows. */
  is_running: z.boolean(),
});
export type CompensationOwed = z.infer<typeof compensationSchema>;

/** What is owed for locks that were wrong or came off too late, and that it was paid out. */
export const compensationEndpoints = {
  listCompensations: endpoint({
    ...PATHS.listCompensations,
    summary:
      'Agreements for whose locks money is owed, or was until a payment was taken back: locks that were wrong, or came off too late. What is left to pay out first.',
    auth: ['admin'],
    access: ROLE,
    reply: z.array(compensationSchema).max(500),
  }),
  payCompensation: endpoint({
    ...PATHS.payCompensation,
    summary:
      'Compensation for locks of an agreement was paid out: never more than is left of what is owed now, and once for each reference: said again it answers as it stands and writes nothing.',
    auth: ['admin'],
    access: ROLE,
    idempotent: true,
    body: z.strictObject({
      agreement_id: idSchema,
      amount: paymentIn,
      method: z.enum(PAYMENT_METHODS),
      reference: lineTextSchema(LIMITS.referenceLength).default(''),
    }),
    /** `is_new`: false where it was written down before, under the same reference. */
    reply: z.object({ payout_id: z.uuid(), is_new: z.boolean(), ...sums }),
    errors: ['NOT_FOUND', 'REFERENCE_USED', 'ALREADY_PAID', 'AMOUNT_TOO_LARGE'],
  }),
} as const;
