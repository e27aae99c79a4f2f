import { setTimeout as sleep } from 'node:timers/promises';
import pg from 'pg';
import { INT4_MAX } from '@kist/contract/limits';
import type { DatabaseError, Pool, PoolClient, QueryResult, QueryResultRow } from 'pg';
import { OPERATOR_ROLE } from './accounts.ts';
import type { ConnectionConfig } from './connection.ts';
import { isAway, isFailedBefore, marked, statementError } from './database-errors.ts';
import { kistTypes } from './pg-types.ts';
import type { Ports } from './ports.ts';

/** One open transaction. Pass it on; never keep it. */
export interface Tx {
  /** The organisation row-level security binds this transaction to; undefined = none, so no tenant row is visible. */
  readonly orgId: number | undefined;
  /** What the process brought along; asking a database that was given nothing for anything throws. */
  readonly ports: Ports;
  /**
   * One statement; columns as it names them.
   * @param name prepares the statement once for each connection under this name: 1.5 times as fast, for constant texts only
   */
  query<Row extends QueryResultRow>(
    text: string,
    values?: readonly unknown[],
    name?: string,
  ): Promise<QueryResult<Row>>;
  /** Runs after a successful commit, never after a rollback. For hints (wake a dispatcher), never for effects that must happen. */
  afterCommit(hint: () => void): void;
}

export interface Database {
  /** What its transactions carry. */
  readonly ports: Ports;
  /** @returns the same database, whose transactions carry what the process brings along */
  with(ports: Ports): Database;
  /**
   * Runs `work` in a transaction of one organisation as role kist_app; commits when it resolves. Repeated from the start
   * (at most 5 times) after a serialization failure or deadlock, so `work` has no effects outside the transaction.
   */
  transaction<T>(orgId: number, work: (tx: Tx) => Promise<T>): Promise<T>;
  /** The same, read only, all statements seeing one snapshot. */
  read<T>(orgId: number, work: (tx: Tx) => Promise<T>): Promise<T>;
  /** As kist_app without an organisation: global tables only; tenant tables show no rows and take none. */
  unscoped<T>(work: (tx: Tx) => Promise<T>): Promise<T>;
  /** As kist_device, which crosses organisations on the tables it was granted; with `orgId` kist_org() answers it. */
  device<T>(work: (tx: Tx) => Promise<T>, orgId?: number): Promise<T>;
  /** Connections of role kist_app without an organisation, for single statements on global tables that commit at once. */
  readonly appPool: Pool;
  /** Connections of role kist_device, for single statements that carry explicit keys (the check-in). */
  readonly devicePool: Pool;
  /** Transactions of role kist_app under way in this process, or waiting to begin: large work makes way for them. */
  underWay(): number;
  /** One round trip, for readiness. */
  ping(): Promise<void>;
  close(): Promise<void>;
}

/** Whoever runs the installation: the command line, and the demo server for its clock. */
export interface Operator {
  /** As kist_operator in one organisation: what kist_app may, and the directory besides. */
  transaction<T>(orgId: number, work: (tx: Tx) => Promise<T>): Promise<T>;
  /** The same without an organisation: the clock, the directory. */
  unscoped<T>(work: (tx: Tx) => Promise<T>): Promise<T>;
  close(): Promise<void>;
}

export interface DatabaseOptions {
  /** Of the account that serves: it may become kist_app and kist_device and is nothing else. */
  connection: ConnectionConfig;
  /** Told about idle connections that broke; they are replaced at the next use. */
  onIdleError: (error: Error) => void;
  appConnections?: number;
  deviceConnections?: number;
  /** After which a statement is ended by the server; 5 s later its connection counts as lost. */
  statementTimeoutMs?: number;
}

const maxTries = 6;
const statementEndsMs = 30_000;
/** A server that says nothing at all does not end its statements either: beyond this the connection is given up. */
const silenceMs = 5_000;
/** A request that stalls inside a transaction must not hold its locks longer than this. */
const idleInTransactionMs = 30_000;

