import { z } from 'zod';
import { DEFAULT_ORG_ID, PLAN_NAMES, PROVISIONING_NAMES } from '@kist/contract/codes';
import {
  lineNameSchema,
  lineTextSchema,
  mobileSchema,
  optionalPersonNameSchema,
  personNameSchema,
} from '@kist/contract/fields';
import { INT4_MAX } from '@kist/contract/limits';
import { LOCK_PRESETS } from '@kist/contract/lock-policy';
import { organisationShape } from '@kist/contract/organisation-file';
import { NOT_DELIVERED, isDelivered, usualWayOf } from './delivered.ts';
import { said } from './words.ts';

/** It stands in a file of variables as it is. */
const isPlain = [(text: string) => !/[\s'"#\\]/.test(text), 'without blanks, quotes, # and backslashes'] as const;
const url = z.url({ protocol: /^https?$/ }).refine(...isPlain);

const { slug, host, name, company_name, parent_company_name, ai_name, support, theme, privacy_contact, audit_emails } =
  organisationShape;
const organisationSchema = z.strictObject({
  org_id: organisationShape.org_id.default(DEFAULT_ORG_ID),
  slug,
  host: host.optional(),
  name,
  company_name: company_name.optional(),
  parent_company_name: parent_company_name.optional(),
  ai_name: ai_name.optional(),
  support: support.default({}),
  theme: theme.default({}),
  privacy_contact: privacy_contact.optional(),
  audit_emails: audit_emails.optional(),
});

const personShape = {
  mobile: mobileSchema,
  first_name: personNameSchema,
  last_name: optionalPersonNameSchema.optional(),
};

/** What is not delivered is not sold, and no shop is given keys for it. */
const planTypeSchema = z.enum(PLAN_NAMES).refine(isDelivered, {
  error: ({ input }) => `${String(input)} ${NOT_DELIVERED} of Kist`,
});

const keysSchema = z.strictObject({
  /** Keys of one id are given once, however often the file is used. */
  id: z.string().regex(/^[\w.-]{1,60}$/, 'letters, digits, dots and hyphens'),
  plan_type: planTypeSchema,
  count: z.int().min(1).max(1_000_000),
  lot: z.enum(['paid', 'granted']).default('granted'),
});

/** What a new plan is called that nobody gave a name. */
export const PLAN_NAME = 'EMI Secure (Android)';

const planSchema = z
  .strictObject({
    plan_id: z.int().min(1).max(INT4_MAX),
    plan_type: planTypeSchema,
    name: lineNameSchema().optional(),
    provisioning: z.enum(PROVISIONING_NAMES).optional(),
  })
  .superRefine(({ plan_type, provisioning }, context) => {
    const name = usualWayOf(plan_type);
    if (provisioning !== undefined && provisioning !== name)
      context.addIssue({
        code: 'custom',
        path: ['provisioning'],
        message: `phones of ${plan_type} are reached by ${name ?? 'nothing'}`,
      });
  });

const serverSchema = z.strictObject({
  public_url: url.optional(),
  port: z.int().min(1).max(65_535).optional(),
  sms_url: url.optional(),
  /** A file that holds the gateway's secret: secrets stand in no other answer. */
  sms_secret_file: z.string().min(1).max(4096).optional(),
  smtp_url: z
    .url({ protocol: /^smtps?$/ })
    .refine(...isPlain)
    .optional(),
  smtp_user: z
    .string()
    .regex(/^[^\s'"#\\]{1,200}$/, 'without blanks, quotes, # and backslashes')
    .optional(),
  /** A file that holds the password of the mail account. */
  smtp_password_file: z.string().min(1).max(4096).optional(),
  mail_from: z.email().max(120).optional(),
  agent_package_url: url.optional(),
  agent_signature_checksum: z
    .string()
    .regex(/^[A-Za-z0-9_-]{43}$/, 'URL-safe base64 of a SHA-256, 43 characters')
    .optional(),
});

/** What `kist setup` is told, in whatever way: a file, flags, or answers typed. What is left out has no default here: where it exists already it stays as it is. */
export const answersSchema = z
  .strictObject({
    organisation: organisationSchema,
    admin: z.strictObject(personShape).optional(),
    retailers: z
      .array(
        z.strictObject({
          ...personShape,
          shop_name: lineNameSchema(),
          upi_id: lineTextSchema(100).min(3, 'field.too_short').optional(),
          keys: z.array(keysSchema).max(100).default([]),
        }),
      )
      .min(1)
      .max(1000),
    plans: z.array(planSchema).min(1).max(100),
    lock_policy: z.enum(LOCK_PRESETS).optional(),
    server: serverSchema.default({}),
  })
  .superRefine(({ admin, retailers, plans }, context) => {
    const seen = new Set(admin ? [admin.mobile] : []);
    for (const [index, { mobile, keys }] of retailers.entries()) {
      if (seen.has(mobile))
        context.addIssue({
          code: 'custom',
          path: ['retailers', index, 'mobile'],
          message: 'this number is somebody else’s already: a number signs in as one person',
        });
      seen.add(mobile);
      refuseDoubles(
        keys.map(({ id }) => id),
        ['retailers', index, 'keys'],
        'id',
        context,
      );
    }
    refuseDoubles(
      plans.map(({ plan_id }) => plan_id),
      ['plans'],
      'plan_id',
      context,
    );
  });
export type Answers = z.output<typeof answersSchema>;

function refuseDoubles(
  values: readonly (string | number)[],
  path: (string | number)[],
  name: string,
  context: z.RefinementCtx,
): void {
  for (const [index, value] of values.entries())
    if (values.indexOf(value) < index)
      context.addIssue({ code: 'custom', path: [...path, index, name], message: 'stands here a second time' });
}

/** One thing that is wrong with the answers. */
export interface Problem {
  /** Its place, `retailers.0.mobile`. */
  path: string;
  says: string;
}

/** What is wrong with the answers: one line each, by its place or the name that its giver knows it by. */
export class AnswersError extends Error {
  override readonly name = 'AnswersError';
  constructor(problems: readonly Problem[], nameOf: (path: string) => string) {
    const lines = problems.map(({ path, says }) => `- ${nameOf(path) || 'the file'}: ${says}`);
    super(`These answers cannot be used:\n${lines.join('\n')}`);
  }
}

/** The contract's fields answer with keys of the app's translations, zod's own checks in a programmer's words. */
const SENTENCES: readonly [RegExp, string][] = [
  [/^field\.mobile$/, 'an Indian mobile number of ten digits, with or without +91'],
  [/^field\.required$|received undefined$/, 'is missing'],
  [/^field\.too_long$/, 'is too long'],
  [/^field\.too_short$/, 'is too short'],
  [/^field\.characters$/, 'has nothing to read, or characters that cannot be shown'],
  [/^Invalid input: expected (?:number|int), received/, 'a whole number'],
  [/^Invalid URL$/, 'an address as https://shop.example.in'],
  [/^Invalid email address$/, 'an e-mail address'],
];
const sentenceOf = (message: string): string => SENTENCES.find(([shape]) => shape.test(message))?.[1] ?? said(message);

/** Everything that is wrong with answers, which may be incomplete; nothing when they can be used. */
export function problemsOf(given: unknown): Problem[] {
  const parsed = answersSchema.safeParse(given);
  if (parsed.success) return [];
  return parsed.error.issues.map(({ path, message }) => ({ path: path.join('.'), says: sentenceOf(message) }));
}

/** @param nameOf what a place is called by whoever gave the answers. @throws AnswersError naming every problem */
export function parseAnswers(given: unknown, nameOf = (path: string): string => path): Answers {
  const problems = problemsOf(given);
  if (problems.length > 0) throw new AnswersError(problems, nameOf);
  return answersSchema.parse(given);
}
