import { CamelCasePlugin, Kysely, PostgresAdapter, PostgresIntrospector, PostgresQueryCompiler } from 'kysely';
import type { CompiledQuery, DatabaseConnection, Driver, QueryResult } from 'kysely';

type RunQuery = (text: string, values: readonly unknown[]) => Promise<{ rows: unknown[]; rowCount: number | null }>;

/** A kysely that speaks through one connection which is already inside a transaction. */
export function kyselyOn<Tables>(runQuery: RunQuery): Kysely<Tables> {
  const connection = new OneConnection(runQuery);
  return new Kysely<Tables>({
    dialect: {
      createAdapter: () => new PostgresAdapter(),
      createDriver: () => new InsideTransactionDriver(connection),
      createIntrospector: (db) => new PostgresIntrospector(db),
      createQueryCompiler: () => new PostgresQueryCompiler(),
    },
    // What is inside a jsonb value is data, not column names.
    plugins: [new CamelCasePlugin({ maintainNestedObjectKeys: true })],
  });
}

class OneConnection implements DatabaseConnection {
  readonly #runQuery: RunQuery;
  constructor(runQuery: RunQuery) {
    this.#runQuery = runQuery;
  }
  async executeQuery<Row>(query: CompiledQuery): Promise<QueryResult<Row>> {
    const { rows, rowCount } = await this.#runQuery(query.sql, query.parameters);
    return { rows: rows as Row[], numAffectedRows: BigInt(rowCount ?? 0) };
  }
  streamQuery<Row>(): AsyncIterableIterator<QueryResult<Row>> {
    throw new Error('Streaming is not offered inside a transaction: page through the rows.');
  }
}

class InsideTransactionDriver implements Driver {
  readonly #connection: DatabaseConnection;
  constructor(connection: DatabaseConnection) {
    this.#connection = connection;
  }
  async init(): Promise<void> {}
  async acquireConnection(): Promise<DatabaseConnection> {
    return this.#connection;
  }
  async beginTransaction(): Promise<void> {
    throw new Error('Already inside a transaction: pass the tx on.');
  }
  async commitTransaction(): Promise<void> {}
  async rollbackTransaction(): Promise<void> {}
  async releaseConnection(): Promise<void> {}
  async destroy(): Promise<void> {}
}
