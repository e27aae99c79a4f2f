import { describe, expect, test } from 'vitest';
import { createTestDatabase } from '#test/database.ts';
import { openDatabase } from './database.ts';
import { DurabilityError, assertDurable } from './durability.ts';

const database = await createTestDatabase();

/** Fresh connections, as a boot makes them: settings of database and account count from the next login. */
async function boot(): Promise<void> {
  const booting = openDatabase({ connection: database.owner, onIdleError: () => undefined });
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
    const name = database.owner.database;
    await database.asOwner(`alter database ${name} set synchronous_commit = off`);
    await expect(boot()).rejects.toThrow(DurabilityError);
    await expect(boot()).rejects.toThrow(/synchronous_commit is off/);
    await database.asOwner(`alter database ${name} reset synchronous_commit`);
    await expect(boot()).resolves.toBeUndefined();
  });

  test('is content with a local commit: a standby may lag, the primary has it', async () => {
    await database.asOwner(`alter database ${database.owner.database} set synchronous_commit = local`);
    await expect(boot()).resolves.toBeUndefined();
  });
});
