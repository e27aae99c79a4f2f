import { NEEDS } from '@kist/contract/access';
import { type DocumentType, isSignature } from '@kist/contract/codes';
import { KistError } from '@kist/contract/errors';
import { LIMITS } from '@kist/contract/limits';
import { tooLarge } from '@kist/contract/too-large';
import * as agreements from '#server/agreements/agreements.ts';
import * as audit from '#server/audit/audit.ts';
import * as customers from '#server/customers/customers.ts';
import type { Actor } from '#server/identity/identity.ts';
import * as identity from '#server/identity/identity.ts';
import * as organisations from '#server/organisations/organisations.ts';
import type { Blobs } from '#server/platform/blobs.ts';
import type { Sealer } from '#server/platform/crypto.ts';
import type { Database, Tx } from '#server/platform/database.ts';
import { newId } from '#server/platform/ids.ts';
import { type Stowed, fasten, giveUp, loosen, stow } from './files.ts';
import type { Images } from './images.ts';
import { linkTo } from './links.ts';
import { exceeded, quotaFull, imageMime, type ImageMime, imageNameOf, mimeOf } from './rules.ts';
import * as store from './store.ts';

declare module '#server/platform/ports.ts' {
  interface Ports {
    documents: {
      /** Authenticated encryption with keys kept outside the database. */
      sealer: Sealer;
      /** Makes pictures anew, outside this thread. */
      images: Images;
      /** Where the pictures lie, sealed. */
      blobs: Blobs;
      /** What signs the links that open them. */
      linkKey: Uint8Array;
    };
  }
}

interface OfCustomer {
  customer_id: string;
}
interface NewDocument extends OfCustomer {
  document_type: DocumentType;
  /** What the shop calls it; a new one of the same type and name takes its place. */
  image_name?: string | undefined;
  /** Of the file, as it came. */
  bytes: Buffer;
}

/**
 * Keeps an image of a customer: made anew from its pixels, sealed (AES-256-GCM) and bound to its row. The work on the pixels and on the file is done
 * between transactions, so that it holds no connection; of one that is refused nothing stays.
 * @returns the document's id
 * @throws KistError NOT_FOUND; FILE_TYPE_UNSUPPORTED unless the bytes are a PNG or JPEG; FILE_UNREADABLE unless they are a whole one; TOO_LARGE; TOO_MANY_PIXELS; UNAVAILABLE;
 * STATE_CONFLICT of a customer who was erased; DOCUMENT_QUOTA; FEATURE_NOT_OFFERED when the plan has no such edit; WITNESS_NOT_ASKED where the organisation asks for none.
 */
export async function keep(db: Database, actor: Actor, given: NewDocument): Promise<string> {
  identity.requires(actor, NEEDS.activate);
  const owner = await db.read(actor.orgId, async (tx) => {
    const customer = await customers.authorize(tx, actor, given);
    await assertTaken(tx, actor, { customer, document_type: given.document_type, bytes: 0 });
    return identity.headOf(tx, actor);
  });
  const { bytes, mime } = await remade(db.ports.documents.images, owner, given);
  const stowed = await stow(db, actor.orgId, newId(), bytes);
  try {
    await db.transaction(actor.orgId, async (tx) => {
      // The pixels took seconds: words may have been taken away meanwhile, and shops suspended.
      const still = await identity.asOfNow(tx, actor);
      identity.requires(still, NEEDS.activate);
      await enter(tx, still, { ...given, mime }, stowed);
    });
    return stowed.document_id;
  } catch (error) {
    await giveUp(db, actor.orgId, stowed);
    throw error;
  }
}

