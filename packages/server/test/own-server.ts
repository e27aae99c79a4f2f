import { existsSync, mkdtempSync, readdirSync, readlinkSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import pg from 'pg';
import { SERVER_LOGIN, ensureLogins } from '#server/platform/accounts.ts';
import { openDatabase, openOperator } from '#server/platform/database.ts';
import { startEmbedded } from '#server/platform/embedded/start.ts';
import { asOwner, migrateOn } from '#server/platform/migrate.ts';
import { asOwnerOf, type TestDatabase, withOwner } from './database.ts';
import { migrationsDirectory } from './template.ts';

export interface OwnServer {
  db: TestDatabase;
  kill(): void;
  /** Ends it for good, whichever start of it runs by now. @throws Error when its PostgreSQL runs on */
  stop(): Promise<void>;
}

/**
 * A PostgreSQL of one test alone, that may be killed: it is started again by itself, like the product's. Whoever makes it stops it: a hook that is
 * registered while a test runs would never be called.
 */
export async function createOwnServer(): Promise<OwnServer> {
  const dataDir = mkdtempSync(path.join(tmpdir(), 'kist-own-'));
  const quiet = { info: () => undefined, warn: () => undefined };
  const server = await startEmbedded({ dataDir, log: quiet });
  const owner = server.connectionConfig;
  const serving = server.login(SERVER_LOGIN);
  await asOwner(owner, async (client) => {
    await migrateOn(client, migrationsDirectory);
    await ensureLogins(client, { server: serving.password, operator: server.login('kist_operator').password });
  });
  const database = openDatabase({ connection: serving, onIdleError: () => undefined });
  const operator = openOperator({ connection: owner, onIdleError: () => undefined });
  const ownerPool = new pg.Pool({ ...owner, max: 2 });
  ownerPool.on('error', () => undefined);
  const stop = async () => {
    await Promise.all([database.close(), operator.close(), ownerPool.end()]);
    await server.stop();
    const left = runningIn(dataDir);
    if (left.length > 0) throw new Error(`PostgreSQL runs on in ${dataDir}: ${left.join(', ')}`);
    rmSync(dataDir, { recursive: true, force: true });
  };
  const db = withOwner(database, {
    owner,
    serving,
    operator,
    ...asOwnerOf(ownerPool),
  });
  return { db, kill: () => killIfThere(server.postmasterPid), stop };
}

/** @returns every process that works in this folder: the server, whatever its number by now, and its sessions. */
function runningIn(dataDir: string): string[] {
  // Where there is no /proc, `stop` has waited for the server it knew.
  if (!existsSync('/proc/self/cwd')) return [];
  return readdirSync('/proc').filter((pid) => {
    try {
      return /^\d+$/.test(pid) && readlinkSync(`/proc/${pid}/cwd`).startsWith(dataDir);
    } catch {
      // Gone meanwhile, or somebody else's.
      return false;
    }
  });
}

/** Between a death and the next start nothing is there to be killed. */
function killIfThere(pid: number): void {
  try {
    process.kill(pid, 'SIGKILL');
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ESRCH') throw error;
  }
}