const READ = 'begin isolation level repeatable read read only';
type Begin = 'begin' | typeof READ;
/** A clock that is moved meanwhile moves for those that begin later. */
const ONE_NOW = `set_config('kist.clock', (select moves::text from clock_offset), true)`;

/** Where transactions run, and what they carry. */
interface Place {
  pool: Pool;
  ports: Ports;
}

/**
 * Opens the pools on a migrated database. Every statement runs as kist_app or kist_device: the role is a startup option of
 * each connection, so there is no moment without it. `assertPowerless` (accounts.ts) says that the account is nobody else.
 */
export function openDatabase(options: DatabaseOptions): Database {
  const app = marked(openPool('kist_app', options.appConnections ?? 10, options));
  const device = marked(openPool('kist_device', options.deviceConnections ?? 8, options));
  const carrying = (ports: Ports): Database => ({
    ports,
    with: carrying,
    transaction: (orgId, work) => run({ pool: app, ports }, 'begin', validOrg(orgId), work),
    read: (orgId, work) => run({ pool: app, ports }, READ, validOrg(orgId), work),
    unscoped: (work) => run({ pool: app, ports }, 'begin', undefined, work),
    device: (work, orgId) =>
      run({ pool: device, ports }, 'begin', orgId === undefined ? undefined : validOrg(orgId), work),
    appPool: app,
    devicePool: device,
    underWay: () => app.totalCount - app.idleCount + app.waitingCount,
    ping: async () => {
      await app.query('select 1');
    },
    close: async () => {
      await Promise.all([app.end(), device.end()]);
    },
  });
  return carrying(NONE);
}

/** Of a database that was given none: whoever asks for one is told, and nobody works without. */
const NONE = new Proxy({} as Ports, {
  get: (_none, name) => {
    throw new Error(`this database carries no ports, and no ${String(name)}`);
  },
});

/** @param options.connection of the operator's own account, or of the owner; whoever logs in, every statement runs as kist_operator */
export function openOperator(options: Pick<DatabaseOptions, 'connection' | 'onIdleError'>): Operator {
  const pool = openPool(OPERATOR_ROLE, 2, options);
  return {
    transaction: (orgId, work) => run({ pool, ports: NONE }, 'begin', validOrg(orgId), work),
    unscoped: (work) => run({ pool, ports: NONE }, 'begin', undefined, work),
    close: () => pool.end(),
  };
}

function openPool(
  role: string,
  max: number,
  {
    connection,
    onIdleError,
    statementTimeoutMs = statementEndsMs,
  }: Pick<DatabaseOptions, 'connection' | 'onIdleError' | 'statementTimeoutMs'>,
): Pool {
  const settings = {
    role,
    timezone: 'UTC',
    statement_timeout: statementTimeoutMs,
    idle_in_transaction_session_timeout: idleInTransactionMs,
  };
  const startup = Object.entries(settings).map(([name, value]) => `-c ${name}=${value}`);
  const pool = new pg.Pool({
    ...connection,
    options: [connection.options, ...startup].filter(Boolean).join(' '),
    application_name: role,
    types: kistTypes,
    max,
    // Statements that one transaction asks for at once are sent at once, and run one after the other.
    pipeline: true,
    idleTimeoutMillis: 60_000,
    connectionTimeoutMillis: 10_000,
    query_timeout: statementTimeoutMs + silenceMs,
    keepAlive: true,
  });
  pool.on('error', onIdleError);
  // A connection that breaks while checked out rejects its query; the event besides it would end the process.
  pool.on('connect', (client) => client.on('error', () => undefined));
  return pool;
}

/** The number goes into SQL text unquoted, so nothing but a positive 32-bit integer passes. */
function validOrg(orgId: number): number {
  if (!Number.isInteger(orgId) || orgId <= 0 || orgId > INT4_MAX)
    throw new TypeError('orgId is not an organisation id');
  return orgId;
}

