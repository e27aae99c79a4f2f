import { existsSync, readdirSync, rmSync } from 'node:fs';
import path from 'node:path';
import { parseArgs } from 'node:util';
import * as agreements from '#server/agreements/agreements.ts';
import * as audit from '#server/audit/audit.ts';
import { type DataSettings, loadDataSettings, presentSecrets } from '#server/config.ts';
import * as documents from '#server/documents/documents.ts';
import * as ledger from '#server/ledger/ledger.ts';
import { type Contents, checkBackup } from '#server/platform/backup/backup.ts';
import { BackupError } from '#server/platform/backup/backup-error.ts';
import { type Restored, assertEmpty, assertFits, restoreInto } from '#server/platform/backup/restore.ts';
import type { Blobs } from '#server/platform/blobs.ts';
import { OperatorMissingError } from '#server/platform/boot.ts';
import type { ConnectionConfig } from '#server/platform/connection.ts';
import type { Database } from '#server/platform/database.ts';
import { startEmbedded } from '#server/platform/embedded/start.ts';
import { anyBlob, createBlobs, emptyBlobs } from '#server/platform/kept-files.ts';
import { createLog } from '#server/platform/log.ts';
import { marksOf } from '#server/platform/secret-marks.ts';
import { makeDataDir } from '#server/platform/secrets.ts';
import {
  UnfinishedRestoreError,
  isRestoreUnfinished,
  noteRestore,
  restoreEnded,
} from '#server/platform/unfinished-restore.ts';
import { NOT_IN_IT, contentsTold } from './backup.ts';
import { backupKey } from './backup-key.ts';
import { type Command, UsageError, write } from './command.ts';
import { withData } from './data.ts';
import { assertNamed } from './named-file.ts';

/** The beginning of all keys of pictures. */
const PICTURES = 'documents';

const OPTIONS = {
  'key-file': { type: 'string' },
  json: { type: 'boolean', default: false },
} as const;

const HELP = `kist restore FILE [--key-file KEY] [--json]
  Puts a backup into an empty data folder (KIST_DATA_DIR), or into an empty database (DATABASE_URL, KIST_OWNER_URL) and an empty folder or bucket. Only the secrets
  may lie there already: ${NOT_IN_IT.join(', ')}. The whole file is read and checked before anything is written; afterwards the
  books are reckoned again and every history is held against its roots.

  --key-file    as for "kist backup"
  --json        for programs

  0: everything is there and in order; 1: refused, or something is not in order; 2: typed wrongly.

  KIST_DATA_DIR=/srv/kist-restored kist restore /mnt/backup/kist-2026-11-25.kist --key-file /root/backup-key`;

/** What this restore, which failed, has put into its own folders. Of one that was cut off nobody knows what has come into them since, or whether it still runs: a person empties those. */
function clear({ dataDir, database, blobsDir, s3 }: DataSettings): void {
  if (!database) rmSync(path.join(dataDir, 'postgres'), { recursive: true, force: true });
  if (!s3) rmSync(path.join(blobsDir, PICTURES), { recursive: true, force: true });
  restoreEnded(dataDir);
}

/** A folder that nothing was kept in yet, but for the secrets that were put there. @throws BackupError, UnfinishedRestoreError */
function assertEmptyFolders({ dataDir, blobsDir }: DataSettings): void {
  if (isRestoreUnfinished(dataDir)) throw new UnfinishedRestoreError(dataDir);
  for (const folder of [dataDir, blobsDir]) {
    const found = existsSync(folder) ? readdirSync(folder).find((name) => !NOT_IN_IT.includes(name)) : undefined;
    if (found !== undefined)
      throw new BackupError(
        `${folder} is not empty (${found}): a backup goes into a new folder only. Nothing was touched.`,
      );
  }
}

/** @throws BackupError */
async function assertEmptyBucket({ s3 }: DataSettings, blobs: Blobs): Promise<void> {
  const found = s3 && (await anyBlob(blobs, PICTURES));
  if (found !== undefined)
    throw new BackupError(
      `${blobs.place.at} is not empty (${found}): a backup goes into an empty bucket only. Nothing was touched.`,
    );
}

/** Where rows go: the embedded PostgreSQL of the new folder, or a server's database that keeps nothing. */
async function placeOf(settings: DataSettings): Promise<{ owner: ConnectionConfig; stop: () => Promise<void> }> {
  if (settings.database !== undefined) {
    if (settings.ownerDatabase === undefined) throw new OperatorMissingError();
    await assertEmpty(settings.ownerDatabase);
    return { owner: settings.ownerDatabase, stop: async () => undefined };
  }
  makeDataDir(settings.dataDir);
  noteRestore(settings.dataDir);
  const embedded = await startEmbedded({ dataDir: path.join(settings.dataDir, 'postgres'), log: createLog('error') });
  return { owner: embedded.connectionConfig, stop: embedded.stop };
}

