import { NEEDS } from '@kist/contract/access';
import { createHash } from 'node:crypto';
import type { DocumentType } from '@kist/contract/codes';
import { KistError } from '@kist/contract/errors';
import { LIMITS } from '@kist/contract/limits';
import * as audit from '#server/audit/audit.ts';
import { type Actor, requires } from '#server/identity/identity.ts';
import { assertEditOffered, authorize, change } from '#server/customers/customers.ts';
import type { Database, Tx } from '#server/platform/database.ts';
import { newId } from '#server/platform/ids.ts';
import type { Sealer } from '#server/platform/crypto.ts';
import type { Images } from './images.ts';
import { imageMime, type ImageMime } from './rules.ts';
import { type DocumentLine, deleteDocuments, findDocument, insertDocument, latestId, listOf } from './store.ts';

export interface Documents {
  /**
   * Keeps an image of a customer: made anew from its pixels, sealed (AES-256-GCM) and bound to its row. The work on the pixels is done
   * between two transactions, so that it holds no connection.
   * @throws KistError NOT_FOUND; FILE_TYPE_UNSUPPORTED unless the bytes are a PNG or (but for a signature) JPEG; FILE_UNREADABLE unless they are a whole one; TOO_LARGE; UNAVAILABLE;
   * FEATURE_NOT_OFFERED when the plan has no such edit.
   */
  keep(db: Database, actor: Actor, customerId: string, type: DocumentType, bytes: Buffer): Promise<string>;
  /** What is kept of a customer, newest first, without the pictures. @throws KistError NOT_FOUND */
  list(tx: Tx, actor: Actor, customerId: string, type?: DocumentType): Promise<DocumentLine[]>;
  /** @throws KistError NOT_FOUND also for somebody else's document. */
  open(tx: Tx, actor: Actor, documentId: string): Promise<{ mime: string; bytes: Buffer }>;
  latest(tx: Tx, customerId: string, type: DocumentType): Promise<string | null>;
  /** Deletes the documents of a customer who is still a draft; the database lets go of no others. */
  discardOfDraft(tx: Tx, actor: Actor, customerId: string): Promise<void>;
}

const aad = (tx: Tx, documentId: string) => `${tx.orgId}|documents|sealed|${documentId}`;
/** A signature's lines stay exact, a photo gets small. */
const mimeOf = (type: DocumentType): ImageMime => (type === 'signature' ? 'image/png' : 'image/jpeg');
const mostBytesOf = (type: DocumentType): number =>
  type === 'signature' ? LIMITS.signaturePngBytes : LIMITS.uploadBytes;

const noSignature = () =>
  new KistError('FILE_TYPE_UNSUPPORTED', { fields: [{ path: 'file', key: 'field.signature_png' }] });
const tooLarge = () => new KistError('TOO_LARGE', { fields: [{ path: 'file', key: 'field.too_large' }] });

/** @param sealer authenticated encryption with keys kept outside the database. */
export function createDocuments(sealer: Sealer, images: Images): Documents {
  async function remade(actor: Actor, type: DocumentType, bytes: Buffer): Promise<Buffer> {
    if (type === 'signature' && imageMime(bytes) !== 'image/png') throw noSignature();
    if (bytes.length > mostBytesOf(type)) throw tooLarge();
    const fresh = await images.remake(actor.userId, bytes, mimeOf(type));
    if (fresh.length > mostBytesOf(type)) throw tooLarge();
    return fresh;
  }
  return {
    async keep(db, actor, customerId, type, bytes) {
      requires(actor, NEEDS.activate);
      const edit = type === 'signature' ? 'EDIT_SIGNATURE' : 'EDIT_DOCUMENTS';
      await db.read(actor.orgId, async (tx) => assertEditOffered(actor, await authorize(tx, actor, customerId), edit));
      const fresh = await remade(actor, type, bytes);
      return db.transaction(actor.orgId, async (tx) => {
        const customer = await authorize(tx, actor, customerId, true);
        assertEditOffered(actor, customer, edit);
        const documentId = newId();
        await insertDocument(tx, {
          document_id: documentId,
          customer_id: customerId,
          document_type: type,
          mime: mimeOf(type),
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
    async list(tx, actor, customerId, type) {
      requires(actor, NEEDS.read);
      await authorize(tx, actor, customerId);
      return listOf(tx, customerId, type);
    },
    async open(tx, actor, documentId) {
      requires(actor, NEEDS.read);
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

export { createImages } from './images.ts';
