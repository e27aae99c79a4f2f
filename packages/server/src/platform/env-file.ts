import { readFileSync, statSync } from 'node:fs';
import path from 'node:path';
import { parseEnv } from 'node:util';
import { isReadableByOthers } from './secrets.ts';

type Variables = Record<string, string | undefined>;

/** In the data folder; made by `kist setup`, read at every start. */
const DEFAULT_NAME = 'kist.env';

/** The file of settings that belongs to an environment: KIST_ENV_FILE, else kist.env in the data folder. */
export function envFileOf(environment: Variables): string {
  return path.resolve(
    environment['KIST_ENV_FILE'] || path.join(environment['KIST_DATA_DIR'] || './data', DEFAULT_NAME),
  );
}

/**
 * The environment with the file of settings under it: what is given from outside wins.
 * @param problems told about a file that was named and cannot be read, or that others can read
 */
export function readEnvironment(environment: Variables, problems: string[]): Variables {
  const file = envFileOf(environment);
  const stat = statSync(file, { throwIfNoEntry: false });
  if (stat === undefined) {
    if (environment['KIST_ENV_FILE']) problems.push('KIST_ENV_FILE names no file: run "kist setup", or leave it out.');
    return environment;
  }
  if (isReadableByOthers(stat))
    problems.push(`The file of settings (KIST_ENV_FILE, ${DEFAULT_NAME}) can be read by other accounts: chmod 600 it.`);
  const given = Object.entries(environment).filter(([, value]) => value !== undefined && value !== '');
  return { ...parseEnv(readFileSync(file, 'utf8')), ...Object.fromEntries(given) };
}
