import { z } from 'zod';
import { ANTIHACKING_LAYOUTS, LANGUAGES, LAYOUTS, PLAN_NAMES, PROVISIONING_NAMES, flagsOf } from './codes.ts';
import { FEATURES } from './features.ts';
import { dateSchema, lineNameSchema, lineTextSchema, noteSchema, paiseIn } from './fields.ts';
import { INT4_MAX, LIMITS, ORG_ID_MAX, POLICY_LENGTH } from './limits.ts';
import { LOCK_PRESETS } from './lock-policy.ts';
import { ownHostSchema } from './own-host.ts';

/** Names on receipts and agreements. */
const COMPANY_LENGTH = 120;
/** Each gets a mail of its own every day. */
const AUDIT_EMAILS = 10;
/** Organisations in one file. */
const ORGANISATIONS = 500;

export const slugSchema = z
  .string()
  .regex(/^[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?$/, 'small letters, digits and hyphens');
const colour = z.string().regex(/^#[0-9a-f]{6}$/i, 'a colour as #rrggbb');
/** As the database holds it (`organisations_payment_url`). */
const PAYMENT_URL_LENGTH = 400;
const PAYMENT_URL = /^https:\/\/[^\s/@"<>\\]+\/[^\s"<>\\]{0,300}$/;
/** A day may stand twice in a file; it is one holiday. */
const holidays = z
  .array(dateSchema)
  .max(LIMITS.holidays)
  .transform((days) => [...new Set(days)].toSorted());
/** As a browser reads it, so that what is kept is what it opens; "" takes it away. */
const asOpened = z.url({ normalize: true });
const paymentUrl = z
  .string()
  .transform((given) => asOpened.safeParse(given).data ?? given)
  .refine(
    (url) => url === '' || PAYMENT_URL.test(url),
    'an address that begins with https://, without name and password',
  )
  .refine((url) => url.length <= PAYMENT_URL_LENGTH, `an address of at most ${PAYMENT_URL_LENGTH} characters`);
/** English is what everything falls back to, so it is always spoken. */
const languages = z
  .array(z.enum(LANGUAGES))
  .max(LANGUAGES.length)
  .transform((given) => LANGUAGES.filter((language) => language === 'en' || given.includes(language)));

/** What an organisation says of itself and chooses; all of it but its name may be left out. */
export const organisationShape = {
  org_id: z.int().positive().max(ORG_ID_MAX),
  slug: slugSchema,
  /** By which the organisation is known when several share an installation. */
  host: ownHostSchema.nullable(),
  /** By it programs find its number: a name of its own in whatever they read it into. */
  name: lineNameSchema(COMPANY_LENGTH).refine((name) => name !== '__proto__', 'field.invalid'),
  company_name: lineNameSchema(COMPANY_LENGTH),
  parent_company_name: lineTextSchema(COMPANY_LENGTH),
  ai_name: lineTextSchema(40),
  ai_agent_id: lineTextSchema(80),
  support: z.strictObject({ phone: lineTextSchema(20).optional(), email: z.email().max(120).optional() }),
  theme: z.strictObject({ accent: colour.optional() }),
  /** To whom the daily root of the audit is mailed. */
  audit_emails: z
    .array(z.email().max(120))
    .max(AUDIT_EMAILS)
    .transform((given) => [...new Set(given)]),
  privacy_contact: lineTextSchema(200),
  /** In English; '' takes the one before out of force. */
  privacy_text: noteSchema(0, POLICY_LENGTH),
  layout: z.enum(LAYOUTS),
  antihacking_layout: z.enum(ANTIHACKING_LAYOUTS),
  languages,
  flags: z.strictObject(flagsOf(z.boolean().optional())),
  payment_url: paymentUrl.nullable(),
  is_special: z.boolean(),
  holidays,
  allowed_features: z.partialRecord(z.enum(PROVISIONING_NAMES), z.array(z.enum(FEATURES)).max(FEATURES.length)),
} as const;

/** What is sold, for what a key costs, under which rules phones are locked. */
const organisationOfFile = z.strictObject({
  org_id: organisationShape.org_id,
  slug: organisationShape.slug,
  name: organisationShape.name,
  host: organisationShape.host.optional(),
  company_name: organisationShape.company_name.optional(),
  parent_company_name: organisationShape.parent_company_name.optional(),
  ai_name: organisationShape.ai_name.optional(),
  ai_agent_id: organisationShape.ai_agent_id.optional(),
  support: organisationShape.support.optional(),
  theme: organisationShape.theme.optional(),
  audit_emails: organisationShape.audit_emails.optional(),
  privacy_contact: organisationShape.privacy_contact.optional(),
  privacy_text: organisationShape.privacy_text.optional(),
  layout: organisationShape.layout.optional(),
  antihacking_layout: organisationShape.antihacking_layout.optional(),
  languages: organisationShape.languages.optional(),
  flags: organisationShape.flags.optional(),
  payment_url: organisationShape.payment_url.optional(),
  is_special: organisationShape.is_special.optional(),
  holidays: organisationShape.holidays.optional(),
  allowed_features: organisationShape.allowed_features.optional(),
  plans: z
    .array(
      z.strictObject({
        plan_id: z.int().min(1).max(INT4_MAX),
        plan_type: z.enum(PLAN_NAMES),
        name: lineNameSchema(LIMITS.nameLength),
        /** How its phones are reached, where not as those of its type are. */
        provisioning: z.enum(PROVISIONING_NAMES).optional(),
        /** By which the plan's app is asked for; its type where none is said. */
        app_type: z.int().min(0).max(INT4_MAX).optional(),
      }),
    )
    .max(100)
    .default([]),
  /** For one key, in paise. */
  prices_paise: z.partialRecord(z.enum(PLAN_NAMES), paiseIn).default({}),
  lock_policy: z.enum(LOCK_PRESETS).optional(),
});
export type OrganisationOfFile = z.output<typeof organisationOfFile>;

/** A file of organisations: each number, short name and host stands in it once. */
export const organisationFileSchema = z
  .array(organisationOfFile)
  .min(1)
  .max(ORGANISATIONS)
  .superRefine((all, context) => {
    for (const field of ['org_id', 'slug', 'name', 'host'] as const) {
      const values = all.map((one) => String(one[field] ?? '').toLowerCase());
      for (const [index, value] of values.entries())
        if (value !== '' && values.indexOf(value) < index)
          context.addIssue({ code: 'custom', path: [index, field], message: 'stands here a second time' });
    }
  });
