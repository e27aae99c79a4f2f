import { z } from 'zod';
import { ANTIHACKING_LAYOUTS, LANGUAGES, LAYOUTS, flagsOf } from './codes.ts';
import { endpoint } from './endpoint.ts';
import { PATHS } from './paths.ts';

const allowed = z.enum(['0', '1']);

/** What the app needs before anyone signed in: names, colours, languages, flags. */
export const orgConfigSchema = z.object({
  orgId: z.int(),
  orgName: z.string(),
  companyName: z.string(),
  parentCompanyName: z.string(),
  aiName: z.string(),
  aiAgentId: z.string(),
  theme: z.object({ accent: z.string().regex(/^#[0-9a-f]{6}$/i), logo: z.string().nullable() }),
  layout: z.enum(LAYOUTS),
  antihacking_layout: z.enum(ANTIHACKING_LAYOUTS),
  /** Those that the organisation speaks, English always among them. */
  languages: z.array(z.enum(LANGUAGES)),
  flags: z.object(flagsOf(z.boolean())),
  /** Where customers pay the organisation itself; null where none is kept or `payment_gateway` is off. */
  payment_url: z.string().nullable(),
  inactive_warning: z.boolean(),
  /** The organisations in which a row click on an inactive customer only warns. */
  inactive_warning_organisations: z.array(z.int()),
  is_special: z.boolean(),
  /** The specification's fixed list with a special flag; which they are is data of the installation. */
  special_organisations: z.array(z.int()),
  /** Name → id of every organisation here. */
  organisations: z.record(z.string(), z.int()),
  privacy_policy: z.object({ contact: z.string(), text: z.string().nullable() }),
  support: z.object({ phone: z.string(), email: z.string() }),
  /** Whether its shops may sign in with its own identity provider. */
  organisation_login: z.boolean(),
  mode: z.enum(['demo', 'production']),
});
export type OrgConfig = z.infer<typeof orgConfigSchema>;

export const accessConfigSchema = z.object({ lock: allowed, unlock: allowed, read: allowed, uninstall: allowed });
export type AccessConfig = z.infer<typeof accessConfigSchema>;
export const userAccessSchema = z.object({
  feature_access: allowed,
  lock_unlock: allowed,
  unistall: allowed,
  active_deactive: allowed,
  bulk_retailer: allowed,
});
export type UserAccess = z.infer<typeof userAccessSchema>;

export const organisationEndpoints = {
  getOrgAppConfig: endpoint({
    ...PATHS.getOrgAppConfig,
    summary: 'Names, theme, languages and flags of the organisation.',
    auth: 'public',
    access: { none: 'asked before anyone signed in' },
    reply: orgConfigSchema,
  }),
  getAppConfigs: endpoint({
    ...PATHS.getAppConfigs,
    summary: 'Limits and tables of this server, so that an old app can tell.',
    auth: 'public',
    access: { none: 'asked before anyone signed in' },
    reply: z.object({
      server_version: z.string(),
      built_at: z.string(),
      min_app_version: z.string(),
      feature_matrix_version: z.int(),
      limits: z.record(z.string(), z.number()),
      plan_types: z.record(z.string(), z.int()),
      statuses: z.record(z.string(), z.int()),
    }),
  }),
  getAccessConfig: endpoint({
    ...PATHS.getAccessConfig,
    summary: 'Lock access of this user.',
    auth: 'session',
    access: { none: 'says what the words are' },
    reply: accessConfigSchema,
  }),
  getUserAccess: endpoint({
    ...PATHS.getUserAccess,
    summary: 'Access of this user, and who they are.',
    auth: 'session',
    access: { none: 'says what the words are' },
    reply: userAccessSchema.extend({
      user_id: z.uuid(),
      /** Whose agreement a customer may see, the last one sold to them; null for shops. */
      customer_id: z.uuid().nullable(),
      /** Everything that was sold to the customer's number, in one shop or several, the last first; empty for shops. */
      customer_ids: z.array(z.uuid()),
      user_type: z.string(),
      first_name: z.string(),
      last_name: z.string(),
      shop_name: z.string(),
      mobile: z.string(),
      is_birthday: z.boolean(),
      business_on: z.string(),
      /** The product's present: ages of what it dated are told by it. */
      now: z.string(),
    }),
  }),
} as const;
