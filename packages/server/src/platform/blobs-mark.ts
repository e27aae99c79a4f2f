import { randomBytes } from 'node:crypto';
import { setTimeout as wait } from 'node:timers/promises';
import type { Client, Pool } from 'pg';
import { type Blobs, bytesOf } from './blobs.ts';
import { OperatorError } from './operator-error.ts';
import { isBucketAway } from './s3-blobs.ts';

/** Lies among the pictures, so that whoever copies them or puts them back brings it along. */
export const MARK_KEY = 'documents/mark';
const MARK = /^[0-9a-f]{32}$/;
/** The disk is tried this often by who is asked every few seconds whether it is ready. */
const TRIED_FOR_MS = 60_000;
/** Whoever asks whether a process is ready waits two seconds. */
const BUCKET_MS = 1000;

/** The folder is not the one that this database's pictures lie in, or nothing can be written there. Nothing was touched. */
export class FolderMismatchError extends OperatorError {
  override readonly name = 'FolderMismatchError';
}

/** The bucket does not answer now: it may still be the right one. */
export class PicturesAwayError extends OperatorError {
  override readonly name = 'PicturesAwayError';
}

/** What a database says of its folder: nothing until a start with the owner's account noted it, nor where that has no place yet. @param client any account that serves */
export async function notedFolder(client: Pick<Client | Pool, 'query'>): Promise<string | null> {
  const { rows } = await (client as Pool).query<{ mark: string | null }>(
    `select to_jsonb(i) ->> 'folder_mark' as mark from installation i`,
  );
  return rows[0]?.mark ?? null;
}

/** Notes the folder at the first start, as the owner: by the mark that it has, else by a new one. What is noted stays. @throws FolderMismatchError */
export async function noteFolder(owner: Pick<Client, 'query'>, blobs: Blobs): Promise<void> {
  if ((await notedFolder(owner)) !== null) return;
  const mark = (await within(blobs, () => markIn(blobs))) ?? randomBytes(16).toString('hex');
  await within(blobs, () => blobs.put(MARK_KEY, Buffer.from(mark)));
  await owner.query('update installation set folder_mark = $1', [mark]);
}

/**
 * The folder is the one that was noted, and something can be written there.
 * @returns false where none was noted yet: then nothing is tried
 * @throws FolderMismatchError
 */
export async function assertFolder(client: Pick<Pool, 'query'>, blobs: Blobs): Promise<boolean> {
  const isNoted = await assertSameFolder(client, blobs);
  if (isNoted) await within(blobs, () => tryOut(blobs));
  return isNoted;
}

/**
 * Before anything is read from the folder or thrown away there: it is the one that was noted. Nothing is written for trial. While none was noted no server has
 * kept a picture, and a folder with a mark is another database's.
 * @throws FolderMismatchError, PicturesAwayError
 */
export async function assertOwnFolder(client: Pick<Client | Pool, 'query'>, blobs: Blobs): Promise<void> {
  if (await assertSameFolder(client, blobs)) return;
  if ((await within(blobs, () => markIn(blobs))) === undefined) return;
  const { setting, kind } = blobs.place;
  throw new FolderMismatchError(
    `${setting} is a ${kind} in which a database keeps its pictures, and this database does not know of it. Nothing was touched. Name the ${kind} of this one; if it is that, start the server once.`,
  );
}

/**
 * The same for who is asked all the time: what is written for trial is written once a minute. A bucket that does not answer makes nobody unready: no process
 * would have its pictures then, and what needs none goes on.
 * @returns a check that gives 'away' for such a bucket, and throws FolderMismatchError
 */
export function createFolderCheck(client: Pick<Pool, 'query'>, blobs: Blobs): () => Promise<'away' | undefined> {
  let triedAt = Number.NEGATIVE_INFINITY;
  let underWay: Promise<'away' | undefined> | undefined;
  const look = async (): Promise<undefined> => {
    const isNoted = await assertSameFolder(client, blobs);
    const nowMs = performance.now();
    if (!isNoted || nowMs - triedAt < TRIED_FOR_MS) return;
    await within(blobs, () => tryOut(blobs));
    triedAt = nowMs;
  };
  const begin = () =>
    look()
      .catch((error: unknown) => {
        if (error instanceof PicturesAwayError) return 'away' as const;
        throw error;
      })
      .finally(() => (underWay = undefined));
  return async () => {
    if (blobs.place.kind === 'folder') return look();
    underWay ??= begin();
    return Promise.race([underWay, wait(BUCKET_MS, 'away' as const, { ref: false })]);
  };
}

async function assertSameFolder(client: Pick<Client | Pool, 'query'>, blobs: Blobs): Promise<boolean> {
  const noted = await notedFolder(client);
  if (noted === null) return false;
  const found = await within(blobs, () => markIn(blobs));
  if (found === noted) return true;
  const { setting, kind } = blobs.place;
  throw new FolderMismatchError(
    `${setting} is ${found === undefined ? `a ${kind} without the mark` : `the ${kind} of another database, not the one`} of this database's pictures: none of them would open, and new ones would lie where nobody looks. Nothing was touched. Name the ${kind} in which they lie, or put it back there whole, with ${MARK_KEY}.`,
  );
}

async function markIn(blobs: Blobs): Promise<string | undefined> {
  const file = await blobs.get(MARK_KEY);
  const text = file && (await bytesOf(file)).toString('latin1').trim();
  return text !== undefined && MARK.test(text) ? text : undefined;
}

async function tryOut(blobs: Blobs): Promise<void> {
  const key = `trial/${randomBytes(8).toString('hex')}`;
  await blobs.put(key, Buffer.from('x'));
  await blobs.delete(key);
}

/** @throws FolderMismatchError, PicturesAwayError in the place of what a disk or a bucket says */
async function within<T>({ place }: Blobs, work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    if (code === undefined) throw error;
    const what = `The ${place.kind} of the pictures (${place.setting})`;
    if (isBucketAway(error))
      throw new PicturesAwayError(`${what} does not answer (${code}). Check its address, and whether it is up.`, {
        cause: error,
      });
    const check =
      place.kind === 'folder'
        ? 'that it is a folder, its account and the room on its disk'
        : 'its address, its account and what that may do, and the clock of this machine';
    throw new FolderMismatchError(`${what} cannot be read and written (${code}). Check ${check}.`, { cause: error });
  }
}
