import type { AuditActor } from '#server/audit/audit.ts';
import * as audit from '#server/audit/audit.ts';
import type { Tx } from '#server/platform/database.ts';
import { upsertDirectoryRow, upsertOrganisation } from './store.ts';

/** What whoever runs the installation says about an organisation; what is left out stays as it is. */
export interface DeclaredOrganisation {
  slug: string;
  host: string | null;
  org_name: string;
  company_name: string;
  parent_company_name: string;
  ai_name: string;
  theme: Record<string, string>;
  support: Record<string, string>;
  privacy_policy: Record<string, string>;
}

/**
 * Makes the organisation of this transaction what is declared, as kist_operator; a second time with the same words does nothing.
 * @returns what became of it
 */
export async function establish(
  tx: Tx,
  actor: AuditActor,
  wanted: DeclaredOrganisation,
): Promise<'created' | 'changed' | 'unchanged'> {
  const listed = await upsertDirectoryRow.first(tx, { ...wanted, name: wanted.org_name });
  const written = await upsertOrganisation.first(tx, wanted);
  const change = written?.change ?? (listed && 'changed');
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
