import pg from 'pg';
import type { ConnectionConfig } from '#server/platform/connection.ts';
import { inject } from 'vitest';
import { openDatabase, openOperator } from '#server/platform/database.ts';
import type { Database, Operator } from '#server/platform/database.ts';
import type { Ports } from '#server/platform/ports.ts';
import { putGuardsAside } from '#server/platform/guards.ts';
import { atEnd } from './at-end.ts';
import { asDatabase, dropDatabase } from './server.ts';

export interface TestDatabase extends Database {
  with(ports: Ports): TestDatabase;
  /** The owner's connection: migrations, DDL, looking behind row-level security. */
  readonly owner: ConnectionConfig;
  /** The account that serves, as the product logs in. */
  readonly serving: ConnectionConfig;
  /** Who may move the clock and list organisations. */
  readonly operator: Operator;
  /** One statement as the owner of the tables, who sees the rows of every organisation. */
  readonly asOwner: <Row extends pg.QueryResultRow>(text: string, values?: readonly unknown[]) => Promise<Row[]>;
  /** The same past the guards of these tables, which stop the owner too: what a test plants that no program may write. */
  readonly plant: <Row extends pg.QueryResultRow>(
    tables: readonly string[],
    text: string,
    values?: readonly unknown[],
  ) => Promise<Row[]>;
}

type Behind = Pick<TestDatabase, 'owner' | 'serving' | 'operator' | 'asOwner' | 'plant'>;

let serial = 0;
/** Of a kind that a later run drops when this one is killed (`template.ts`). */
export const newDatabaseName = (): string => `kist_test_${process.pid}_${Date.now().toString(36)}_${++serial}`;

/**
 * A database of its own for the calling test file: a clone of the migrated template (20 ms), dropped after the file.
 * Wherever it is called.
 */
export async function createTestDatabase(template = inject('kistTestServer').template): Promise<TestDatabase> {
  const { connection, serving: account } = inject('kistTestServer');
  const name = newDatabaseName();
  await asDatabase(connection, async (client) => {
    await client.query(`create database ${name} template ${template} strategy file_copy`);
    // As where the product migrates: what a database lets everybody do is not copied from a template.
    await client.query(`revoke temporary on database ${name} from public`);
  });
  const owner = { ...connection, database: name };
  const serving = { ...account, database: name };
  const ownerPool = new pg.Pool({ ...owner, max: 8 });
  ownerPool.on('error', () => undefined);
  const database = openDatabase({
    connection: serving,
    onIdleError: () => undefined,
    appConnections: 3,
    deviceConnections: 2,
  });
  const operator = openOperator({ connection: owner, onIdleError: () => undefined });
  const close = async () => {
    await Promise.all([database.close(), operator.close(), ownerPool.end()]);
    await dropDatabase(connection, name);
  };
  atEnd(close);
  return withOwner(database, {
    owner,
    serving,
    operator,
    ...asOwnerOf(ownerPool),
  });
}

/** A database that tests look behind, whatever ports it is made to carry. */
export const withOwner = (serves: Database, behind: Behind): TestDatabase => ({
  ...serves,
  ...behind,
  with: (ports) => withOwner(serves.with(ports), behind),
});

/** What tests do as the owner of the tables. */
export const asOwnerOf = (ownerPool: pg.Pool): Pick<TestDatabase, 'asOwner' | 'plant'> => ({
  asOwner: async <Row extends pg.QueryResultRow>(text: string, values: readonly unknown[] = []) =>
    (await ownerPool.query<Row>(text, [...values])).rows,
  plant: async <Row extends pg.QueryResultRow>(
    tables: readonly string[],
    text: string,
    values: readonly unknown[] = [],
  ) => {
    const client = await ownerPool.connect();
    try {
      await client.query('begin');
      const putBack = await putGuardsAside(client, tables);
      const { rows } = await client.query<Row>(text, [...values]);
      await putBack();
      await client.query('commit');
      return rows;
    } catch (error) {
      await client.query('rollback');
      throw error;
    } finally {
      client.release();
    }
  },
});
