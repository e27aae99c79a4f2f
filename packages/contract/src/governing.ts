import { z } from 'zod';
import { NEEDS } from './access.ts';
import { SHOP_TYPES } from './codes.ts';
import { endpoint } from './endpoint.ts';
import { dateSchema, idSchema } from './fields.ts';
import { LIMITS } from './limits.ts';
import { LOCK_PRESETS, levelSchema, policyChangeSchema, policyFieldsSchema } from './lock-policy.ts';
import { PATHS } from './paths.ts';

/** The administrator's part of locking: which policy agreements are signed under, and the days on which nothing rises. */
const ADMIN = ['admin'] as const;
const ROLE = { none: 'the role decides: the nine words are for shops, an administrator has none of them' };
const presetSchema = z.enum(LOCK_PRESETS);

/** One thing that would happen to one agreement. `no` counts reminders and notices; `level` 0 is an unlock. */
const previewStepSchema = z.object({
  on: z.string(),
  agreement_id: z.uuid(),
  agreement_no: z.string().nullable(),
  kind: z.enum(['reminder', 'notice', 'level', 'unlock']),
  no: z.int().nullable(),
  level: levelSchema.nullable(),
  /** The instalment that it is about. */
  due_on: z.string().nullable(),
});
export type PreviewStep = z.infer<typeof previewStepSchema>;

/** One of the twelve things that always hold, by the last look at it. Red: it does not hold, or nobody looked for more than 26 hours. */
const invariantSchema = z.object({
  invariant: z.string(),
  name: z.string(),
  /** What a green answer proves, and what it does not. */
  proves: z.string(),
  state: z.enum(['holds', 'violated', 'unchecked']),
  is_red: z.boolean(),
  checked_at: z.string().nullable(),
  violations: z.int(),
  /** What single phones say of themselves: shown, and reddening nothing. */
  claims: z.int(),
  /** The first of both, ids and numbers only. */
  found: z.array(z.object({ id: z.string(), detail: z.string() })),
});

const daysSchema = z.array(dateSchema).min(1, 'field.required').max(100, 'field.too_much');

export const governingEndpoints = {
  getInvariants: endpoint({
    ...PATHS.getInvariants,
    summary:
      'What always holds, I1 to I12, by the last look: each night and whenever an operator asks. A look that did not come for 26 hours is as red as one that found something.',
    auth: ADMIN,
    access: ROLE,
    reply: z.object({
      /** Nothing is red. */
      is_in_order: z.boolean(),
      /** Of the invariant that was looked at longest ago; null where one never was. */
      last_run_at: z.string().nullable(),
      invariants: z.array(invariantSchema),
    }),
  }),
  getLockPolicy: endpoint({
    ...PATHS.getLockPolicy,
    summary:
      'The lock policy of agreements signed from now on, its earlier versions and the presets. Agreements keep the one they were signed under.',
    auth: ADMIN,
    access: ROLE,
    reply: z.object({
      policy: policyFieldsSchema,
      versions: z.array(z.object({ version: z.int(), at: z.string(), policy: policyFieldsSchema })),
      presets: z.record(presetSchema, policyFieldsSchema),
    }),
  }),
  choosePolicy: endpoint({
    ...PATHS.choosePolicy,
    summary:
      'A preset for agreements signed from now on, under the next version number; the same once more changes nothing.',
    auth: ADMIN,
    access: ROLE,
    idempotent: true,
    body: z.strictObject({ preset: presetSchema }),
    reply: z.object({ policy: policyFieldsSchema, is_changed: z.boolean() }),
  }),
  changePolicy: endpoint({
    ...PATHS.changePolicy,
    summary:
      'Numbers of the policy for agreements signed from now on, under the next version number: what is left out stays. Refused where its preset allows nothing so hard.',
    auth: ADMIN,
    access: ROLE,
    idempotent: true,
    body: z.strictObject({ change: policyChangeSchema }),
    reply: z.object({ policy: policyFieldsSchema, is_changed: z.boolean() }),
  }),
  previewPolicy: endpoint({
    ...PATHS.previewPolicy,
    summary:
      'What the coming days would bring to running agreements if nothing is paid and every notice arrives: each reminder, notice, level and unlock. Without `preset` and `change` by the policies they were signed under, else as if all had been signed under that one. Changes nothing; a slice of the agreements a call.',
    auth: ADMIN,
    access: ROLE,
    body: z.strictObject({
      preset: presetSchema.optional(),
      change: policyChangeSchema.optional(),
      days: z.int('field.invalid').min(1).max(LIMITS.policyPreviewDays).default(LIMITS.policyPreviewDays),
      /** `next_after` of the slice before. */
      after: idSchema.optional(),
    }),
    reply: z.object({
      steps: z.array(previewStepSchema),
      agreements: z.int(),
      next_after: z.string().nullable(),
    }),
  }),
  getLockRules: endpoint({
    ...PATHS.getLockRules,
    summary:
      'The lock rules of agreements signed from now on, for those who sell under them, with the days of this year on which nothing rises. An agreement keeps the rules that it was signed under.',
    auth: SHOP_TYPES,
    access: NEEDS.read,
    reply: z.object({
      policy: policyFieldsSchema,
      /** When this version came into force; null while the organisation never chose one. */
      since: z.string().nullable(),
      holidays: z.array(z.string()),
    }),
  }),
  getComingSteps: endpoint({
    ...PATHS.getComingSteps,
    summary:
      'What the coming days bring to the caller’s own customers if nothing is paid and every notice arrives: each reminder, notice, level and unlock, by day. Changes nothing; a slice of the agreements a call.',
    auth: SHOP_TYPES,
    access: NEEDS.read,
    body: z.strictObject({
      days: z.int('field.invalid').min(1).max(LIMITS.policyPreviewDays).default(LIMITS.policyPreviewDays),
      /** `next_after` of the slice before. */
      after: idSchema.optional(),
    }),
    reply: z.object({
      steps: z.array(previewStepSchema.extend({ customer_id: z.uuid(), customer_name: z.string() })),
      agreements: z.int(),
      next_after: z.string().nullable(),
    }),
  }),
  listHolidays: endpoint({
    ...PATHS.listHolidays,
    summary: 'The days on which no phone is locked by itself or by override; a person’s ordinary lock passes.',
    auth: 'session',
    access: { none: 'a calendar, the same for everybody of the organisation' },
    reply: z.object({ days: z.array(z.string()) }),
  }),
  addHolidays: endpoint({
    ...PATHS.addHolidays,
    summary:
      'On these days nothing rises by itself or by override: from today on. What phones may do by themselves is told to them anew.',
    auth: ADMIN,
    access: ROLE,
    idempotent: true,
    body: z.strictObject({ days: daysSchema }),
    reply: z.object({ days: z.array(z.string()) }),
  }),
  removeHolidays: endpoint({
    ...PATHS.removeHolidays,
    summary: 'These are days like others again.',
    auth: ADMIN,
    access: ROLE,
    idempotent: true,
    body: z.strictObject({ days: daysSchema }),
    reply: z.object({ days: z.array(z.string()) }),
    errors: ['NOT_FOUND'],
  }),
} as const;
