import { beforeAll, describe, expect, test } from 'vitest';
import { type OwnServer, createOwnServer } from '#test/own-server.ts';
import { openDatabase } from './database.ts';
import { DurabilityError, assertDurable } from './durability.ts';

let server: OwnServer;
beforeAll(async () => {
  server = await createOwnServer();
  return server.stop;
});

/** Fresh connections, as a boot makes them: settings of database and account count from the next login. */
async function boot(): Promise<void> {
  const booting = openDatabase({ connection: server.db.owner, onIdleError: () => undefined });
  try {
    await assertDurable(booting);
  } finally {
    await booting.close();
  }
}

describe('the boot', () => {
  test('accepts a database that syncs what it acknowledges', async () => {
    await expect(boot()).resolves.toBeUndefined();
  });

  test('refuses synchronous_commit off, wherever it was set, and says so', async () => {
    const name = server.db.owner.database;
    await server.db.asOwner(`alter database ${name} set synchronous_commit = off`);
    await expect(boot()).rejects.toThrow(DurabilityError);
    await expect(boot()).rejects.toThrow(/synchronous_commit is off/);
    await server.db.asOwner(`alter database ${name} reset synchronous_commit`);
    await expect(boot()).resolves.toBeUndefined();
  });

  test('is content with a local commit: a standby may lag, the primary has it', async () => {
    await server.db.asOwner(`alter database ${server.db.owner.database} set synchronous_commit = local`);
    await expect(boot()).resolves.toBeUndefined();
  });
});