/** Writes the row of a file, which puts those that it takes the place of aside. */
async function enter(
  tx: Tx,
  actor: Actor,
  given: Omit<NewDocument, 'bytes'> & { mime: ImageMime },
  stowed: Stowed,
): Promise<void> {
  const { customer_id, document_type, mime } = given;
  const customer = await customers.authorizeToChange(tx, actor, { customer_id });
  await store.queueUp.run(tx, {});
  await assertTaken(tx, actor, { customer, document_type, bytes: stowed.bytes });
  await fasten(tx, stowed);
  const { document_id } = stowed;
  // Of papers without a type and a name there may be many.
  const own = document_type === 'other' ? imageNameOf({ document_id, document_type, image_name: null, mime }) : null;
  const named = { customer_id, document_type, image_name: given.image_name ?? own };
  // Somebody signs for what the form says at this moment.
  const deal_hash = document_type === 'signature' && customer.is_draft ? customers.dealOf(customer.draft) : null;
  await store.insertDocument.run(tx, { ...stowed, ...named, mime, deal_hash, created_by: actor.userId });
  const replaced = await store.replace.all(tx, { ...named, by: document_id });
  if (document_type === 'photo')
    await customers.change(tx, actor, { customer, fields: { photo_document_id: document_id } });
  await audit.append(tx, {
    kind: 'customer',
    id: customer_id,
    actor,
    action: 'document_kept',
    data: {
      document_id,
      type: document_type,
      sha256: stowed.sha256.toString('hex'),
      replaced: replaced.map((row) => row.document_id),
    },
  });
}

/** @throws KistError STATE_CONFLICT of a customer who was erased; FEATURE_NOT_OFFERED, WITNESS_NOT_ASKED, DOCUMENT_QUOTA */
async function assertTaken(
  tx: Tx,
  actor: Actor,
  given: { customer: customers.AuthorizedCustomer; document_type: DocumentType; bytes: number },
): Promise<void> {
  const { customer, document_type } = given;
  await customers.assertNotErased(tx, customer);
  customers.assertEditOffered(actor, customer, isSignature(document_type) ? 'EDIT_SIGNATURE' : 'EDIT_DOCUMENTS');
  if (document_type === 'witness_signature' && !(await organisations.asksForWitness(tx)))
    throw new KistError('WITNESS_NOT_ASKED');
  const scope = exceeded(
    {
      customer: await store.keptOfCustomer.one(tx, customer),
      shop: await store.keptOfShop.one(tx, customer),
      organisation: await store.keptOfOrganisation.one(tx, {}),
    },
    given,
  );
  if (scope) throw quotaFull(scope, document_type);
}

async function remade(
  images: Images,
  owner: string,
  { document_type: type, bytes: given }: NewDocument,
): Promise<{ bytes: Buffer; mime: ImageMime }> {
  if (given.length > LIMITS.uploadBytes) throw tooLarge(LIMITS.uploadBytes, 'file');
  const mime = mimeOf(type, imageMime(given));
  const bytes = await images.remake(owner, given, mime);
  if (bytes.length > LIMITS.uploadBytes) throw tooLarge(LIMITS.uploadBytes, 'file');
  return { bytes, mime };
}

/** What is in use of a customer, newest first, each with a link that opens its picture. @throws KistError NOT_FOUND */
export async function list(
  tx: Tx,
  actor: Actor,
  asked: OfCustomer & { document_type?: DocumentType | undefined; image_name?: string | undefined },
) {
  identity.requires(actor, NEEDS.read);
  const { customer_id, document_type = null, image_name: only } = asked;
  await customers.authorize(tx, actor, { customer_id });
  const rows = (await store.linesOf.all(tx, { customer_id, document_type }))
    .map((row) => ({ ...row, image_name: imageNameOf(row) }))
    .filter(({ image_name }) => only === undefined || image_name === only);
  return Promise.all(rows.map(async (row) => ({ ...row, ...(await linkTo(tx, actor, row.document_id)) })));
}

/** All that lies there of a customer, what another took the place of among it. Whose it is the caller has asked. */
export const kept = async (tx: Tx, { customer_id }: OfCustomer) =>
  (await store.documentsKept.all(tx, { customer_id })).map((row) => ({ ...row, image_name: imageNameOf(row) }));

