import type { AuditActor } from '#server/audit/audit.ts';
import * as audit from '#server/audit/audit.ts';
import type { Tx } from '#server/platform/database.ts';
import { type DeclaredOrganisation, upsertDirectoryRow, upsertOrganisation } from './store.ts';

/**
 * Makes the organisation of this transaction what is declared, as kist_operator; a second time with the same words does nothing.
 * @returns what became of it
 */
export async function establish(
  tx: Tx,
  actor: AuditActor,
  wanted: DeclaredOrganisation,
): Promise<'created' | 'changed' | 'unchanged'> {
  const listed = await upsertDirectoryRow(tx, wanted);
  const written = await upsertOrganisation(tx, wanted);
  const change = written ?? (listed && 'changed');
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
