import { z } from 'zod';
import { NEEDS } from './access.ts';
import { DISPUTE_PARTIES, DISPUTE_STATES } from './dispute-states.ts';
import { endpoint } from './endpoint.ts';
import { idSchema, noteSchema } from './fields.ts';
import { LIMITS } from './limits.ts';
import { PATHS } from './paths.ts';

const stateSchema = z.enum(DISPUTE_STATES);

export const disputeViewSchema = z.object({
  dispute_id: z.uuid(),
  state: stateSchema,
  /** Of the instalment; null of a dispute from before they named one. */
  instalment_no: z.int().nullable(),
  /** Its place among those that stand; null too of one that stands no more. */
  instalment_place: z.int().nullable(),
  due_on: z.string().nullable(),
  /** Its answer was that the customer is right. */
  is_upheld: z.boolean(),
  /** Nothing rises before this moment; null: as long as it waits, or not at all (`state`). */
  stops_until: z.string().nullable(),
  /** From the customer's words to the last answer. */
  moves: z.array(z.object({ state: stateSchema, at: z.string(), by: z.enum(DISPUTE_PARTIES), text: z.string() })),
});
export type DisputeView = z.infer<typeof disputeViewSchema>;

const movedSchema = z.object({ dispute_id: z.uuid(), state: stateSchema });
const HEARD = { none: 'an objection only ever stops locks; nobody is kept from making it' };
const ROLE = { none: 'the role decides: the nine words are for shops, an administrator has none of them' };

/** The customer's word that a claim is wrong, and what becomes of it. */
export const disputeEndpoints = {
  openDispute: endpoint({
    ...PATHS.openDispute,
    summary: `The customer says that an instalment is wrong (without \`instalment_id\`: the oldest that is unpaid; one that is paid where the phone was locked for it): nothing rises until it is answered, and for ${LIMITS.disputeAnswerDays} days after that. A third time the organisation decides whether it holds; nothing rises until then.`,
    auth: 'session',
    access: HEARD,
    idempotent: true,
    body: z.strictObject({ customer_id: idSchema, instalment_id: idSchema.optional(), text: noteSchema(1) }),
    reply: movedSchema,
    errors: ['NOT_FOUND', 'DISPUTE_ALREADY_OPEN', 'DISPUTE_DECIDED', 'STATE_CONFLICT'],
  }),
  escalateDispute: endpoint({
    ...PATHS.escalateDispute,
    summary: `Take an answered dispute further, within ${LIMITS.disputeAnswerDays} days: the organisation answers it.`,
    auth: 'session',
    access: HEARD,
    idempotent: true,
    body: z.strictObject({ dispute_id: idSchema, text: noteSchema(1) }),
    reply: movedSchema,
    errors: ['NOT_FOUND', 'STATE_CONFLICT'],
  }),
  closeDispute: endpoint({
    ...PATHS.closeDispute,
    summary:
      'Answer a dispute: the customer is told, reads the answer and can take it further. One that was taken further is answered by the organisation. With `is_upheld` the customer was right: the lock for that instalment comes off, and compensation counts every hour of it.',
    auth: ['retailer', 'admin'],
    access: NEEDS.lock,
    idempotent: true,
    body: z.strictObject({
      dispute_id: idSchema,
      outcome: noteSchema(LIMITS.reasonLengthMin),
      /** The customer is right: the lock for this instalment comes off, and every hour of it is owed. */
      is_upheld: z.boolean().optional(),
    }),
    reply: movedSchema,
    errors: ['NOT_FOUND', 'STATE_CONFLICT'],
  }),
  decideDispute: endpoint({
    ...PATHS.decideDispute,
    summary: 'Whether a third dispute about the same instalment holds, with the reason that the customer reads.',
    auth: ['admin'],
    access: ROLE,
    idempotent: true,
    body: z.strictObject({ dispute_id: idSchema, holds: z.boolean(), reason: noteSchema(LIMITS.reasonLengthMin) }),
    reply: movedSchema,
    errors: ['NOT_FOUND', 'STATE_CONFLICT'],
  }),
  listDisputes: endpoint({
    ...PATHS.listDisputes,
    summary: 'What waits for the organisation: disputes taken further, and those it has to decide about. Oldest first.',
    auth: ['admin'],
    access: ROLE,
    reply: z.array(disputeViewSchema.extend({ customer_id: z.uuid(), agreement_no: z.string() })).max(500),
  }),
} as const;
