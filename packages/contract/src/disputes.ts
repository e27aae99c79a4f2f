import { z } from 'zod';
import { NEEDS } from './access.ts';
import { endpoint } from './endpoint.ts';
import { idSchema, noteSchema } from './fields.ts';
import { LIMITS } from './limits.ts';
import { PATHS } from './paths.ts';

/** Who moves a dispute: the customer (or whoever speaks in their name at the counter), the shop, the organisation's administrator. */
export const DISPUTE_PARTIES = ['customer', 'shop', 'organisation'] as const;
export type DisputeParty = (typeof DISPUTE_PARTIES)[number];

export const DISPUTE_STATES = ['open', 'undecided', 'answered', 'escalated', 'closed', 'rejected'] as const;
export type DisputeState = (typeof DISPUTE_STATES)[number];

/**
 * The life of a dispute about one instalment. `stops`: whether it keeps every level from rising and everything more from being taken, by people too:
 * as long as it stands there, for `LIMITS.disputeAnswerDays` from then on, or not at all. `to`: where it goes from here, and who takes it there. The
 * database holds the same table (`dispute_allowed_moves`).
 */
export const DISPUTES: Readonly<
  Record<
    DisputeState,
    {
      stops: 'always' | 'some_days' | 'never';
      to: Partial<Record<DisputeState, readonly DisputeParty[]>>;
    }
  >
> = {
  /** Waits for the shop's answer. */
  open: { stops: 'always', to: { answered: ['shop', 'organisation'] } },
  /** The customer's third about this instalment, or a later one: whether it holds is the organisation's to say. In doubt no lock. */
  undecided: { stops: 'always', to: { open: ['organisation'], rejected: ['organisation'] } },
  /** The customer can take it further for so many days. */
  answered: { stops: 'some_days', to: { escalated: ['customer', 'shop'] } },
  /** Waits for the organisation's answer; the shop has given its own. */
  escalated: { stops: 'always', to: { closed: ['organisation'] } },
  /** The organisation has answered. */
  closed: { stops: 'some_days', to: {} },
  /** It does not hold, says the organisation: it is no objection. */
  rejected: { stops: 'never', to: {} },
};

/** Where a dispute begins, and by whose word. The shop's is one in the customer's name, which the customer's own are not counted with. @internal for tests, which hold the database's table against it */
export const DISPUTE_BEGINS: Partial<Record<DisputeState, readonly DisputeParty[]>> = {
  open: ['customer', 'shop'],
  undecided: ['customer'],
};

/** So often a customer disputes the same instalment and is heard without asking anybody; after that the organisation decides. */
export const DISPUTES_HEARD = 2;

const those = (stops: 'always' | 'some_days'): DisputeState[] =>
  DISPUTE_STATES.filter((state) => DISPUTES[state].stops === stops);
/** They wait for somebody's word, and stop everything until it is said. */
export const WAITING_DISPUTES = those('always');
/** They have been answered, and stop everything for some days. */
export const RESTING_DISPUTES = those('some_days');

const stateSchema = z.enum(DISPUTE_STATES);

export const disputeViewSchema = z.object({
  dispute_id: z.uuid(),
  state: stateSchema,
  /** Of the instalment; null of a dispute from before they named one. */
  instalment_no: z.int().nullable(),
  due_on: z.string().nullable(),
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
    summary: `The customer says that an instalment is wrong (without \`instalment_id\`: the oldest that is unpaid): nothing rises until it is answered, and for ${LIMITS.disputeAnswerDays} days after that. A third time the organisation decides whether it holds; nothing rises until then.`,
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
      'Answer a dispute: the customer is told, reads the answer and can take it further. One that was taken further is answered by the organisation.',
    auth: ['retailer', 'admin'],
    access: NEEDS.lock,
    idempotent: true,
    body: z.strictObject({ dispute_id: idSchema, outcome: noteSchema(LIMITS.reasonLengthMin) }),
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
