import type { DocumentType } from '@kist/contract/codes';
import * as documents from '#server/documents/documents.ts';
import type { Actor } from '#server/identity/identity.ts';
import type { Tx } from '#server/platform/database.ts';
import type { App } from '#server/http/app-types.ts';
import { route } from '#server/http/route.ts';

interface DocumentsQuery {
  customer_id: string;
  document_type?: DocumentType | undefined;
  image_name?: string | undefined;
}

/** Newest first. The newest of what was asked for by type or by name comes with its picture: a list of pictures would be megabytes. */
async function customerDocuments(tx: Tx, actor: Actor, { customer_id, document_type, image_name }: DocumentsQuery) {
  const found = await documents.list(tx, actor, { customer_id, document_type });
  const rows = found
    .map((row) => ({
      ...row,
      image_name: `${row.document_type}-${row.document_id}.${row.mime === 'image/png' ? 'png' : 'jpg'}`,
    }))
    .filter((row) => image_name === undefined || row.image_name === image_name);
  const isNarrowed = document_type !== undefined || image_name !== undefined;
  const [first] = rows;
  const opened = isNarrowed && first ? await documents.open(tx, actor, first) : undefined;
  return rows.map((row) => ({
    ...row,
    created_at: row.created_at.toISOString(),
    data_url: row === first && opened ? dataUrl(opened) : null,
  }));
}

const dataUrl = ({ mime, bytes }: { mime: string; bytes: Buffer }): string =>
  `data:${mime};base64,${bytes.toString('base64')}`;

/** Photographs, papers and signatures of customers. */
export function documentRoutes(app: App): void {
  route(app, 'getCustomerDocuments', ({ db, actor, query }) =>
    db.read(actor.orgId, (tx) => customerDocuments(tx, actor, query)),
  );
  route(
    app,
    'uploadCustomerDocument',
    async ({ db, actor, body: { customer_id, document_type }, file: { bytes } }) => ({
      document_id: await documents.keep(db, actor, { customer_id, document_type, bytes }),
    }),
  );
  route(app, 'uploadSignature', async ({ db, actor, body: { customer_id }, file: { bytes } }) => ({
    document_id: await documents.keep(db, actor, { customer_id, document_type: 'signature', bytes }),
  }));
  route(app, 'uploadCustomerPhoto', async ({ db, actor, body: { customer_id }, file: { bytes } }) => ({
    document_id: await documents.keep(db, actor, { customer_id, document_type: 'photo', bytes }),
  }));
  route(app, 'getDocument', ({ db, actor, query }) =>
    db.read(actor.orgId, async (tx) => {
      const opened = await documents.open(tx, actor, query);
      return { mime: opened.mime, data_url: dataUrl(opened) };
    }),
  );
}
