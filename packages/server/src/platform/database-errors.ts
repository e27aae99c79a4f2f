import pg from 'pg';
import type { Pool } from 'pg';

/**
 * The connection to the database is gone or could not be made. Whether a transaction that was being committed is stored is not known; asked again under
 * the same key it happens once. Whoever is asked for something answers: try again.
 */
export class DatabaseAwayError extends Error {
  override readonly name = 'DatabaseAwayError';
  readonly code = 'DATABASE_AWAY';
  constructor(cause: unknown) {
    super('The database is away.', { cause });
  }
}

/**
 * SQLSTATEs with which PostgreSQL ends a connection or refuses one: connection exception (08), out of resources (53), shutdown, crash or start of the
 * server and dropped connections (57P01 to 57P05), the time limits that end a session (25P03, 25P04), failures of its disk (58).
 */
const AWAY = /^(?:08|53|57P0|25P0[34]|58)/;
/** The transaction lost a race or its time; it left no trace. */
const PASSING = /^(?:40001|40P01|55P03|57014)$/;
const FAILED_BEFORE = '25P02';
const QUERY_CANCELED = '57014';
const maxDepth = 5;

/**
 * What a statement failed with. pg's own words for a broken connection ("Connection terminated unexpectedly", "… is not queryable") and Node's (ECONNRESET,
 * EPIPE, ENOENT of the socket) are plain errors, most without a code: whatever is plain and came out of a connection is one of them. A mistake in the
 * parameters is a TypeError, RangeError or SyntaxError and stays what it is.
 */
export function statementError(error: unknown): unknown {
  if (error instanceof pg.DatabaseError) return AWAY.test(error.code ?? '') ? new DatabaseAwayError(error) : error;
  const isPlain = error instanceof Error && (error.constructor === Error || error instanceof AggregateError);
  return isPlain ? new DatabaseAwayError(error) : error;
}

/** A connection that could not be had, for whatever reason: refused, no socket, none free in time, closing, wrong password. */
const connectError = (error: unknown): unknown =>
  error instanceof DatabaseAwayError ? error : new DatabaseAwayError(error);

/** The statement took longer than one may. */
export const isOutOfTime = (error: unknown): boolean =>
  error instanceof pg.DatabaseError && error.code === QUERY_CANCELED;

export const isAway = (error: unknown): boolean => error instanceof DatabaseAwayError;

export const isFailedBefore = (error: unknown): boolean =>
  error instanceof pg.DatabaseError && error.code === FAILED_BEFORE;

/** Whether the same request may succeed when it is sent again, nothing having been stored or the key telling what was. */
export function isTransient(error: unknown, depth = 0): boolean {
  if (error instanceof DatabaseAwayError) return true;
  if (error instanceof pg.DatabaseError && (AWAY.test(error.code ?? '') || PASSING.test(error.code ?? ''))) return true;
  if (!(error instanceof Error) || depth === maxDepth) return false;
  if (error instanceof AggregateError && error.errors.some((inner) => isTransient(inner, depth + 1))) return true;
  return error.cause !== undefined && isTransient(error.cause, depth + 1);
}

type Connected = (error: unknown, ...rest: unknown[]) => void;

/** Makes a pool say `DatabaseAwayError` where pg says it in many ways. @returns the same pool */
export function marked(pool: Pool): Pool {
  const connect = pool.connect.bind(pool) as unknown as (connected?: Connected) => Promise<unknown>;
  const query = pool.query.bind(pool) as unknown as (...args: unknown[]) => Promise<unknown>;
  const rethrow = (toError: (error: unknown) => unknown) => (error: unknown) => {
    throw toError(error);
  };
  return Object.assign(pool, {
    // pg's own query() of a pool connects with a callback.
    connect: (connected?: Connected) =>
      connected
        ? connect((error, ...rest) => connected(error && connectError(error), ...rest))
        : connect().catch(rethrow(connectError)),
    query: (...args: unknown[]) => query(...args).catch(rethrow(statementError)),
  });
}
