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

/** What whoever runs the installation says about an organisation; what is left out stays as it is. */
export interface DeclaredOrganisation {
  slug: string;
  host: string | null;
  orgName: string;
  companyName: string;
  parentCompanyName: string;
  aiName: string;
  theme: Record<string, string>;
  support: Record<string, string>;
  privacyPolicy: Record<string, string>;
}

/** As kist_operator, who keeps the directory. @returns whether it was there before, or is now another; undefined when nothing changed */
export async function upsertDirectoryRow(
  tx: Tx,
  { slug, host, orgName }: DeclaredOrganisation,
): Promise<'created' | 'changed' | undefined> {
  const { rows } = await tx.query<{ change: 'created' | 'changed' }>(
    `insert into org_directory as d (org_id, slug, host, name) values (kist_org(), $1, $2, $3)
     on conflict (org_id) do update set slug = excluded.slug, host = excluded.host, name = excluded.name
       where (d.slug, d.host, d.name) is distinct from (excluded.slug, excluded.host, excluded.name)
     returning case when xmax = 0 then 'created' else 'changed' end as change`,
    [slug, host, orgName],
  );
  return rows[0]?.change;
}

export async function upsertOrganisation(
  tx: Tx,
  wanted: DeclaredOrganisation,
): Promise<'created' | 'changed' | undefined> {
  const { rows } = await tx.query<{ change: 'created' | 'changed' }>(
    `insert into organisations as o (org_id, org_name, company_name, parent_company_name, ai_name, theme, support, privacy_policy)
     values (kist_org(), $1, $2, $3, $4, $5, $6, $7)
     on conflict (org_id) do update set org_name = excluded.org_name, company_name = excluded.company_name,
       parent_company_name = excluded.parent_company_name, ai_name = excluded.ai_name, theme = o.theme || excluded.theme,
       support = o.support || excluded.support, privacy_policy = o.privacy_policy || excluded.privacy_policy
       where (o.org_name, o.company_name, o.parent_company_name, o.ai_name) is distinct from
             (excluded.org_name, excluded.company_name, excluded.parent_company_name, excluded.ai_name)
         or not (o.theme @> excluded.theme and o.support @> excluded.support and o.privacy_policy @> excluded.privacy_policy)
     returning case when xmax = 0 then 'created' else 'changed' end as change`,
    [
      wanted.orgName,
      wanted.companyName,
      wanted.parentCompanyName,
      wanted.aiName,
      JSON.stringify(wanted.theme),
      JSON.stringify(wanted.support),
      JSON.stringify(wanted.privacyPolicy),
    ],
  );
  return rows[0]?.change;
}
