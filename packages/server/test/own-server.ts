import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import pg from 'pg';
import { afterAll } from 'vitest';
import { SERVER_LOGIN, ensureLogins } from '#server/platform/accounts.ts';
import { openDatabase, openOperator } from '#server/platform/database.ts';
import { startEmbedded } from '#server/platform/embedded/start.ts';
import { asOwner, migrateOn } from '#server/platform/migrate.ts';
import type { TestDatabase } from './database.ts';
import { migrationsDirectory } from './template.ts';

/** A PostgreSQL of this test file alone, that may be killed: it is started again by itself, like the product's. */
export async function createOwnServer(): Promise<{ db: TestDatabase; kill: () => void }> {
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
  afterAll(async () => {
    await Promise.all([database.close(), operator.close(), ownerPool.end()]);
    await server.stop();
    rmSync(dataDir, { recursive: true, force: true });
  });
  const db = {
    ...database,
    owner,
    serving,
    operator,
    asOwner: async <Row extends pg.QueryResultRow>(text: string, values: readonly unknown[] = []) =>
      (await ownerPool.query<Row>(text, [...values])).rows,
  };
  return { db, kill: () => killIfThere(server.postmasterPid) };
}

/** Between a death and the next start nothing is there to be killed. */
function killIfThere(pid: number): void {
  try {
    process.kill(pid, 'SIGKILL');
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ESRCH') throw error;
  }
}
