import { spawn } from 'node:child_process';
import {
  chmodSync,
  chownSync,
  closeSync,
  existsSync,
  fchmodSync,
  lstatSync,
  mkdirSync,
  mkdtempSync,
  openSync,
  readFileSync,
  readdirSync,
  renameSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import type { Account } from './account.ts';
import { isReachable } from './account.ts';
import type { Binaries } from './binaries.ts';
import { EmbeddedPostgresError } from './errors.ts';

/** Everything the launcher keeps below the data folder it was given. */
export interface Layout {
  root: string;
  /** PostgreSQL's own data directory. */
  cluster: string;
  lock: string;
  users: string;
  log: string;
  socketNote: string;
}

export function layoutOf(dataDir: string): Layout {
  const root = path.resolve(dataDir);
  const below = (name: string) => path.join(root, name);
  return {
    root,
    cluster: below('cluster'),
    lock: below('lock'),
    users: below('users'),
    log: below('server.log'),
    socketNote: below('socket-folder'),
  };
}

/** A program of PostgreSQL, started so that a terminal's Ctrl-C does not reach it: the server outlives its clients' last query. */
export function spawnServerProgram(
  program: string,
  folder: string,
  args: string[],
  account: Account | undefined,
  output: number,
) {
  const view = viewOf(folder, account);
  try {
    return spawn(program, ['-D', view.path, ...args.map((arg) => arg.replaceAll('%FOLDER%', view.path))], {
      ...account,
      cwd: '/',
      env: { LC_ALL: 'C', PATH: process.env.PATH },
      detached: true,
      stdio: ['ignore', output, output, ...(view.fd === undefined ? [] : [view.fd])],
    });
  } finally {
    if (view.fd !== undefined) closeSync(view.fd);
  }
}

/**
 * How the account sees `folder`. Below a folder closed to it (a checkout under /root, a 0700 temporary folder) no path
 * leads there, but an inherited descriptor does: /proc/self/fd/3 is a door straight into it (Linux).
 */
function viewOf(folder: string, account: Account | undefined): { path: string; fd?: number } {
  if (account === undefined || isReachable(folder, account)) return { path: folder };
  if (process.platform !== 'linux') {
    throw new EmbeddedPostgresError(
      'UNREACHABLE',
      `PostgreSQL does not run as root, and the account it runs under (uid ${account.uid}) cannot reach ${folder}. Set KIST_DATA_DIR to a folder whose parents it may enter, or set DATABASE_URL.`,
    );
  }
  return { path: '/proc/self/fd/3', fd: openSync(folder, 'r') };
}

/**
 * Makes the cluster if there is none. initdb works in a folder of its own that is renamed when complete, so a start
 * killed midway leaves only a remainder, which the next one clears. Call it under the folder's lock.
 * @returns true when a cluster was made
 * @throws EmbeddedPostgresError VERSION_MISMATCH, INITDB_FAILED, UNREACHABLE
 */
export async function ensureCluster(
  layout: Layout,
  binaries: Binaries,
  account: Account | undefined,
): Promise<boolean> {
  for (const name of readdirSync(layout.root)) {
    if (name.startsWith('initialising-')) clearRemainder(path.join(layout.root, name));
  }
  if (existsSync(layout.cluster)) {
    refuseOtherVersion(layout.cluster, binaries);
    return false;
  }
  const draft = mkdtempSync(path.join(layout.root, 'initialising-'));
  if (account !== undefined) chownSync(draft, account.uid, account.gid);
  await initialise(draft, layout, binaries, account);
  renameSync(draft, layout.cluster);
  return true;
}

/** The initdb of a killed start may still be writing there: what cannot be cleared now is cleared by the next start. */
function clearRemainder(folder: string): void {
  try {
    rmSync(folder, { recursive: true, force: true, maxRetries: 3, retryDelay: 50 });
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ENOTEMPTY') throw error;
  }
}

function refuseOtherVersion(cluster: string, { majorVersion }: Binaries): void {
  const file = path.join(cluster, 'PG_VERSION');
  const found = existsSync(file) ? readFileSync(file, 'utf8').trim() : 'none';
  if (found === String(majorVersion)) return;
  throw new EmbeddedPostgresError(
    'VERSION_MISMATCH',
    `The data in ${cluster} was written by PostgreSQL ${found}; the programs found here are PostgreSQL ${majorVersion}. Use the Kist version that wrote it to export, or set DATABASE_URL to a server of version ${found}.`,
  );
}

async function initialise(
  draft: string,
  layout: Layout,
  binaries: Binaries,
  account: Account | undefined,
): Promise<void> {
  // Nobody gets in before the owner has a password (owner-password.ts).
  const args = ['-U', 'postgres', '-A', 'reject', '-E', 'UTF8', '--locale=C', '--no-instructions'];
  const log = openPrivateLog(layout.log);
  try {
    const initdb = spawnServerProgram(path.join(binaries.binDir, 'initdb'), draft, args, account, log);
    const code = await new Promise((resolve, reject) => initdb.once('exit', resolve).once('error', reject));
    if (code === 0) return;
    throw new Error(`exit code ${String(code)}`);
  } catch (error) {
    rmSync(draft, { recursive: true, force: true });
    const end = readFileSync(layout.log, 'utf8').trim().split('\n').slice(-4).join('\n');
    throw new EmbeddedPostgresError(
      'INITDB_FAILED',
      `The database could not be created in ${layout.root}:\n${end}`,
      error,
    );
  } finally {
    closeSync(log);
  }
}

/** Longest path a unix socket may have (sun_path without its NUL): 107 on Linux, 103 on macOS. */
const socketPathLimitBytes = process.platform === 'linux' ? 107 : 103;

/**
 * The folder of the server's socket: the cluster itself, or, when that path is too long for a socket, a private
 * temporary folder whose name is kept in the data folder.
 */
export function socketFolder(layout: Layout, account: Account | undefined): string {
  if (Buffer.byteLength(path.join(layout.cluster, '.s.PGSQL.5432')) <= socketPathLimitBytes) return layout.cluster;
  const uid = account?.uid ?? process.getuid?.() ?? 0;
  const noted = existsSync(layout.socketNote) ? readFileSync(layout.socketNote, 'utf8') : '';
  if (isPrivateFolder(noted, uid)) return noted;
  const base = account === undefined || isReachable(tmpdir(), account) ? tmpdir() : '/tmp';
  const folder = mkdtempSync(path.join(base, 'kist-'));
  chmodSync(folder, 0o700);
  if (account !== undefined) chownSync(folder, account.uid, account.gid);
  writeFileSync(layout.socketNote, folder, { mode: 0o600 });
  return folder;
}

/** Temporary folders are everyone's: only a real folder that our account owns and nobody else enters is believed. */
function isPrivateFolder(folder: string, uid: number): boolean {
  const stat = folder === '' ? undefined : lstatSync(folder, { throwIfNoEntry: false });
  return stat !== undefined && stat.isDirectory() && stat.uid === uid && (stat.mode & 0o077) === 0;
}

/** Whatever stands in it is read by its owner only, also in a file that was there before with wider rights. */
export function openPrivateLog(file: string): number {
  const log = openSync(file, 'a', 0o600);
  fchmodSync(log, 0o600);
  return log;
}

/** Makes the data folder; as root others may walk through it (not list it), so that the server's account reaches its cluster. */
export function makeRoot(layout: Layout, account: Account | undefined): void {
  if (existsSync(layout.root)) return;
  mkdirSync(layout.root, { recursive: true, mode: account === undefined ? 0o700 : 0o711 });
}
