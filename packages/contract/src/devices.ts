import { z } from 'zod';
import { NEEDS, NEEDS_OF_COMMAND, NEEDS_OF_PREVIEW } from './access.ts';
import { LANGUAGES } from './codes.ts';
import { BATCH_STATES, BATCH_STOPS, COMMAND_STATES, COMMAND_TYPES, TAKING_COMMANDS } from './commands.ts';
import { customerFilterSchema } from './customer-filter.ts';
import { LOST_KINDS } from './lost-kinds.ts';
import { deviceViewSchema, lockViewSchema } from './customers.ts';
import { endpoint } from './endpoint.ts';
import { pageSchema } from './envelope.ts';
import {
  dateSchema,
  idSchema,
  isOfRefusal,
  lineTextSchema,
  NOTE_OF_YES,
  noteSchema,
  pagingShape,
  refusalNoteSchema,
  tokenSchema,
} from './fields.ts';
import { LIMITS } from './limits.ts';
import { GRANTED_HOLDS } from './hold-kinds.ts';
import { levelSchema, lockReasonSchema, verdictSchema } from './lock-policy.ts';
import { PATHS } from './paths.ts';

export const commandViewSchema = z.object({
  command_id: z.uuid(),
  type: z.string(),
  state: z.enum(COMMAND_STATES),
  reason: z.string(),
  note: z.string().nullable(),
  requested_by: z.string().nullable(),
  created_at: z.string(),
  sent_at: z.string().nullable(),
  delivered_at: z.string().nullable(),
  applied_at: z.string().nullable(),
  verified_at: z.string().nullable(),
  ended_at: z.string().nullable(),
  fail_code: z.string().nullable(),
  result: z.unknown().nullable(),
  revision: z.int().nullable(),
});
export type CommandView = z.infer<typeof commandViewSchema>;

const commandBody = z.strictObject({
  customer_id: idSchema,
  reason: lockReasonSchema.default('CUSTOMER_REQUEST'),
  note: noteSchema().optional(),
  /** emi_alert: the name of a message that getPhoneMessages lists; left out: the reminder. set_wallpaper: the name of a template of the organisation; left out: the house’s own words. Words of one’s own are refused. */
  value: lineTextSchema(LIMITS.messageLength).optional(),
  step_up_token: tokenSchema.optional(),
});

/** What a customer may order of the own phone: it is the word that the phone is lost (`reportLost`). */
export const OWNERS_COMMAND = 'lost_mode_on';

/** An order to many: to those named, or to those whom the customer list shows with a filter. */
const bulkShape = {
  command: z.enum(['lock', 'unlock']),
  reason: lockReasonSchema,
  dry_run: z.boolean().default(false),
  /** What the dry run of the very same order gave, not long ago: a lock of more than a hundred customers takes it. */
  preview: tokenSchema.optional(),
};

/** The first thousand; the numbers beside them count them all. */
const refusalsSchema = z.array(z.object({ customer_id: z.uuid(), rule: z.string() })).max(1000);

/** A refusal is 422 POLICY_REFUSED with `details.verdict`: the rule that fails and the first moment at which it would hold; `details.rule` alone for who may not read what is owed. */
/** Lets go of a phone that nobody has set up yet, or whose agreement is over. */
const unclaiming = {
  auth: ['retailer', 'miniretailer'],
  access: NEEDS.activate,
  idempotent: true,
  body: z.strictObject({ customer_id: idSchema, note: noteSchema().default('') }),
  reply: z.object({
    device_id: z.uuid(),
    /** `NEVER_OPENED`: no phone was ever set up, and the set-up code is dead; `ENDS_WHEN_FREE`: it ends when the phone says that it is free. */
    channel: z.enum(['NEVER_OPENED', 'ENDS_WHEN_FREE']),
    /** What held the phone is off, or nothing did. */
    lock: z.enum(['LIFTED', 'NONE']),
    /** Keys that were set aside and are in the shop's wallet again; one that was spent stays spent. */
    keys_returned: z.int(),
    revision: z.int(),
  }),
  errors: ['NOT_FOUND', 'STATE_CONFLICT'],
} as const;

