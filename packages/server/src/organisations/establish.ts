import type { AuditActor } from '#server/audit/audit.ts';
import * as audit from '#server/audit/audit.ts';
import type { Tx } from '#server/platform/database.ts';
import type { OrganisationOfFile } from '@kist/contract/organisation-file';
import { type Chosen, updateChosen, upsertDirectoryRow, upsertOrganisation } from './store.ts';

/** What whoever runs the installation says about an organisation; what is left out stays as it is. */
export interface DeclaredOrganisation extends Partial<Chosen> {
  slug: string;
  /** null: from now on it has none. */
  host?: string | null | undefined;
  org_name: string;
  company_name?: string | undefined;
  parent_company_name?: string | undefined;
  ai_name?: string | undefined;
  theme: Record<string, string>;
  support: Record<string, string>;
  privacy_policy: Record<string, string>;
  /** On the specification's list of 13 with a special flag. */
  is_special?: boolean | null;
}

const AS_IT_IS: Chosen = {
  ai_agent_id: null,
  layout: null,
  antihacking_layout: null,
  languages: null,
  flags: null,
  payment_url: null,
  allowed_features: null,
  holidays: null,
  audit_emails: null,
};

/**
 * Makes the organisation of this transaction what is declared, as kist_operator; a second time with the same words does nothing.
 * @returns what became of it
 */
export async function establish(
  tx: Tx,
  actor: AuditActor,
  wanted: DeclaredOrganisation,
): Promise<'created' | 'changed' | 'unchanged'> {
  const { host, company_name = null, parent_company_name = null, ai_name = null } = wanted;
  const listed = await upsertDirectoryRow.first(tx, {
    is_special: null,
    ...wanted,
    name: wanted.org_name,
    host: host ?? null,
    is_host_said: host !== undefined,
  });
  const written = await upsertOrganisation.first(tx, { ...wanted, company_name, parent_company_name, ai_name });
  const chosen = await updateChosen.first(tx, { ...AS_IT_IS, ...wanted });
  const change = written?.change ?? ((listed || chosen) && 'changed');
  if (!change) return 'unchanged';
  await audit.append(tx, {
    kind: 'organisation',
    id: String(tx.orgId),
    actor,
    action: `organisation_${change}`,
    data: { slug: wanted.slug },
  });
  return change;
}

/** One organisation of a file, as `establish` takes it: what the file leaves out stays as it is. Its privacy policy is published apart, as a version. */
export function declaredOf(file: OrganisationOfFile): DeclaredOrganisation {
  const { org_id: _, name, plans: _plans, prices_paise: _prices, lock_policy: _policy, ...said } = file;
  const {
    slug,
    host,
    company_name,
    parent_company_name,
    ai_name,
    theme,
    support,
    privacy_contact,
    privacy_text: _text,
    ...chosen
  } = said;
  return {
    slug,
    host,
    org_name: name,
    company_name,
    parent_company_name,
    ai_name,
    theme: told(theme ?? {}),
    support: told(support ?? {}),
    privacy_policy: told({ contact: privacy_contact }),
    ...(chosen as Partial<Chosen>),
    flags: chosen.flags ? told(chosen.flags) : null,
  };
}

const told = <T>(values: Record<string, T | undefined>): Record<string, T> =>
  Object.fromEntries(Object.entries(values).filter((entry): entry is [string, T] => entry[1] !== undefined));
