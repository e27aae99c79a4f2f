import { existsSync, realpathSync } from 'node:fs';
import path from 'node:path';
import { parseArgs } from 'node:util';
import type { DataSettings } from '#server/config.ts';
import * as organisations from '#server/organisations/organisations.ts';
import { type Contents, checkBackup, writeBackup } from '#server/platform/backup/backup.ts';
import { assertOwnFolder } from '#server/platform/blobs-mark.ts';
import { createBlobs } from '#server/platform/kept-files.ts';
import { OperatorMissingError } from '#server/platform/boot.ts';
import { backupKey } from './backup-key.ts';
import { type Command, UsageError, write } from './command.ts';
import { withData } from './data.ts';
import { assertNamed, assertPlaceFor } from './named-file.ts';

const OPTIONS = {
  'key-file': { type: 'string' },
  check: { type: 'boolean', default: false },
  json: { type: 'boolean', default: false },
} as const;

/** What lies beside the data, opens it, and must be kept somewhere else. */
export const NOT_IN_IT = ['kist.env', 'agent-key.pem', 'kist-secret-pepper', 'kist-secret-key'];

const HELP = `kist backup FILE [--key-file KEY] [--check] [--json]
  Writes the database, as it is at one moment, and every picture into one encrypted file. The server may run meanwhile.

  --key-file    a file (mode 0600) with the key, 16 letters or more; or KIST_BACKUP_KEY_FILE, or the key itself in KIST_BACKUP_KEY
  --check       reads FILE to its end and holds every part against its list; writes nothing
  --json        for programs

  NOT in it: what opens sealed data and what phones believe, ${NOT_IN_IT.slice(0, 2).join(' and ')} (of a demo also ${NOT_IN_IT.slice(2).join(' and ')}). Keep a copy of these elsewhere.
  0: done; 1: refused, or not in order; 2: typed wrongly.

  kist backup /mnt/backup/kist-2026-11-25.kist --key-file /root/backup-key`;

const mebibytes = (bytes: number): string => `${(bytes / 2 ** 20).toFixed(1)} MB`;

export const contentsTold = ({ about, rows, files }: Pick<Contents, 'about' | 'rows' | 'files'>): string =>
  `${about.organisations.length} organisations, ${rows} rows, ${files} pictures, of ${about.made_at.slice(0, 16).replace('T', ' ')} UTC`;

/** What a program reads. */
const asData = (file: string, { about, ...rest }: Contents) => ({
  file,
  ...rest,
  made_at: about.made_at,
  mode: about.mode,
  organisations: about.organisations,
  migration: about.migrations.at(-1)?.version ?? null,
  not_in_it: NOT_IN_IT,
});

/**
 * In the folder of the pictures it would be taken for one of them, and it does not survive the folder that it is of.
 * @throws UsageError
 */
export function assertApart(file: string, { dataDir, blobsDir, s3, database }: DataSettings): void {
  const at = real(path.dirname(path.resolve(file)));
  const parts = [...(s3 ? [] : [blobsDir]), ...(database ? [] : [path.join(dataDir, 'postgres')])];
  const within = parts.find((folder) => !/^\.\.(?:[\\/]|$)/.test(path.relative(real(folder), at)));
  if (within !== undefined)
    throw new UsageError(`${file} would lie in ${within}, which is part of what is backed up: name a file elsewhere.`);
}

/** A folder that is not there yet lies where its nearest one above really is. */
const real = (folder: string): string =>
  existsSync(folder)
    ? realpathSync(folder)
    : path.join(real(path.dirname(path.resolve(folder))), path.basename(path.resolve(folder)));

async function make(file: string, passphrase: string): Promise<Contents> {
  return withData(async ({ database, owner, settings }) => {
    assertApart(file, settings);
    if (owner === undefined) throw new OperatorMissingError();
    const blobs = createBlobs(settings);
    // Another folder would be backed up as whole, without the pictures.
    await assertOwnFolder(database.appPool, blobs);
    return writeBackup(
      {
        owner,
        organisations: await organisations.everyId(database),
        blobs,
        mode: settings.mode,
      },
      file,
      passphrase,
    );
  });
}

/** What survives the machine. */
export const backupCommands: Record<string, Command> = {
  backup: {
    usage: 'backup FILE [--check]',
    says: 'database and pictures into one encrypted file, while the server runs (backup --help)',
    help: HELP,
    async run(args) {
      const { values, positionals } = parseArgs({ args: [...args], options: OPTIONS, allowPositionals: true });
      const [file, ...more] = positionals;
      if (file === undefined || more.length > 0) throw new UsageError(HELP);
      const passphrase = backupKey(process.env, values['key-file']);
      if (values.check) assertNamed(file, { most: Infinity });
      else assertPlaceFor(file);
      const contents = values.check ? await checkBackup(file, passphrase) : await make(file, passphrase);
      if (values.json) write(JSON.stringify(asData(file, contents), null, 2));
      else {
        write(`${file}: ${contentsTold(contents)}; ${mebibytes(contents.bytes)}.`);
        write(
          values.check
            ? 'Every part is what its list says.'
            : `NOT in it, keep a copy elsewhere: ${NOT_IN_IT.join(', ')}, and the key of this backup. "kist backup ${file} --check" reads it again.`,
        );
      }
      return true;
    },
  },
};
