import { linkSync, mkdirSync, readFileSync, readdirSync, renameSync, rmSync, statSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { EmbeddedPostgresError } from './errors.ts';
import { isAlive, ownIdentity } from './process-identity.ts';
import type { ProcessIdentity } from './process-identity.ts';

/** Whoever holds the lock gives up starting a server after a minute; waiting for twice that means that something hangs. */
const waitMs = 120_000;
/** Breaking a dead owner's lock takes microseconds: a breaker's mark this old belongs to a process that died at it. */
const breakerMarkMaxAgeMs = 5_000;
let serial = 0;

/**
 * Runs `work` while no other process (and no other call of this one) runs its own under the same lock file. Node has no
 * flock, so the lock is a file that names its owner; a lock whose owner died (kill -9) is taken over.
 * @throws EmbeddedPostgresError LOCKED after two minutes
 */
export async function withFolderLock<T>(lockFile: string, work: () => Promise<T>): Promise<T> {
  const deadline = Date.now() + waitMs;
  while (!claim(lockFile)) {
    if (Date.now() > deadline) {
      throw new EmbeddedPostgresError('LOCKED', `Another Kist process has held ${lockFile} for more than two minutes.`);
    }
    breakIfDead(lockFile);
    await sleep(10 + Math.random() * 15);
  }
  try {
    return await work();
  } finally {
    rmSync(lockFile, { force: true });
  }
}

/** link(2) makes the file appear together with its content, or fails: nobody ever reads a half-written owner. */
function claim(lockFile: string): boolean {
  const draft = `${lockFile}.${process.pid}.${++serial}`;
  writeFileSync(draft, JSON.stringify(ownIdentity()), { mode: 0o600 });
  try {
    linkSync(draft, lockFile);
    return true;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'EEXIST') return false;
    throw error;
  } finally {
    rmSync(draft, { force: true });
  }
}

function breakIfDead(lockFile: string): void {
  if (!isDead(lockFile)) return;
  const mark = `${lockFile}.breaking`;
  if (!claim(mark)) {
    if (ageMs(mark) > breakerMarkMaxAgeMs) rmSync(mark, { force: true });
    return;
  }
  try {
    // Read again: between the first look and the mark, another breaker may have given the lock to a living owner.
    if (isDead(lockFile)) rmSync(lockFile, { force: true });
  } finally {
    rmSync(mark, { force: true });
  }
}

function isDead(lockFile: string): boolean {
  const owner = readIdentity(lockFile);
  return owner !== undefined && !isAlive(owner);
}

function readIdentity(file: string): ProcessIdentity | undefined {
  try {
    return JSON.parse(readFileSync(file, 'utf8')) as ProcessIdentity;
  } catch {
    return undefined;
  }
}

function ageMs(file: string): number {
  try {
    return Date.now() - statSync(file).mtimeMs;
  } catch {
    return 0;
  }
}

/**
 * Who uses a server: one file for each use, named by its process. Call these under the folder's lock.
 * The server is stopped by the last living user, whoever started it.
 */
export function registerUser(folder: string): string {
  mkdirSync(folder, { recursive: true, mode: 0o700 });
  const file = path.join(folder, `${process.pid}-${++serial}`);
  writeFileSync(`${file}.draft`, JSON.stringify(ownIdentity()), { mode: 0o600 });
  renameSync(`${file}.draft`, file);
  return file;
}

/** Strikes one use off and says whether any other living use remains; the dead are cleared away. */
export function unregisterUser(folder: string, file: string): boolean {
  rmSync(file, { force: true });
  let others = false;
  for (const name of readdirSync(folder)) {
    const user = readIdentity(path.join(folder, name));
    if (user !== undefined && isAlive(user)) others = true;
    else rmSync(path.join(folder, name), { force: true });
  }
  return others;
}
