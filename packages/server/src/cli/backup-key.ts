import { statSync } from 'node:fs';
import { isReadableByOthers } from '#server/platform/secrets.ts';
import { UsageError } from './command.ts';
import { assertNamed, secretTextOf } from './named-file.ts';

/** Below this a passphrase is guessed by whoever has the file. */
const LEAST_LETTERS = 16;

const HOW =
  'Name a file that holds it (--key-file FILE, or KIST_BACKUP_KEY_FILE), or put it into KIST_BACKUP_KEY; "openssl rand -base64 32" makes one.';

/**
 * What a backup is sealed by: one line of a file that nobody else reads, or of the environment; never an argument, which every account of a machine can read.
 * @throws UsageError which says what would be right, without the key
 */
export function backupKey(environment: Record<string, string | undefined>, keyFile: string | undefined): string {
  const file = keyFile ?? (environment['KIST_BACKUP_KEY_FILE'] || undefined);
  const key = (file === undefined ? environment['KIST_BACKUP_KEY'] : lineOf(file))?.trim();
  if (!key) throw new UsageError(`The key of the backup is missing. ${HOW}`);
  if (/[\r\n]/.test(key)) throw new UsageError('The key of the backup is one line.');
  if (key.length < LEAST_LETTERS)
    throw new UsageError(`The key of the backup is ${LEAST_LETTERS} letters or more. ${HOW}`);
  return key;
}

function lineOf(file: string): string {
  assertNamed(file, { isPipe: true });
  if (isReadableByOthers(statSync(file))) throw new UsageError(`Other accounts can read ${file}: chmod 600 it.`);
  return secretTextOf(file);
}
