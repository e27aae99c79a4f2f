import { NEEDS } from '@kist/contract/access';
import { createHash } from 'node:crypto';
import type { DocumentType } from '@kist/contract/codes';
import { KistError } from '@kist/contract/errors';
import { LIMITS } from '@kist/contract/limits';
import { audit } from '#server/audit/audit.ts';
import { authorize, change } from '#server/customers/customers.ts';
import { requires } from '#server/identity/access.ts';
import { assertEditOffered } from '#server/customers/edits.ts';
import type { Actor } from '#server/identity/actor.ts';
import type { Tx } from '#server/platform/database.ts';
import { newId } from '#server/platform/ids.ts';
import type { Sealer } from '#server/platform/crypto.ts';
import { imageMime, pngSize } from './rules.ts';
import { type DocumentLine, findDocument, insertDocument, latestId, listOf } from './store.ts';

export interface Documents {
  /**
   * Keeps an image of a customer, sealed (AES-256-GCM) and bound to its row.
   * @throws KistError FILE_TYPE_UNSUPPORTED unless the bytes themselves are a PNG (signature) or PNG/JPEG (all others); TOO_LARGE; NOT_FOUND;
   * FEATURE_NOT_OFFERED when the plan has no such edit.
   */
  keep(tx: Tx, actor: Actor, customerId: string, type: DocumentType, bytes: Buffer): Promise<string>;
  /** What is kept of a customer, newest first, without the pictures. @throws KistError NOT_FOUND */
  list(tx: Tx, actor: Actor, customerId: string, type?: DocumentType): Promise<DocumentLine[]>;
  /** @throws KistError NOT_FOUND also for somebody else's document. */
  open(tx: Tx, actor: Actor, documentId: string): Promise<{ mime: string; bytes: Buffer }>;
  latest(tx: Tx, customerId: string, type: 'signature' | 'photo'): Promise<string | null>;
}

const aad = (tx: Tx, documentId: string) => `${tx.orgId}|documents|sealed|${documentId}`;

/** @throws KistError as `keep` does. */
function checked(type: DocumentType, bytes: Buffer): string {
  const mime = imageMime(bytes);
  const size = mime === 'image/png' ? pngSize(bytes) : undefined;
  if (!mime || (mime === 'image/png' && !size) || (type === 'signature' && mime !== 'image/png'))
    throw new KistError('FILE_TYPE_UNSUPPORTED', { fields: [{ path: 'file', key: 'field.file_type' }] });
  const isTooLarge = bytes.length > (type === 'signature' ? LIMITS.signaturePngBytes : LIMITS.uploadBytes);
  const isTooWide = size && Math.max(size.width, size.height) > LIMITS.imageEdgePx * 2;
  if (isTooLarge || isTooWide) throw new KistError('TOO_LARGE', { fields: [{ path: 'file', key: 'field.too_large' }] });
  return mime;
}

/** @param sealer authenticated encryption with keys kept outside the database. */
export function createDocuments(sealer: Sealer): Documents {
  return {
    async keep(tx, actor, customerId, type, bytes) {
      requires(actor, NEEDS.activate);
      const customer = await authorize(tx, actor, customerId, true);
      assertEditOffered(actor, customer, type === 'signature' ? 'EDIT_SIGNATURE' : 'EDIT_DOCUMENTS');
      const mime = checked(type, bytes);
      const documentId = newId();
      await insertDocument(tx, {
        document_id: documentId,
        customer_id: customerId,
        document_type: type,
        mime,
        bytes: bytes.length,
        sha256: createHash('sha256').update(bytes).digest(),
        sealed: sealer.seal(bytes, aad(tx, documentId)),
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
  };
}
