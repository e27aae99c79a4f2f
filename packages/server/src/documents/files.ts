import { createHash } from 'node:crypto';
import { KistError } from '@kist/contract/errors';
import { LIMITS } from '@kist/contract/limits';
import { TooManyBytesError, bytesOf } from '#server/platform/blobs.ts';
import { SEAL_HEAD_BYTES, SealBrokenError } from '#server/platform/crypto.ts';
import type { Database, Tx } from '#server/platform/database.ts';
import { isNotAsPut } from '#server/platform/s3-blobs.ts';
import * as store from './store.ts';

/** Where a picture stands: moved to another row it does not open. */
export const placeOf = (orgId: number | undefined, documentId: string) => `${orgId}|documents|sealed|${documentId}`;

/** The last letters of an id are drawn, so that no folder gets all of them. */
export const fileKeyOf = (orgId: number | undefined, documentId: string): string =>
  `documents/${orgId}/${documentId.slice(-2)}/${documentId}`;

/** What was written beside the database, for the row that will name it. */
export interface Stowed {
  document_id: string;
  key_sealed: Buffer;
  bytes: number;
  sha256: Buffer;
}

/** No picture that was let in comes near it, however much it is sealed: a file of more was put there by somebody else, and is not read to its end. */
const MOST_BYTES = 2 * LIMITS.uploadBytes;
/** A row has long been written by then, or its server is gone. */
const FORGOTTEN_AFTER_S = 3600;
/** A later night goes on. */
const SLICE = 200;

/** Seals bytes and writes them. Until `fasten` they belong to nobody, and go by themselves when nothing comes of them. */
export async function stow(db: Database, orgId: number, documentId: string, bytes: Buffer): Promise<Stowed> {
  const { sealer, blobs } = db.ports.documents;
  const sealed = sealer.seal(bytes, placeOf(orgId, documentId));
  const key = fileKeyOf(orgId, documentId);
  await db.transaction(orgId, (tx) => store.loosen.run(tx, { file_keys: [key], within_s: FORGOTTEN_AFTER_S }));
  await blobs.put(key, sealed.subarray(SEAL_HEAD_BYTES));
  return {
    document_id: documentId,
    key_sealed: sealed.subarray(0, SEAL_HEAD_BYTES),
    bytes: bytes.length,
    sha256: createHash('sha256').update(bytes).digest(),
  };
}

/** The row that names the file commits with this. @throws KistError UNAVAILABLE when it took so long that the file was given up */
export async function fasten(tx: Tx, { document_id }: Stowed): Promise<void> {
  const found = await store.fasten.run(tx, { file_key: fileKeyOf(tx.orgId, document_id) });
  if (found === 0) throw new KistError('UNAVAILABLE', { internal: 'the file was given up before its row was written' });
}

/** Nothing came of it, as far as is known: where the row was written and only its answer was lost, its file stays. What fails here is done by the night. */
export async function giveUp(db: Database, orgId: number, { document_id }: Stowed): Promise<void> {
  try {
    await dropOne(db, orgId, fileKeyOf(orgId, document_id));
  } catch {
    // The note of it is still there.
  }
}

/** Their rows go with this; the files follow. */
export async function loosen(tx: Tx, documentIds: readonly string[]): Promise<void> {
  if (documentIds.length === 0) return;
  await store.loosen.run(tx, { file_keys: documentIds.map((id) => fileKeyOf(tx.orgId, id)), within_s: 0 });
}

/** What a row keeps of what opens its picture. */
export interface Opener {
  document_id: string;
  sealed: Buffer | null;
  key_sealed: Buffer | null;
}
/** Where pictures lie, and what opens them. */
export type Keeping = Pick<Tx['ports']['documents'], 'sealer' | 'blobs'>;

/** @returns undefined when its file is not there. @throws SealBrokenError */
export async function openIn(
  { sealer, blobs }: Keeping,
  orgId: number | undefined,
  { document_id, sealed, key_sealed }: Opener,
): Promise<Buffer | undefined> {
  const place = placeOf(orgId, document_id);
  if (sealed) return sealer.open(sealed, place);
  const file = await blobs.get(fileKeyOf(orgId, document_id));
  return file && key_sealed
    ? sealer.open(Buffer.concat([key_sealed, await bytesOf(file, MOST_BYTES)]), place)
    : undefined;
}

/** Whether it says that a picture is not what was put there. */
export const isDamaged = (error: unknown): boolean =>
  error instanceof SealBrokenError || error instanceof TooManyBytesError || isNotAsPut(error);

/** What a seal that does not open is for whoever asked for the picture. */
export const asDamaged = (error: unknown): unknown =>
  isDamaged(error)
    ? new KistError('DOCUMENT_DAMAGED', { internal: 'it is not what was put there', cause: error })
    : error;

/** @throws KistError DOCUMENT_DAMAGED; UNAVAILABLE when its file is not there: another folder, or another store, than it was written to */
export async function openFile(keeping: Keeping, orgId: number, row: Opener): Promise<Buffer> {
  const bytes = await openIn(keeping, orgId, row).catch((error: unknown) => {
    throw asDamaged(error);
  });
  if (!bytes) throw new KistError('UNAVAILABLE', { internal: `the file of document ${row.document_id} is missing` });
  return bytes;
}

/**
 * Deletes the files that no row names any more; two at once do no harm.
 * @returns how many
 * @throws AggregateError once all were tried, of those that could not be deleted; their notes stay
 */
export async function dropLoose(db: Database, orgId: number, slice = SLICE): Promise<number> {
  const failed: unknown[] = [];
  let count = 0;
  for (let after: string | undefined = ''; after !== undefined;) {
    const from: string = after;
    const due = await db.read(orgId, (tx) => store.dueFiles.all(tx, { after: from, slice }));
    for (const { file_key } of due)
      try {
        count += await dropOne(db, orgId, file_key);
      } catch (error) {
        failed.push(error);
      }
    after = due.length < slice ? undefined : due.at(-1)?.file_key;
  }
  if (failed.length > 0) throw new AggregateError(failed, `${failed.length} files could not be deleted`);
  return count;
}

/** The note is taken out first: whoever writes the row of this file waits, and then knows that it is gone. @returns 1 when it was deleted */
const dropOne = (db: Database, orgId: number, file_key: string): Promise<number> =>
  db.transaction(orgId, async (tx) => {
    const taken = await store.dropFile.run(tx, { file_key });
    if (taken > 0) await tx.ports.documents.blobs.delete(file_key);
    return taken;
  });
