import { execFile } from 'node:child_process';
import path from 'node:path';
import { promisify } from 'node:util';

const run = promisify(execFile);
const root = path.resolve(import.meta.dirname, '../..');
/** The folder of the server under test; scripts/e2e-server.mjs makes it. */
const dataDir = process.env['KIST_E2E_DATA'] ?? path.join(root, 'artifacts', 'e2e-data');

/**
 * The operator's command line on the shop of the tests.
 * @returns what it answers a program. @throws Error with what it said
 */
export async function kist<T = Record<string, unknown>>(...words: readonly string[]): Promise<T> {
  const { stdout } = await run('node', [path.join(root, 'scripts/kist.mjs'), ...words, '--json'], {
    env: { ...process.env, KIST_DATA_DIR: dataDir },
    maxBuffer: 2 ** 24,
  });
  return JSON.parse(stdout) as T;
}
