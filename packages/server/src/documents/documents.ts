import { createHash } from 'node:crypto';
import { KistError } from '@kist/contract/errors';
import { LIMITS } from '@kist/contract/limits';
import { audit } from '#server/audit/audit.ts';
import { authorize, change } from '#server/customers/customers.ts';
import type { Actor } from '#server/identity/actor.ts';
import type { Database, Tx } from '#server/platform/database.ts';
import { newId } from '#server/platform/ids.ts';
import type { Sealer } from '#server/platform/crypto.ts';
import type { Images } from './images.ts';
import { imageMime, type ImageMime } from './rules.ts';
import { deleteDocuments, findDocument, insertDocument, latestId } from './store.ts';

type DocumentType = 'signature' | 'photo';

export interface Documents {
  /**
   * Keeps an image of a customer: made anew from its pixels, sealed (AES-256-GCM) and bound to its row. The work on the pixels is done
   * between two transactions, so that it holds no connection.
   * @throws KistError NOT_FOUND; FILE_TYPE_UNSUPPORTED unless the bytes are a whole PNG (signature, photo) or JPEG (photo); TOO_LARGE; UNAVAILABLE.
   */
  keep(db: Database, actor: Actor, customerId: string, type: DocumentType, bytes: Buffer): Promise<string>;
  /** @throws KistError NOT_FOUND also for somebody else's document. */
  open(tx: Tx, actor: Actor, documentId: string): Promise<{ mime: string; bytes: Buffer }>;
  latest(tx: Tx, customerId: string, type: DocumentType): Promise<string | null>;
  /** Deletes the documents of a customer who is still a draft; the database lets go of no others. */
  discardOfDraft(tx: Tx, actor: Actor, customerId: string): Promise<void>;
}

const aad = (tx: Tx, documentId: string) => `${tx.orgId}|documents|sealed|${documentId}`;
/** A signature's lines stay exact, a photo gets small. */
const MIMES = { signature: 'image/png', photo: 'image/jpeg' } as const satisfies Record<DocumentType, ImageMime>;
const MOST_BYTES = { signature: LIMITS.signaturePngBytes, photo: LIMITS.uploadBytes };

const fileFault = (code: 'FILE_TYPE_UNSUPPORTED' | 'TOO_LARGE') =>
  new KistError(code, {
    fields: [{ path: 'file', key: code === 'TOO_LARGE' ? 'field.too_large' : 'field.file_type' }],
  });

/** @param sealer authenticated encryption with keys kept outside the database. */
export function createDocuments(sealer: Sealer, images: Images): Documents {
  async function remade(type: DocumentType, bytes: Buffer): Promise<Buffer> {
    if (type === 'signature' && imageMime(bytes) !== 'image/png') throw fileFault('FILE_TYPE_UNSUPPORTED');
    if (bytes.length > MOST_BYTES[type]) throw fileFault('TOO_LARGE');
    const fresh = await images.remake(bytes, MIMES[type]);
    if (fresh.length > MOST_BYTES[type]) throw fileFault('TOO_LARGE');
    return fresh;
  }
  return {
    async keep(db, actor, customerId, type, bytes) {
      await db.read(actor.orgId, (tx) => authorize(tx, actor, customerId));
      const fresh = await remade(type, bytes);
      return db.transaction(actor.orgId, async (tx) => {
        const customer = await authorize(tx, actor, customerId, true);
        const documentId = newId();
        await insertDocument(tx, {
          document_id: documentId,
          customer_id: customerId,
          document_type: type,
          mime: MIMES[type],
          bytes: fresh.length,
          sha256: createHash('sha256').update(fresh).digest(),
          sealed: sealer.seal(fresh, aad(tx, documentId)),
          created_by: actor.userId,
        });
        if (type === 'photo') await change(tx, actor, customer, { photo_document_id: documentId });
        await audit.append(tx, {
          kind: 'customer',
          id: customerId,
          actor,
          action: 'document_kept',
          data: { document_id: documentId, type },
        });
        return documentId;
      });
    },
    async open(tx, actor, documentId) {
      const row = await findDocument(tx, documentId);
      if (!row) throw new KistError('NOT_FOUND');
      await authorize(tx, actor, row.customer_id);
      return { mime: row.mime, bytes: sealer.open(row.sealed, aad(tx, documentId)) };
    },
    latest: (tx, customerId, type) => latestId(tx, customerId, type),
    async discardOfDraft(tx, actor, customerId) {
      const documentIds = await deleteDocuments(tx, customerId);
      if (documentIds.length === 0) return;
      await audit.append(tx, {
        kind: 'customer',
        id: customerId,
        actor,
        action: 'documents_deleted',
        data: { document_ids: documentIds },
      });
    },
  };
}