/** Rows and pictures in their place, or nothing: what a restore that failed left behind goes again. */
async function putBack(settings: DataSettings, blobs: Blobs, given: { file: string; passphrase: string } & Contents) {
  const place = await placeOf(settings);
  try {
    const { migrationsDirectory } = settings;
    const restored = await restoreInto({ owner: place.owner, blobs, migrationsDirectory }, given);
    await place.stop();
    restoreEnded(settings.dataDir);
    return restored;
  } catch (error) {
    await place.stop();
    clear(settings);
    if (settings.s3) await emptyBlobs(blobs, PICTURES);
    throw error;
  }
}

/** What is not as it was. */
interface Looked {
  org_id: number;
  books: string[];
  audit: number;
  missing_files: number;
}

async function look(database: Database, blobs: Blobs, org_id: number): Promise<Looked> {
  const { faults } = await ledger.checkWhole(database, org_id);
  const terms = await agreements.checkTerms(database, org_id, null);
  const histories = await audit.checkAll(database, org_id);
  const missing = await documents.missingFiles(database, org_id, blobs);
  return { org_id, books: [...faults, ...terms], audit: histories.faults.length, missing_files: missing };
}

const isWhole = ({ books, audit: histories, missing_files }: Looked): boolean =>
  books.length === 0 && histories === 0 && missing_files === 0;

async function lookAtAll(settings: DataSettings, blobs: Blobs, organisations: readonly number[]): Promise<Looked[]> {
  return withData(async ({ database }) => {
    const looked: Looked[] = [];
    for (const org_id of organisations) looked.push(await look(database, blobs, org_id));
    return looked;
  }, settings);
}

interface Outcome {
  contents: Contents;
  restored: Restored;
  looked: Looked[];
  /** Secrets that the database knows and that are not here. */
  missing: string[];
}

async function restore(file: string, passphrase: string): Promise<Outcome> {
  const settings = loadDataSettings(process.env);
  const blobs = createBlobs(settings);
  assertEmptyFolders(settings);
  await assertEmptyBucket(settings, blobs);
  const contents = await checkBackup(file, passphrase);
  const missing = assertFits(contents, { ...settings, marks: marksOf(presentSecrets(process.env)) });
  const restored = await putBack(settings, blobs, { file, passphrase, ...contents });
  return { contents, restored, missing, looked: await lookAtAll(settings, blobs, contents.about.organisations) };
}

function told({ contents, restored, looked, missing }: Outcome): string[] {
  const faults = looked
    .filter((one) => !isWhole(one))
    .flatMap(({ org_id, books, audit: histories, missing_files }) => [
      ...books.map((fault) => `DIFFERENCE ${org_id}: ${fault}`),
      ...(histories > 0
        ? [`CHANGED ${org_id}: ${histories} histories or roots do not fit (kist audit verify ${org_id})`]
        : []),
      ...(missing_files > 0 ? [`MISSING ${org_id}: ${missing_files} pictures have no file`] : []),
    ]);
  return [
    `Restored: ${contentsTold({ ...contents, ...restored })}.`,
    ...faults,
    faults.length === 0
      ? 'Every organisation’s books balance, every history fits its roots, every picture has its file.'
      : 'Something is NOT as it should be; it may have been so when the backup was made.',
    ...(missing.length > 0
      ? [`Before it starts, put back from your copy: kist.env and agent-key.pem (not here: ${missing.join(', ')}).`]
      : []),
  ];
}

/** What a backup is for. */
export const restoreCommands: Record<string, Command> = {
  restore: {
    usage: 'restore FILE',
    says: 'a backup into an empty folder, then books and histories checked (restore --help)',
    help: HELP,
    async run(args) {
      const { values, positionals } = parseArgs({ args: [...args], options: OPTIONS, allowPositionals: true });
      const [file, ...more] = positionals;
      if (file === undefined || more.length > 0) throw new UsageError(HELP);
      assertNamed(file, { most: Infinity });
      const outcome = await restore(file, backupKey(process.env, values['key-file']));
      const { restored, looked, missing } = outcome;
      const isInOrder = looked.every(isWhole);
      if (values.json)
        write(
          JSON.stringify(
            { ...restored, is_in_order: isInOrder, organisations: looked, secrets_missing: missing },
            null,
            2,
          ),
        );
      else write(told(outcome).join('\n'));
      return isInOrder;
    },
  },
};
