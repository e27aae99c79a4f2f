import type { Client } from 'pg';
import { readMigrations } from '#server/platform/migrate.ts';
import { asOwner, migrateOn } from '#server/platform/migrate.ts';
import type { Blobs } from '#server/platform/blobs.ts';
import type { ConnectionConfig } from '#server/platform/connection.ts';
import type { Mode } from '#server/platform/installation.ts';
import { type SecretMark, assertSameSecrets } from '#server/platform/secret-marks.ts';
import { type About, type Contents, putFile, readBackup } from './backup.ts';
import { BackupError } from './backup-error.ts';
import { asOwnerAlone, fillTable, functionsOf, whileTakingRows } from './tables.ts';

interface Here {
  mode: Mode;
  migrationsDirectory: string;
  /** The secrets that are here, by their check values. */
  marks: readonly SecretMark[];
}

/**
 * Whether this installation can take a backup: its mode, its migrations and the secrets beside it.
 * @returns what is missing before it can be served; nothing when all secrets are here
 * @throws BackupError, SecretsMismatchError
 */
export function assertFits({ about }: Pick<Contents, 'about'>, { mode, migrationsDirectory, marks }: Here): string[] {
  if (about.mode !== mode)
    throw new BackupError(
      `This is a backup of a ${about.mode} database and KIST_MODE is ${mode}. Nothing was touched.`,
    );
  const known = readMigrations(migrationsDirectory);
  for (const [index, { version, checksum }] of about.migrations.entries()) {
    const own = known[index];
    if (own === undefined)
      throw new BackupError(
        `The backup was made by a newer version of Kist (migration ${version}). Restore it with that version. Nothing was touched.`,
      );
    if (own.version !== version || own.checksum !== checksum)
      throw new BackupError(
        `The backup's migration ${version} is not this version's ${own.name}. Restore it with the version that made it. Nothing was touched.`,
      );
  }
  const here = new Set(marks.map(({ name }) => name));
  assertSameSecrets(
    about.secret_marks.filter(({ name }) => here.has(name)),
    marks,
  );
  return about.secret_marks.map(({ name }) => name).filter((name) => !here.has(name));
}

/** @throws BackupError where the database that a backup shall go into keeps something */
export function assertEmpty(owner: ConnectionConfig): Promise<void> {
  return asOwnerAlone(owner, async (client) => {
    const { rows } = await client.query(
      `select from pg_class where relnamespace = 'public'::regnamespace and relkind in ('r', 'v', 'p') limit 1`,
    );
    if (rows.length > 0)
      throw new BackupError('The database is not empty: a backup goes into a new one only. Nothing was touched.');
  });
}

/**
 * As PostgreSQL wrote it down: one function of ours and nothing else, for the owner may run programs. Asked as one statement, so that none hides behind it.
 * @throws BackupError
 */
async function makeFunction(client: Client, text: string): Promise<void> {
  if (!/^CREATE OR REPLACE FUNCTION public\.[a-z_0-9]+\(/.test(text))
    throw new BackupError('The backup holds a statement that makes no function. Nothing was put back.');
  const single = { text, queryMode: 'extended' };
  await client.query(single);
}

/** What a restore put in its place. */
export interface Restored {
  rows: number;
  files: number;
}

/**
 * Makes the tables as they were when the backup was made, and puts every row and every picture back. Rows commit when everything is there and is what the
 * manifest says, and not at all before.
 * @param owner of a database that keeps nothing
 */
export async function restoreInto(
  { owner, blobs, migrationsDirectory }: { owner: ConnectionConfig; blobs: Blobs; migrationsDirectory: string },
  { file, passphrase, about }: { file: string; passphrase: string; about: About },
): Promise<Restored> {
  await asOwner(owner, (client) => migrateOn(client, migrationsDirectory, about.migrations.at(-1)?.version));
  return asOwnerAlone(owner, async (client) => {
    const restored = { rows: 0, files: 0 };
    await whileTakingRows(client, async () => {
      const made = new Set(await functionsOf(client));
      for (const text of about.functions) if (!made.has(text)) await makeFunction(client, text);
      await readBackup(file, passphrase, {
        about: async () => undefined,
        part: async (head, data) => {
          if (head.kind === 'file') {
            await putFile(blobs, head.key, data);
            restored.files += 1;
            return undefined;
          }
          const rows = await fillTable(client, head, data);
          restored.rows += rows;
          return rows;
        },
      });
    });
    // The checks ask how large a table is; nobody counted these rows yet.
    await client.query('analyze');
    return restored;
  });
}
