import type { AllowedFeatures } from '@kist/contract/features';
import type { Tx } from '#server/platform/database.ts';

export interface DirectoryRow {
  orgId: number;
  slug: string;
  host: string | null;
  name: string;
  /** On the specification's list of 13 with a special flag. */
  isSpecial: boolean;
}

export async function readDirectory(tx: Tx): Promise<DirectoryRow[]> {
  const { rows } = await tx.query<DirectoryRow>(
    'select org_id as "orgId", slug, host, name, is_special as "isSpecial" from org_directory order by org_id',
    [],
    'organisations.directory',
  );
  return rows;
}

/** Everything an organisation configured. */
export interface Organisation {
  orgId: number;
  orgName: string;
  companyName: string;
  parentCompanyName: string;
  aiName: string;
  aiAgentId: string;
  theme: { accent?: string; logo?: string | null };
  layout: string;
  antihackingLayout: string;
  flags: Record<string, boolean>;
  /** Provisioning name → features that replace the matrix. */
  allowedFeatures: AllowedFeatures;
  support: { phone?: string; email?: string };
  privacyPolicy: { contact?: string; text?: string | null };
  /** 'YYYY-MM-DD': no automatic lock on these days. */
  holidays: string[];
  vendorApprovals: Record<string, unknown>;
}

export async function readOrganisation(tx: Tx): Promise<Organisation | undefined> {
  const { rows } = await tx.query<Organisation>(
    `select org_id as "orgId", org_name as "orgName", company_name as "companyName", parent_company_name as "parentCompanyName",
       ai_name as "aiName", ai_agent_id as "aiAgentId", theme, layout, antihacking_layout as "antihackingLayout", flags,
       allowed_features as "allowedFeatures", support, privacy_policy as "privacyPolicy", holidays, vendor_approvals as "vendorApprovals"
     from organisations where org_id = kist_org()`,
    [],
    'organisations.read',
  );
  return rows[0];
}

export async function readAllowedFeatures(tx: Tx): Promise<AllowedFeatures> {
  const { rows } = await tx.query<{ allowed: AllowedFeatures }>(
    'select allowed_features as allowed from organisations where org_id = kist_org()',
    [],
    'organisations.allowed_features',
  );
  return rows[0]?.allowed ?? {};
}