/** @returns a link that opens the picture. @throws KistError NOT_FOUND also for somebody else's document. */
export async function link(tx: Tx, actor: Actor, { document_id }: { document_id: string }) {
  identity.requires(actor, NEEDS.read);
  const row = await store.findDocument.first(tx, { document_id });
  if (!row) throw new KistError('NOT_FOUND');
  await customers.authorize(tx, actor, row);
  return { mime: row.mime, ...(await linkTo(tx, actor, document_id)) };
}

/** The newest document of a type, by its id; null where there is none. */
export async function latest(tx: Tx, of: OfCustomer & { document_type: DocumentType }): Promise<string | null> {
  return (await store.latest.first(tx, of))?.document_id ?? null;
}

/** The newest signature under this very sale to come (`customers.dealOf`); null: there is none, or it was given for another. */
export async function signatureFor(tx: Tx, of: OfCustomer & { deal_hash: Buffer }): Promise<string | null> {
  return (await store.signatureFor.first(tx, of))?.document_id ?? null;
}

/**
 * The newest signature under an agreement as it stands: given since it runs, or with which its sale was signed; since another phone came in its place, only one
 * that was given for that. Null: there is none.
 */
export async function signatureUnder(tx: Tx, agreement: agreements.Agreement): Promise<string | null> {
  const { agreement_id, customer_id, created_at, exchanged_at } = agreement;
  const given = await store.signatureSince.first(tx, { customer_id, since: exchanged_at ?? created_at });
  if (given) return given.document_id;
  return exchanged_at ? null : agreements.signedWith(tx, { agreement_id });
}

/** Deletes the documents of a customer who is still a draft; the database lets go of no others. */
export async function discardOfDraft(tx: Tx, actor: Actor, { customer_id }: OfCustomer): Promise<void> {
  const ids = (await store.deleteDocuments.all(tx, { customer_id })).map(({ document_id }) => document_id);
  if (ids.length === 0) return;
  await loosen(tx, ids);
  await audit.append(tx, {
    kind: 'customer',
    id: customer_id,
    actor,
    action: 'documents_deleted',
    data: { document_ids: ids },
  });
}

/** Of these customers those of whom a picture came in within so many days. */
export const picturedLately = async (
  tx: Tx,
  asked: { customer_ids: readonly string[]; days: number },
): Promise<ReadonlySet<string>> =>
  new Set((await store.picturedLately.all(tx, asked)).map(({ customer_id }) => customer_id));

/**
 * Pictures of a customer who is erased: nobody opens them from here on, their files follow, and what they were called goes. What a consent refers to stays until
 * its time, without a name.
 */
export async function letGoOfErased(tx: Tx, actor: Actor, { customer_id }: OfCustomer): Promise<void> {
  await store.forgetNames.run(tx, { customer_id });
  const ids = (await store.letGoOfErased.all(tx, { customer_ids: [customer_id], evidence: false })).map(
    ({ document_id }) => document_id,
  );
  if (ids.length === 0) return;
  await loosen(tx, ids);
  const data = { document_ids: ids };
  await audit.append(tx, { kind: 'customer', id: customer_id, actor, action: 'documents_deleted', data });
}

/** What proved the consents of customers who are erased, once its time is over. */
export async function letGoOfEvidence(tx: Tx, customer_ids: readonly string[]): Promise<void> {
  const rows = await store.letGoOfErased.all(tx, { customer_ids, evidence: true });
  await loosen(
    tx,
    rows.map(({ document_id }) => document_id),
  );
}

export { lookAtFiles } from './examine.ts';
export { dropLoose } from './files.ts';
export { createImages } from './images.ts';
export { FILE_PATH, openLink, readFileLink } from './links.ts';
export { checkTotals, letGoReplacedSlice, missingFiles, renewKeys } from './upkeep.ts';
export { keepPicture, openPicture, pictureKinds } from './user-pictures.ts';
