import type { z } from 'zod';
import { CUSTOMER_STATUS, INACTIVE_WARNING_ORGS, PLAN } from '@kist/contract/codes';
import type { IsoDate } from '@kist/contract/dates';
import { KistError } from '@kist/contract/errors';
import type { AllowedFeatures } from '@kist/contract/features';
import { LIMITS } from '@kist/contract/limits';
import type { OrgConfig, organisationEndpoints } from '@kist/contract/organisation';
import type { Database, Tx } from '#server/platform/database.ts';
import { DEFAULT_ACCENT } from './brands.ts';
import { logoPath } from './logos.ts';
import { policyIn } from './privacy-store.ts';
import * as store from './store.ts';

/** The short name of the organisation that a demo makes: an installation that holds no other is a demo. */
export const DEMO_SLUG = 'kist-demo';

type AppConfigs = z.input<typeof organisationEndpoints.getAppConfigs.reply>;

/** Apps older than this can not speak with this server. */
const MIN_APP_VERSION = '0.1.0';
/** Counts up when the answer of offersFeature changes for some cell. */
const FEATURE_MATRIX_VERSION = 2;

/** What every app asks first: how old it may be, and the specification's numbers. */
export const appConfigs = (server: Pick<AppConfigs, 'server_version' | 'built_at'>): AppConfigs => ({
  ...server,
  min_app_version: MIN_APP_VERSION,
  feature_matrix_version: FEATURE_MATRIX_VERSION,
  limits: { ...LIMITS },
  plan_types: { ...PLAN },
  statuses: { ...CUSTOMER_STATUS },
});

/** How the organisation of this transaction describes itself to anyone. @throws KistError NOT_FOUND */
export async function config(
  tx: Tx,
  { mode }: Pick<OrgConfig, 'mode'>,
): Promise<Omit<OrgConfig, 'organisation_login'>> {
  const org = await store.configurationOf.first(tx, {});
  if (!org) throw new KistError('NOT_FOUND');
  const policy = await policyIn.first(tx, { language: 'en' });
  const directory = await store.directory.all(tx, {});
  const slug = directory.find(({ org_id }) => org_id === org.org_id)?.slug ?? '';
  const special = directory.filter(({ is_special }) => is_special).map(({ org_id }) => org_id);
  return {
    orgId: org.org_id,
    orgName: org.org_name,
    companyName: org.company_name,
    parentCompanyName: org.parent_company_name,
    aiName: org.ai_name,
    aiAgentId: org.ai_agent_id,
    theme: { accent: org.theme.accent ?? DEFAULT_ACCENT, logo: logoPath(slug, org.theme.logo) },
    layout: org.layout,
    antihacking_layout: org.antihacking_layout,
    languages: [...org.languages],
    flags: {
      witness_signature_layout: org.flags.witness_signature_layout === true,
      payment_gateway: org.flags.payment_gateway === true,
    },
    payment_url: org.flags.payment_gateway === true ? org.payment_url : null,
    inactive_warning: (INACTIVE_WARNING_ORGS as readonly number[]).includes(org.org_id),
    inactive_warning_organisations: [...INACTIVE_WARNING_ORGS],
    is_special: special.includes(org.org_id),
    special_organisations: special,
    // Of two that were called the same before it was refused, the older one is found.
    organisations: Object.fromEntries(directory.toReversed().map(({ name, org_id }) => [name, org_id])),
    privacy_policy: { contact: org.privacy_policy.contact ?? '', text: policy?.text ?? null },
    support: { phone: org.support.phone ?? '', email: org.support.email ?? '' },
    mode,
  };
}

/** The organisation's own feature lists, by type of phone; a type without one follows the matrix. */
export const allowedFeatures = async (tx: Tx): Promise<AllowedFeatures> =>
  (await store.allowedFeatures.first(tx, {}))?.allowed_features ?? {};

/** Whether a second person signs beside the customer. */
export const asksForWitness = async (tx: Tx): Promise<boolean> =>
  (await store.configurationOf.first(tx, {}))?.flags.witness_signature_layout === true;

/** Whether shops are shown what guards a phone as steps, before all else. */
export const asksForSecuritySteps = async (tx: Tx): Promise<boolean> =>
  (await store.configurationOf.first(tx, {}))?.antihacking_layout === 'steps';

/** What the organisation chose, whole, as a file of organisations has it. @throws KistError NOT_FOUND */
export async function chosen(tx: Tx): Promise<store.Whole> {
  const whole = await store.wholeOf.first(tx, {});
  if (!whole) throw new KistError('NOT_FOUND');
  return whole;
}

/** Days on which no phone is locked by itself, in order. */
export const holidays = async (tx: Tx): Promise<readonly IsoDate[]> =>
  (await store.holidaysOf.first(tx, {}))?.holidays ?? [];

/** @returns the days as they are now; null where they were so already. Who may is for the caller to say. */
export const changeHolidays = async (
  tx: Tx,
  change: { added: readonly IsoDate[]; removed: readonly IsoDate[] },
): Promise<readonly IsoDate[] | null> => (await store.changeHolidays.first(tx, change))?.holidays ?? null;

/** Who is mailed the daily root of the audit by the organisation's own word, and what it is called there. */
export async function auditMail(tx: Tx): Promise<{ name: string; slug: string; recipients: readonly string[] }> {
  const { org_name: name, slug, audit_emails: recipients } = await store.auditMailOf.one(tx, {});
  return { name, slug, recipients };
}

/** Every organisation of this installation, as the directory has it now. */
export const list = (tx: Tx): Promise<store.DirectoryRow[]> => store.directory.all(tx, {});

/** Every organisation of this installation: what crosses them goes one by one. */
export const everyId = async (db: Pick<Database, 'unscoped'>): Promise<number[]> =>
  (await db.unscoped(list)).map(({ org_id }) => org_id);

export { privacyPolicy, privacyVersions, setPrivacyPolicy } from './privacy.ts';
export { addressOf, type Brand, brandOf } from './brands.ts';
export { finishDay, missedDays } from './business-days.ts';
export { assertKnown, isHostOf, ofRequest, plainHost, rememberOrganisations } from './directory.ts';
export { declaredOf, establish } from './establish.ts';
export { LEAST_LOGO_PX, logoPath, readLogo, setLogo } from './logos.ts';
export { organisationReady } from './ready.ts';
