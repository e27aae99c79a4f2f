import { randomBytes } from 'node:crypto';
import { createReadStream, createWriteStream } from 'node:fs';
import { mkdir, open, readdir, rename, rm } from 'node:fs/promises';
import path from 'node:path';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';

/**
 * Files that are too large for rows. What stands in them is sealed before it comes here. A key is letters, digits and dashes in parts, `documents/20/ab/…`;
 * whoever keeps files makes it up, nobody types one.
 */
export interface Blobs {
  /** What an operator is told of it: which setting names it, what it is, where. */
  readonly place: { setting: string; kind: 'folder' | 'bucket'; at: string };
  /** Whole or not at all; on a key that is there already it replaces. Kept when it resolves. */
  put(key: string, bytes: Uint8Array | Readable): Promise<void>;
  /** @returns undefined where there is none */
  get(key: string): Promise<Readable | undefined>;
  /** Also where there is none. */
  delete(key: string): Promise<void>;
  /** Every key that begins with these parts, in no order. */
  list(prefix: string): AsyncIterable<string>;
}

const KEY = /^[a-z0-9-]{1,64}(?:\/[a-z0-9-]{1,64}){0,7}$/;
/** Being written; a name that no key has. */
const UNFINISHED = '.part';

export const isKey = (key: string): boolean => KEY.test(key);

/** @throws Error for what is no key: nothing else ever becomes a path */
export function assertKey(key: string): void {
  if (!isKey(key)) throw new Error('not a key of a blob');
}

/** A stream had more bytes than it might. */
export class TooManyBytesError extends Error {
  override readonly name = 'TooManyBytesError';
}

/** @throws TooManyBytesError where there are more than `most` */
export async function bytesOf(stream: Readable, most = Infinity): Promise<Buffer> {
  const parts: Uint8Array[] = [];
  let length = 0;
  for await (const part of stream) {
    parts.push(part as Uint8Array);
    if ((length += (part as Uint8Array).length) > most) throw new TooManyBytesError(`more than ${most} bytes`);
  }
  return Buffer.concat(parts);
}

/** @param folder made when the first file comes, closed to other accounts. Processes that serve the same data share it. */
export function createDiskBlobs(folder: string): Blobs {
  const fileOf = (key: string): string => {
    assertKey(key);
    return path.join(folder, ...key.split('/'));
  };
  return {
    place: { setting: 'KIST_BLOBS_DIR', kind: 'folder', at: folder },
    async put(key, bytes) {
      const file = fileOf(key);
      const own = `${file}.${randomBytes(6).toString('hex')}${UNFINISHED}`;
      await mkdir(path.dirname(file), { recursive: true, mode: 0o700 });
      try {
        const source = bytes instanceof Readable ? bytes : Readable.from([bytes]);
        await pipeline(source, createWriteStream(own, { flags: 'wx', mode: 0o600, flush: true }));
        await rename(own, file);
      } catch (error) {
        await rm(own, { force: true });
        throw error;
      }
      await keepName(path.dirname(file));
    },
    async get(key) {
      try {
        const handle = await open(fileOf(key), 'r');
        return createReadStream('', { fd: handle });
      } catch (error) {
        return ifThere(error, undefined);
      }
    },
    delete: (key) => rm(fileOf(key), { force: true }),
    async *list(prefix) {
      assertKey(prefix);
      for (const name of await filesBelow(path.join(folder, ...prefix.split('/'))))
        if (!name.endsWith(UNFINISHED)) yield `${prefix}/${name.split(path.sep).join('/')}`;
    },
  };
}

async function filesBelow(folder: string): Promise<string[]> {
  try {
    const found = await readdir(folder, { recursive: true, withFileTypes: true });
    return found.filter((one) => one.isFile()).map((one) => path.relative(folder, path.join(one.parentPath, one.name)));
  } catch (error) {
    return ifThere(error, []);
  }
}

/** A name that was just given survives a power cut with its folder. */
async function keepName(folder: string): Promise<void> {
  const handle = await open(folder, 'r');
  try {
    await handle.sync();
  } finally {
    await handle.close();
  }
}

function ifThere<T>(error: unknown, otherwise: T): T {
  if ((error as NodeJS.ErrnoException).code === 'ENOENT') return otherwise;
  throw error;
}
