import { existsSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { parseEnv } from 'node:util';
import { inRoot } from './root.mjs';

/** The data folder of this start. */
export const dataDirOf = () => path.resolve(process.env['KIST_DATA_DIR'] || inRoot('data'));

/**
 * The settings of a start: the environment, and under it the file that `kist setup` wrote (KIST_ENV_FILE, else kist.env in
 * the data folder). The server reads the same file by itself and refuses one that others can read.
 * @returns {Record<string, string | undefined>}
 */
export function readSettings() {
  const file = process.env['KIST_ENV_FILE'] || path.join(dataDirOf(), 'kist.env');
  const given = Object.entries(process.env).filter(([, value]) => value !== undefined && value !== '');
  return { ...(existsSync(file) ? parseEnv(readFileSync(file, 'utf8')) : {}), ...Object.fromEntries(given) };
}
