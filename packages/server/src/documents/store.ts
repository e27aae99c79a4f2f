import type { Tx } from '#server/platform/database.ts';

export interface DocumentRow {
  document_id: string;
  customer_id: string;
  document_type: string;
  mime: string;
  sealed: Buffer;
}

export async function insertDocument(
  tx: Tx,
  row: DocumentRow & { bytes: number; sha256: Buffer; created_by: string },
): Promise<void> {
  await tx.query(
    `insert into documents (org_id, document_id, customer_id, document_type, mime, bytes, sha256, sealed, created_by, created_at)
     values (kist_org(), $1, $2, $3, $4, $5, $6, $7, $8, kist_now())`,
    [row.document_id, row.customer_id, row.document_type, row.mime, row.bytes, row.sha256, row.sealed, row.created_by],
  );
}

export async function findDocument(tx: Tx, documentId: string): Promise<DocumentRow | null> {
  const { rows } = await tx.query<DocumentRow>(
    'select document_id, customer_id, document_type, mime, sealed from documents where document_id = $1',
    [documentId],
  );
  return rows[0] ?? null;
}

export interface DocumentLine {
  document_id: string;
  document_type: string;
  mime: string;
  bytes: number;
  created_at: Date;
}

/** A customer has a handful; one who has more than this is shown the newest. */
const LINES_SHOWN = 100;

export async function listOf(tx: Tx, customerId: string, documentType?: string): Promise<DocumentLine[]> {
  const { rows } = await tx.query<DocumentLine>(
    `select document_id, document_type, mime, bytes, created_at from documents
     where org_id = kist_org() and customer_id = $1 and ($2::text is null or document_type = $2) order by created_at desc, document_id desc limit ${LINES_SHOWN}`,
    [customerId, documentType ?? null],
  );
  return rows;
}

/** The newest document of a type, or null. */
export async function latestId(tx: Tx, customerId: string, documentType: string): Promise<string | null> {
  const { rows } = await tx.query<{ document_id: string }>(
    'select document_id from documents where customer_id = $1 and document_type = $2 order by created_at desc limit 1',
    [customerId, documentType],
  );
  return rows[0]?.document_id ?? null;
}

/** @returns the ids of what was deleted. Of a customer who signed, row-level security deletes none. */
export async function deleteDocuments(tx: Tx, customerId: string): Promise<string[]> {
  const { rows } = await tx.query<{ document_id: string }>(
    'delete from documents where customer_id = $1 returning document_id',
    [customerId],
  );
  return rows.map((row) => row.document_id);
}
