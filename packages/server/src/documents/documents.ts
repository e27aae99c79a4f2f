import { createHash } from 'node:crypto';
import { NEEDS } from '@kist/contract/access';
import type { DocumentType } from '@kist/contract/codes';
import { KistError } from '@kist/contract/errors';
import { LIMITS } from '@kist/contract/limits';
import * as audit from '#server/audit/audit.ts';
import * as customers from '#server/customers/customers.ts';
import type { Actor } from '#server/identity/identity.ts';
import * as identity from '#server/identity/identity.ts';
import type { Sealer } from '#server/platform/crypto.ts';
import type { Database, Tx } from '#server/platform/database.ts';
import { newId } from '#server/platform/ids.ts';
import type { Images } from './images.ts';
import { imageMime, type ImageMime } from './rules.ts';
import * as store from './store.ts';

declare module '#server/platform/ports.ts' {
  interface Ports {
    documents: {
      /** Authenticated encryption with keys kept outside the database. */
      sealer: Sealer;
      /** Makes pictures anew, outside this thread. */
      images: Images;
    };
  }
}

interface OfCustomer {
  customer_id: string;
}
interface NewDocument extends OfCustomer {
  document_type: DocumentType;
  /** Of the file, as it came. */
  bytes: Buffer;
}

/** Where a picture stands: moved to another row it does not open. */
const place = (tx: Tx, documentId: string) => `${tx.orgId}|documents|sealed|${documentId}`;
/** A signature's lines stay exact, a photo gets small. */
const mimeOf = (type: DocumentType): ImageMime => (type === 'signature' ? 'image/png' : 'image/jpeg');
const mostBytesOf = (type: DocumentType): number =>
  type === 'signature' ? LIMITS.signaturePngBytes : LIMITS.uploadBytes;

const noSignature = () =>
  new KistError('FILE_TYPE_UNSUPPORTED', { fields: [{ path: 'file', key: 'field.signature_png' }] });
const tooLarge = () => new KistError('TOO_LARGE', { fields: [{ path: 'file', key: 'field.too_large' }] });

/**
 * Keeps an image of a customer: made anew from its pixels, sealed (AES-256-GCM) and bound to its row. The work on the pixels is done
 * between two transactions, so that it holds no connection.
 * @returns the document's id
 * @throws KistError NOT_FOUND; FILE_TYPE_UNSUPPORTED unless the bytes are a PNG or (but for a signature) JPEG; FILE_UNREADABLE unless they are a whole one; TOO_LARGE; UNAVAILABLE;
 * FEATURE_NOT_OFFERED when the plan has no such edit.
 */
export async function keep(db: Database, actor: Actor, given: NewDocument): Promise<string> {
  identity.requires(actor, NEEDS.activate);
  const { customer_id, document_type } = given;
  const edit = document_type === 'signature' ? 'EDIT_SIGNATURE' : 'EDIT_DOCUMENTS';
  await db.read(actor.orgId, async (tx) =>
    customers.assertEditOffered(actor, await customers.authorize(tx, actor, { customer_id }), edit),
  );
  const bytes = await remade(db.ports.documents.images, actor, given);
  return db.transaction(actor.orgId, async (tx) => {
    const customer = await customers.authorizeToChange(tx, actor, { customer_id });
    customers.assertEditOffered(actor, customer, edit);
    const document_id = await insert(tx, actor, { customer_id, document_type, bytes });
    if (document_type === 'photo')
      await customers.change(tx, actor, { customer, fields: { photo_document_id: document_id } });
    await audit.append(tx, {
      kind: 'customer',
      id: customer_id,
      actor,
      action: 'document_kept',
      data: { document_id, type: document_type },
    });
    return document_id;
  });
}

async function remade(images: Images, actor: Actor, { document_type: type, bytes }: NewDocument): Promise<Buffer> {
  if (type === 'signature' && imageMime(bytes) !== 'image/png') throw noSignature();
  if (bytes.length > mostBytesOf(type)) throw tooLarge();
  const fresh = await images.remake(actor.userId, bytes, mimeOf(type));
  if (fresh.length > mostBytesOf(type)) throw tooLarge();
  return fresh;
}

async function insert(tx: Tx, actor: Actor, { customer_id, document_type, bytes }: NewDocument): Promise<string> {
  const document_id = newId();
  await store.insertDocument.run(tx, {
    document_id,
    customer_id,
    document_type,
    mime: mimeOf(document_type),
    bytes: bytes.length,
    sha256: createHash('sha256').update(bytes).digest(),
    sealed: tx.ports.documents.sealer.seal(bytes, place(tx, document_id)),
    created_by: actor.userId,
  });
  return document_id;
}

/** What is kept of a customer, newest first, without the pictures. @throws KistError NOT_FOUND */
export async function list(
  tx: Tx,
  actor: Actor,
  { customer_id, document_type = null }: OfCustomer & { document_type?: DocumentType | null },
) {
  identity.requires(actor, NEEDS.read);
  await customers.authorize(tx, actor, { customer_id });
  return store.linesOf.all(tx, { customer_id, document_type });
}

/** @throws KistError NOT_FOUND also for somebody else's document. */
export async function open(
  tx: Tx,
  actor: Actor,
  { document_id }: { document_id: string },
): Promise<{ mime: ImageMime; bytes: Buffer }> {
  identity.requires(actor, NEEDS.read);
  const row = await store.findDocument.first(tx, { document_id });
  if (!row) throw new KistError('NOT_FOUND');
  const { customer_id, mime, sealed } = row;
  await customers.authorize(tx, actor, { customer_id });
  return { mime, bytes: tx.ports.documents.sealer.open(sealed, place(tx, document_id)) };
}

/** The newest document of a type, by its id; null where there is none. */
export async function latest(
  tx: Tx,
  { since = null, ...of }: OfCustomer & { document_type: DocumentType; since?: Date | null },
): Promise<string | null> {
  return (await store.latest.first(tx, { ...of, since }))?.document_id ?? null;
}

/** Deletes the documents of a customer who is still a draft; the database lets go of no others. */
export async function discardOfDraft(tx: Tx, actor: Actor, { customer_id }: OfCustomer): Promise<void> {
  const deleted = await store.deleteDocuments.all(tx, { customer_id });
  if (deleted.length === 0) return;
  await audit.append(tx, {
    kind: 'customer',
    id: customer_id,
    actor,
    action: 'documents_deleted',
    data: { document_ids: deleted.map(({ document_id }) => document_id) },
  });
}

export { createImages } from './images.ts';
export { keepPicture, openPicture, pictureKinds } from './user-pictures.ts';