async function run<T>(place: Place, begin: Begin, orgId: number | undefined, work: (tx: Tx) => Promise<T>): Promise<T> {
  for (let tryNumber = 1; ; tryNumber += 1) {
    try {
      return await runOnce(place, begin, orgId, work);
    } catch (error) {
      if (tryNumber === maxTries || !isRetryable(error)) throw error;
      // Full jitter: two transactions that met once should not meet again.
      await sleep(Math.random() * 10 * 2 ** tryNumber);
    }
  }
}

/** serialization_failure, deadlock_detected: the transaction left no trace and may simply run again. */
export function isRetryable(error: unknown): boolean {
  const code = (error as Partial<DatabaseError> | undefined)?.code;
  return code === '40001' || code === '40P01' || (error instanceof FailedInsideError && isRetryable(error.cause));
}

/** Somebody swallowed the error of a statement: PostgreSQL answers the commit of a failed transaction with ROLLBACK and no error. */
class FailedInsideError extends Error {
  override readonly name = 'FailedInsideError';
  constructor(cause: unknown) {
    super('The transaction failed inside and was rolled back.', { cause });
  }
}

async function runOnce<T>(
  place: Place,
  begin: Begin,
  orgId: number | undefined,
  work: (tx: Tx) => Promise<T>,
): Promise<T> {
  const client = await place.pool.connect();
  const tx = new OpenTransaction(client, orgId, place);
  let outcome: 'committed' | 'rolled back' | 'broken' = 'broken';
  try {
    // One round trip: the context is there before any statement can run without it.
    await ask(
      client,
      `${begin}; select ${orgId === undefined ? '' : `set_config('kist.org_id', '${orgId}', true), `}${ONE_NOW}`,
    );
    const result = await work(tx);
    const { command } = await ask(client, 'commit');
    if (command !== 'COMMIT') throw new FailedInsideError(tx.failure);
    outcome = 'committed';
    return result;
  } catch (error) {
    // Nobody is there to be asked, and closing the connection rolls back too.
    outcome = isAway(error) || isAway(tx.failure) ? 'broken' : await rollBack(client);
    throw error;
  } finally {
    tx.end(outcome === 'committed');
    client.release(outcome === 'broken');
  }
}

/** @throws DatabaseAwayError where the connection is gone, else what PostgreSQL says */
async function ask<Row extends QueryResultRow>(client: PoolClient, text: string): Promise<QueryResult<Row>> {
  try {
    return await client.query<Row>(text);
  } catch (error) {
    throw statementError(error);
  }
}

async function rollBack(client: PoolClient): Promise<'rolled back' | 'broken'> {
  try {
    await client.query('rollback');
    return 'rolled back';
  } catch {
    return 'broken';
  }
}

class OpenTransaction implements Tx {
  readonly orgId: number | undefined;
  readonly #client: PoolClient;
  readonly #place: Place;
  readonly #hints: (() => void)[] = [];
  #open = true;
  /** The first error of a statement: what comes after it is only its echo. */
  failure: unknown;

  constructor(client: PoolClient, orgId: number | undefined, place: Place) {
    this.#client = client;
    this.#place = place;
    this.orgId = orgId;
  }

  get ports(): Ports {
    return this.#place.ports;
  }

  query<Row extends QueryResultRow>(
    text: string,
    values: readonly unknown[] = [],
    name?: string,
  ): Promise<QueryResult<Row>> {
    // A kept tx would speak into another request's transaction once the pool hands its connection on.
    if (!this.#open) throw new Error('This transaction has ended.');
    return this.#run({ text, values: [...values], name });
  }

  async #run<Row extends QueryResultRow>(statement: {
    text: string;
    values: unknown[];
    name: string | undefined;
  }): Promise<QueryResult<Row>> {
    try {
      return await this.#client.query<Row>(statement);
    } catch (thrown) {
      const error = statementError(thrown);
      this.failure ??= error;
      throw isFailedBefore(error) ? this.failure : error;
    }
  }

  afterCommit(hint: () => void): void {
    this.#hints.push(hint);
  }

  end(committed: boolean): void {
    this.#open = false;
    if (committed) for (const hint of this.#hints) hint();
  }
}
