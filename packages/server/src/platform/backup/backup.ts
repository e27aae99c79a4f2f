import { createReadStream, createWriteStream } from 'node:fs';
import { open, rename, rm, stat } from 'node:fs/promises';
import path from 'node:path';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { createGunzip, createGzip } from 'node:zlib';
import type { Client } from 'pg';
import { type Blobs, assertKey } from '#server/platform/blobs.ts';
import type { ConnectionConfig } from '#server/platform/connection.ts';
import type { Mode } from '#server/platform/installation.ts';
import type { SecretMark } from '#server/platform/secret-marks.ts';
import { notedMarks } from '#server/platform/secret-marks.ts';
import { BackupError } from './backup-error.ts';
import { type Manifest, type Part, type PartsReader, framed, readParts } from './parts.ts';
import { opened, sealed } from './sealed-stream.ts';
import { asOwnerAlone, functionsOf, tableParts } from './tables.ts';

/** Where in the store of files the pictures of customers lie. */
export const FILES = 'documents';

/** What a backup is of. */
export interface About {
  made_at: string;
  mode: Mode;
  /** Every migration that its database had, with the sum of its text. */
  migrations: { version: number; checksum: string }[];
  /** What the secrets that are not in it are known by. */
  secret_marks: SecretMark[];
  organisations: number[];
  functions: string[];
}

/** What a person wants to know of it. */
export interface Contents {
  about: About;
  rows: number;
  files: number;
  bytes: number;
}

interface Source {
  /** Owner of the tables. */
  owner: ConnectionConfig;
  organisations: readonly number[];
  blobs: Blobs;
  mode: Mode;
}

/**
 * Writes everything that an installation keeps, but for its secrets, into one sealed file: the database as it was at one moment, then the pictures. The server
 * may run. Whole under its name or not at all.
 * @throws BackupError when a file of that name is there
 */
export async function writeBackup(source: Source, file: string, passphrase: string): Promise<Contents> {
  if (await isThere(file)) throw new BackupError(`${file} is there already. Nothing was written.`);
  const draft = `${file}.${process.pid}.part`;
  try {
    const contents = await asOwnerAlone(source.owner, async (client) => {
      await client.query('begin isolation level repeatable read read only');
      const about = await aboutOf(client, source);
      let manifest: Manifest = { parts: [] };
      const parts = async function* (): AsyncGenerator<Part> {
        yield* tableParts(client, source.organisations);
        yield* fileParts(source.blobs);
      };
      await pipeline(
        framed(about, parts(), (made) => void (manifest = made)),
        createGzip({ level: 1 }),
        (plain: AsyncIterable<Uint8Array>) => sealed(plain, passphrase),
        createWriteStream(draft, { flags: 'wx', mode: 0o600, flush: true }),
      );
      return contentsOf(about, manifest, (await stat(draft)).size);
    });
    await rename(draft, file);
    await keepName(path.dirname(path.resolve(file)));
    return contents;
  } catch (error) {
    await rm(draft, { force: true });
    throw error;
  }
}

/** @throws BackupError for whatever is not what was written; of a part nothing is believed before `readBackup` returns */
export async function readBackup(file: string, passphrase: string, reader: PartsReader): Promise<Manifest> {
  const plain = Readable.from(opened(createReadStream(file), passphrase));
  const unpacked = createGunzip();
  // Its errors reach whoever reads; pipeline alone would raise them a second time.
  const flow = pipeline(plain, unpacked);
  flow.catch(() => undefined);
  try {
    const manifest = await readParts(unpacked, reader);
    await flow;
    return manifest;
  } catch (error) {
    await closed(plain, unpacked);
    throw asBackupError(error);
  }
}

/** Reads a whole backup and holds it against its manifest; keeps nothing. @throws BackupError */
export async function checkBackup(file: string, passphrase: string): Promise<Contents> {
  let about: About | undefined;
  const manifest = await readBackup(file, passphrase, {
    about: async (value) => void (about = value as About),
    part: async (_head, data) => {
      for await (const _piece of data);
      return undefined;
    },
  });
  if (about === undefined) throw new BackupError('The backup does not say what it is of.');
  return contentsOf(about, manifest, (await stat(file)).size);
}

async function closed(...streams: Readable[]): Promise<void> {
  for (const stream of streams) stream.destroy();
}

/** What zlib says of bytes that it cannot unpack; what PostgreSQL says stays as it is. */
function asBackupError(error: unknown): unknown {
  const code = String((error as { code?: unknown }).code);
  return code.startsWith('Z_') ? new BackupError('The backup is not whole: it cannot be unpacked.') : error;
}

async function aboutOf(client: Client, source: Source): Promise<About> {
  const { rows } = await client.query<{ version: number; checksum: string; at: Date }>(
    'select version, checksum, now() as at from schema_migrations order by version',
  );
  return {
    made_at: (rows[0]?.at ?? new Date()).toISOString(),
    mode: source.mode,
    migrations: rows.map(({ version, checksum }) => ({ version, checksum })),
    secret_marks: await notedMarks(client),
    organisations: [...source.organisations],
    functions: await functionsOf(client),
  };
}

async function* fileParts(blobs: Blobs): AsyncGenerator<Part> {
  for await (const key of blobs.list(FILES)) {
    const data = await blobs.get(key);
    // Given up between the two: a draft that was thrown away, a picture whose time was over.
    if (data) yield { head: { kind: 'file', key }, data };
  }
}

/** Puts one picture where it lay. */
export async function putFile(blobs: Blobs, key: string, data: AsyncIterable<Buffer>): Promise<void> {
  assertKey(key);
  await blobs.put(key, Readable.from(data));
}

function contentsOf(about: About, { parts }: Manifest, bytes: number): Contents {
  return {
    about,
    rows: parts.reduce((sum, { rows = 0 }) => sum + rows, 0),
    files: parts.filter(({ rows }) => rows === undefined).length,
    bytes,
  };
}

async function isThere(file: string): Promise<boolean> {
  return (await stat(file).catch(() => undefined)) !== undefined;
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