export const deviceEndpoints = {
  sendCommand: endpoint({
    ...PATHS.sendCommand,
    summary: `Order a phone. What takes something away passes the gate or is refused with the rule. A customer may order ${OWNERS_COMMAND} of the own phone, with reason CUSTOMER_REQUEST: the same word as report_lost with kind lost. Nobody else may, and a customer nothing else.`,
    auth: ['retailer', 'miniretailer', 'customer'],
    access: { by: 'command', of: { ...NEEDS_OF_COMMAND, [OWNERS_COMMAND]: NEEDS.features } },
    idempotent: true,
    params: z.strictObject({ command: z.enum([...COMMAND_TYPES, OWNERS_COMMAND]) }),
    body: commandBody,
    reply: z.object({ command_id: z.uuid(), state: z.enum(COMMAND_STATES), revision: z.int().nullable() }),
    errors: [
      'NOT_FOUND',
      'POLICY_REFUSED',
      'UNSUPPORTED_ON_DEVICE',
      'FEATURE_NOT_OFFERED',
      'STATE_CONFLICT',
      'REMINDED_ALREADY',
    ],
  }),
  previewCommand: endpoint({
    ...PATHS.previewCommand,
    summary: 'What the gate would say now to a lock, or to a switch that takes something; nothing is ordered.',
    auth: ['retailer', 'miniretailer'],
    access: { by: 'command', of: NEEDS_OF_PREVIEW },
    params: z.strictObject({ command: z.enum(['lock', ...TAKING_COMMANDS]) }),
    body: z.strictObject({
      customer_id: idSchema,
      reason: lockReasonSchema.default('EMI_OVERDUE'),
      note: noteSchema().optional(),
    }),
    reply: z.object({ verdict: verdictSchema }),
    errors: ['NOT_FOUND', 'UNSUPPORTED_ON_DEVICE', 'FEATURE_NOT_OFFERED', 'STATE_CONFLICT'],
  }),
  getPhoneMessages: endpoint({
    ...PATHS.getPhoneMessages,
    summary:
      'What may be said on a customer’s phone with `emi_alert`, each by its name: the house’s messages and the organisation’s, as they would stand there. Nothing is sent.',
    auth: ['retailer', 'miniretailer'],
    access: NEEDS.wording,
    query: z.strictObject({ customer_id: idSchema }),
    reply: z.object({
      /** The customer’s. */
      language: z.enum(LANGUAGES),
      /** `text`: in the customer’s language; `own`: in that of whoever asks. */
      messages: z.array(z.object({ name: z.string(), text: z.string(), own: z.string() })),
    }),
    errors: ['NOT_FOUND', 'STATE_CONFLICT'],
  }),
  bulkCommand: endpoint({
    ...PATHS.bulkCommand,
    summary:
      'Lock or unlock many: who is refused and why comes back for each phone. Many are locked for EMI_OVERDUE alone: another reason is one phone’s, and refused at `reason`; they are unlocked for any but a theft. Up to a hundred are `done` with the reply; more are `asked`, carried out in parts, and getBatch tells how far they are. A lock of more than a hundred takes the `preview` of its dry run, and one phone in a hundred goes first: the others follow ten minutes later, unless something is wrong with those. More locks than the hour has room for are `waiting` until a second person has agreed. A session locks many when it is a quarter of an hour old. A filter and a dry run read customers, so they take `read` too.',
    auth: ['retailer', 'miniretailer'],
    access: { by: 'command', of: { lock: NEEDS.bulkLock, unlock: NEEDS.bulkUnlock } },
    idempotent: true,
    bodyBytes: LIMITS.bulkBodyBytes,
    body: z.union([
      z.strictObject({ ...bulkShape, customer_ids: z.array(idSchema).min(1).max(LIMITS.bulkDevices) }),
      z.strictObject({ ...bulkShape, filter: customerFilterSchema }),
    ]),
    reply: z.object({
      /** Both null of a dry run. */
      batch_id: z.uuid().nullable(),
      state: z.enum(BATCH_STATES).nullable(),
      total: z.int(),
      allowed: z.int(),
      refused: z.int(),
      refusals: refusalsSchema,
      /** Of a dry run: to be given with the order itself. */
      preview: z.string().nullable(),
    }),
    errors: ['TOO_MANY', 'LOCK_CAP', 'SESSION_TOO_NEW', 'PREVIEW_REQUIRED'],
  }),
  decideBatch: endpoint({
    ...PATHS.decideBatch,
    summary:
      'The second person’s yes or no to a lock of more phones than the hour has room for; no is also for who asked, and may say why in `note`, which who asked reads. Yes takes a person who may lock so many: another retailer above who asked, or the administrator.',
    auth: ['retailer', 'admin'],
    access: NEEDS.bulkLock,
    idempotent: true,
    params: z.strictObject({ batch_id: idSchema }),
    body: z
      .strictObject({ is_approved: z.boolean(), note: refusalNoteSchema })
      .refine(({ is_approved, note }) => isOfRefusal(is_approved, note), NOTE_OF_YES),
    reply: z.object({ batch_id: z.uuid(), state: z.enum(BATCH_STATES) }),
    errors: ['NOT_FOUND', 'SECOND_PERSON_REQUIRED', 'SESSION_TOO_NEW', 'STATE_CONFLICT'],
  }),
  getBatch: endpoint({
    ...PATHS.getBatch,
    summary: 'Progress of a bulk order, for who gave it and who may agree to it.',
    auth: ['retailer', 'miniretailer', 'admin'],
    access: NEEDS.read,
    params: z.strictObject({ batch_id: idSchema }),
    reply: z.object({
      batch_id: z.uuid(),
      command: z.string(),
      reason: lockReasonSchema,
      /** Whose order it is. */
      asked_by: z.string(),
      state: z.enum(BATCH_STATES),
      /** Why it was stopped; what was done of it stays. */
      stopped_for: z.enum(BATCH_STOPS).nullable(),
      total: z.int(),
      /** So far; together they are what is done of `total`. */
      allowed: z.int(),
      refused: z.int(),
      refusals: refusalsSchema,
      states: z.record(z.string(), z.int()),
    }),
    errors: ['NOT_FOUND'],
  }),
  getDevice: endpoint({
    ...PATHS.getDevice,
    summary: 'Desired and reported state.',
    auth: 'session',
    access: NEEDS.read,
    params: z.strictObject({ device_id: idSchema }),
    reply: z.object({ device: deviceViewSchema, lock: lockViewSchema, commands: z.array(commandViewSchema) }),
    errors: ['NOT_FOUND'],
  }),
  getTimeline: endpoint({
    ...PATHS.getTimeline,
    summary: 'The phone’s history with reasons, newest first.',
    auth: 'session',
    access: NEEDS.read,
    params: z.strictObject({ device_id: idSchema }),
    query: z.strictObject(pagingShape),
    reply: pageSchema(
      z.object({
        id: z.string(),
        at: z.string(),
        source: z.enum(['command', 'event', 'notice', 'audit']),
        kind: z.string(),
        state: z.string().nullable(),
        by: z.string().nullable(),
        params: z.record(z.string(), z.unknown()),
      }),
    ),
    errors: ['NOT_FOUND'],
  }),
  unclaimCustomer: endpoint({
    ...PATHS.unclaimCustomer,
    summary:
      'Let go of a phone that was never set up, or whose agreement is over: everything off it, its numbers free for another agreement. Says what becomes of channel, lock and key.',
    ...unclaiming,
  }),
  unclaim: endpoint({ ...PATHS.unclaim, summary: 'The same by its other path.', ...unclaiming }),
  reportLost: endpoint({
    ...PATHS.reportLost,
    summary:
      'The owner’s own word that the phone was stolen, or is lost: it is held at once and can be found. Only in the owner’s session; a debt never serves for it, nor it for a debt.',
    auth: ['customer'],
    access: { none: 'one’s own phone' },
    idempotent: true,
    body: z.strictObject({ customer_id: idSchema, kind: z.enum(LOST_KINDS), note: noteSchema().default('') }),
    reply: z.object({ command_id: z.uuid(), state: z.enum(COMMAND_STATES), revision: z.int().nullable() }),
    errors: ['NOT_FOUND', 'STATE_CONFLICT', 'POLICY_REFUSED'],
  }),
  withdrawLost: endpoint({
    ...PATHS.withdrawLost,
    summary: 'The owner takes that word back: what stood on it goes, what other causes hold stays.',
    auth: ['customer'],
    access: { none: 'one’s own phone' },
    idempotent: true,
    body: z.strictObject({ customer_id: idSchema, kind: z.enum(LOST_KINDS) }),
    /** `level`: what other causes leave the phone on. */
    reply: z.object({ revision: z.int(), level: levelSchema }),
    errors: ['NOT_FOUND', 'STATE_CONFLICT'],
  }),
  setHold: endpoint({
    ...PATHS.setHold,
    summary: `Time for a customer in hardship, illness or on a holiday: no level rises until the end of that day, ${LIMITS.holdDays} days from now at most. Said again by the same person in the same words while it stands, it is the one of before.`,
    auth: ['retailer', 'miniretailer'],
    access: NEEDS.unlock,
    idempotent: true,
    body: z.strictObject({
      customer_id: idSchema,
      kind: z.enum(GRANTED_HOLDS),
      until_on: dateSchema,
      reason: noteSchema(LIMITS.reasonLengthMin),
    }),
    reply: z.object({ hold_id: z.uuid() }),
    errors: ['NOT_FOUND', 'STATE_CONFLICT'],
  }),
  liftHold: endpoint({
    ...PATHS.liftHold,
    summary:
      'End such a time before its day; locks go on by all their rules. What the organisation granted, only the organisation ends.',
    auth: ['retailer'],
    access: NEEDS.lock,
    idempotent: true,
    body: z.strictObject({ hold_id: idSchema, reason: noteSchema(LIMITS.reasonLengthMin) }),
    reply: z.object({ hold_id: z.uuid() }),
    errors: ['NOT_FOUND', 'STATE_CONFLICT', 'HOLD_OF_ORGANISATION'],
  }),
  listNotifications: endpoint({
    ...PATHS.listNotifications,
    summary: 'Own notifications, newest first.',
    auth: 'session',
    access: NEEDS.read,
    query: z.strictObject(pagingShape),
    reply: pageSchema(
      z.object({
        notification_id: z.uuid(),
        kind: z.string(),
        data: z.record(z.string(), z.unknown()),
        /** Null where it is about nobody, or about a customer who passed to another shop since: that is not told of. */
        customer_id: z.uuid().nullable(),
        /** First and last name of whom it is about; empty where there is no `customer_id`. */
        customer_name: z.string(),
        /** Why a second person said no to what whoever reads this asked for, in their words. */
        note: z.string().nullable(),
        created_at: z.string(),
        read_at: z.string().nullable(),
      }),
    ),
  }),
  readNotifications: endpoint({
    ...PATHS.readNotifications,
    summary: 'Mark all as read.',
    auth: 'session',
    access: { none: 'one’s own bell' },
    body: z.strictObject({}),
    reply: z.object({ read: z.int() }),
  }),
} as const;
