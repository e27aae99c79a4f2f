import type { z } from 'zod';
import { CUSTOMER_STATUS, INACTIVE_WARNING_ORGS, LANGUAGES, PLAN } from '@kist/contract/codes';
import { KistError } from '@kist/contract/errors';
import type { AllowedFeatures } from '@kist/contract/features';
import { LIMITS } from '@kist/contract/limits';
import type { OrgConfig, organisationEndpoints } from '@kist/contract/organisation';
import type { Database, Tx } from '#server/platform/database.ts';
import { readAllowedFeatures, readDirectory, readOrganisation, type DirectoryRow, type Organisation } from './store.ts';

type AppConfigs = z.input<typeof organisationEndpoints.getAppConfigs.reply>;

export interface Organisations {
  /** @returns whom a request without a session is for: its host name, else its `x-org` slug; undefined when neither is known. */
  orgOfRequest(host: string, slug: string | undefined): Promise<number | undefined>;
  /** @throws KistError NOT_FOUND */
  orgConfig(orgId: number): Promise<OrgConfig>;
  appConfigs(): AppConfigs;
}

export interface OrganisationsOptions {
  db: Database;
  mode: 'demo' | 'production';
  serverVersion: string;
  builtAt: string;
}

/** A new organisation or host name is known to every process within this time. */
const directoryMs = 10_000;
/** Used until an organisation chose its own (design/tokens of the app). */
const defaultAccent = '#3538a6';
/** Apps older than this can not speak with this server. */
const minAppVersion = '0.1.0';
/** Counts up when the answer of offersFeature changes for some cell. */
const featureMatrixVersion = 2;

export function createOrganisations({ db, mode, serverVersion, builtAt }: OrganisationsOptions): Organisations {
  let directory: { readAtMs: number; rows: Promise<DirectoryRow[]> } | undefined;

  function rows(): Promise<DirectoryRow[]> {
    if (!directory || Date.now() - directory.readAtMs > directoryMs) {
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

  return {
    async orgOfRequest(host, slug) {
      const known = await rows();
      const byHost = known.find((row) => row.host !== null && row.host.toLowerCase() === host.toLowerCase());
      return (byHost ?? known.find((row) => slug !== undefined && row.slug === slug))?.orgId;
    },
    orgConfig: (orgId) => db.read(orgId, async (tx) => configOf(await organisation(tx), mode)),
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

export function configOf(org: Organisation, mode: 'demo' | 'production'): OrgConfig {
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
    // Which 13 organisations carry the specification's special flag is data of the installation, not of the program.
    is_special: org.flags['is_special'] === true,
    privacy_policy: { contact: org.privacyPolicy.contact ?? '', text: org.privacyPolicy.text ?? null },
    support: { phone: org.support.phone ?? '', email: org.support.email ?? '' },
    mode,
  };
}
