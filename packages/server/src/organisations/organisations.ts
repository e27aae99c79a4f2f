import type { z } from 'zod';
import { CUSTOMER_STATUS, INACTIVE_WARNING_ORGS, LANGUAGES, PLAN } from '@kist/contract/codes';
import { KistError } from '@kist/contract/errors';
import type { AllowedFeatures } from '@kist/contract/features';
import { LIMITS } from '@kist/contract/limits';
import type { OrgConfig, organisationEndpoints } from '@kist/contract/organisation';
import type { Database, Tx } from '#server/platform/database.ts';
import { type BrandOf, createBrands, defaultAccent } from './brands.ts';
import { readAllowedFeatures, readDirectory, readOrganisation, type DirectoryRow, type Organisation } from './store.ts';

/** The short name of the organisation that a demo makes: an installation that holds no other is a demo. */
export const DEMO_SLUG = 'kist-demo';

type AppConfigs = z.input<typeof organisationEndpoints.getAppConfigs.reply>;

export interface Organisations {
  /**
   * Whom a request is for: the organisation of its token, else of its host name, else of its `x-org` slug, else the installation's own.
   * @throws KistError ORGANISATION_UNKNOWN when the slug names none, or the installation's own was never set up: no row may be written for it
   */
  orgOfRequest(named: NamedOrganisation): Promise<number>;
  /** @throws KistError ORGANISATION_UNKNOWN */
  assertKnown(orgId: number): Promise<void>;
  /** @throws KistError NOT_FOUND */
  orgConfig(orgId: number): Promise<OrgConfig>;
  appConfigs(): AppConfigs;
  brandOf: BrandOf;
}

/** What a request says about its organisation. */
export interface NamedOrganisation {
  tokenOrg: number | undefined;
  host: string;
  slug: string | undefined;
  defaultOrgId: number;
}

export interface OrganisationsOptions {
  db: Database;
  mode: 'demo' | 'production';
  serverVersion: string;
  builtAt: string;
  /** How soon a name that was not known is looked for again. */
  missMs?: number;
}

/** A new organisation or host name is known to every process within this time. */
const directoryMs = 10_000;
/** Strangers may ask for names that do not exist as often as they like: the directory is read for them once a second. */
const defaultMissMs = 1000;
/** Apps older than this can not speak with this server. */
const minAppVersion = '0.1.0';
/** Counts up when the answer of offersFeature changes for some cell. */
const featureMatrixVersion = 2;

export function createOrganisations({
  db,
  mode,
  serverVersion,
  builtAt,
  missMs = defaultMissMs,
}: OrganisationsOptions): Organisations {
  let directory: { readAtMs: number; rows: Promise<DirectoryRow[]> } | undefined;

  function rows(maxAgeMs: number): Promise<DirectoryRow[]> {
    if (!directory || Date.now() - directory.readAtMs > maxAgeMs) {
      const read = db.unscoped(readDirectory);
      const mine = { readAtMs: Date.now(), rows: read };
      directory = mine;
      // A failed read is nobody's answer for ten seconds.
      read.catch(() => {
        if (directory === mine) directory = undefined;
      });
    }
    return directory.rows;
  }

  /** One that was made a moment ago is found: what is not known is looked for again. */
  const find = async (wanted: (known: DirectoryRow[]) => number | undefined): Promise<number> => {
    const found = wanted(await rows(directoryMs)) ?? wanted(await rows(missMs));
    if (found === undefined) throw new KistError('ORGANISATION_UNKNOWN');
    return found;
  };
  const idOf = (known: DirectoryRow[], fits: (row: DirectoryRow) => boolean) => known.find(fits)?.orgId;

  return {
    orgOfRequest: ({ tokenOrg, host, slug, defaultOrgId }) =>
      find(
        (known) =>
          idOf(known, (row) => row.orgId === tokenOrg) ??
          idOf(known, (row) => row.host?.toLowerCase() === host.toLowerCase()) ??
          idOf(known, (row) => (slug === undefined ? row.orgId === defaultOrgId : row.slug === slug)),
      ),
    assertKnown: async (orgId) => void (await find((known) => idOf(known, (row) => row.orgId === orgId))),
    orgConfig: (orgId) => db.read(orgId, async (tx) => configOf(await organisation(tx), mode, await readDirectory(tx))),
    brandOf: createBrands(db),
    appConfigs: () => ({
      server_version: serverVersion,
      built_at: builtAt,
      min_app_version: minAppVersion,
      feature_matrix_version: featureMatrixVersion,
      limits: { ...LIMITS },
      plan_types: { ...PLAN },
      statuses: { ...CUSTOMER_STATUS },
    }),
  };
}

/** The organisation this transaction speaks for. @throws KistError NOT_FOUND */
export async function organisation(tx: Tx): Promise<Organisation> {
  const found = await readOrganisation(tx);
  if (!found) throw new KistError('NOT_FOUND');
  return found;
}

/** The organisation's own feature lists, by type of phone; a type without one follows the matrix. */
export const allowedFeatures = (tx: Tx): Promise<AllowedFeatures> => readAllowedFeatures(tx);

export function configOf(
  org: Organisation,
  mode: 'demo' | 'production',
  directory: readonly DirectoryRow[],
): OrgConfig {
  const special = directory.filter(({ isSpecial }) => isSpecial).map(({ orgId }) => orgId);
  return {
    orgId: org.orgId,
    orgName: org.orgName,
    companyName: org.companyName,
    parentCompanyName: org.parentCompanyName,
    aiName: org.aiName,
    aiAgentId: org.aiAgentId,
    theme: { accent: org.theme.accent ?? defaultAccent, logo: org.theme.logo ?? null },
    layout: org.layout,
    antihacking_layout: org.antihackingLayout,
    languages: [...LANGUAGES],
    flags: {
      witness_signature_layout: org.flags['witness_signature_layout'] === true,
      payment_gateway: org.flags['payment_gateway'] === true,
    },
    inactive_warning: (INACTIVE_WARNING_ORGS as readonly number[]).includes(org.orgId),
    inactive_warning_organisations: [...INACTIVE_WARNING_ORGS],
    is_special: special.includes(org.orgId),
    special_organisations: special,
    organisations: Object.fromEntries(directory.map(({ name, orgId }) => [name, orgId])),
    privacy_policy: { contact: org.privacyPolicy.contact ?? '', text: org.privacyPolicy.text ?? null },
    support: { phone: org.support.phone ?? '', email: org.support.email ?? '' },
    mode,
  };
}

export { type Brand } from './brands.ts';
export { establish } from './establish.ts';
export { organisationReady } from './ready.ts';
