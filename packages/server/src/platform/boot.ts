import path from 'node:path';
import type { Client, Pool } from 'pg';
import { OPERATOR_ROLE, SERVER_LOGIN, assertMayServe, assertPowerless, ensureLogins, letServe } from './accounts.ts';
import { assertRealClock } from './clock.ts';
import type { ConnectionConfig } from './connection.ts';
import { openDatabase, openOperator } from './database.ts';
import type { Database, Operator } from './database.ts';
import { assertDurable } from './durability.ts';
import { startEmbedded } from './embedded/start.ts';
import { type Mode, assertMode, stampMode } from './installation.ts';
import type { Log } from './log.ts';
import { asOwner, assertMigrated, migrateOn } from './migrate.ts';
import { type SecretMark, assertNoted, assertSameSecrets, noteMarks, notedMarks } from './secret-marks.ts';
import { OperatorError } from './operator-error.ts';
import { UnfinishedRestoreError, isRestoreUnfinished } from './unfinished-restore.ts';

export interface BootOptions {
  /** The account a PostgreSQL server is served from; undefined = the embedded PostgreSQL in `dataDir`. */
  connection: ConnectionConfig | undefined;
  /** The account that owns its tables. Without it nothing is migrated, and a database that would have to be is refused. */
  ownerConnection: ConnectionConfig | undefined;
  dataDir: string;
  migrationsDirectory: string;
  /** Stamped on a new database; one stamped otherwise is refused before anything is touched. In production a moved product clock is refused, too. */
  mode: Mode;
  /** The short name of the organisation that a demo makes: a database from before the stamp that holds no other counts as a demo. */
  demoSlug: string;
  /**
   * The secrets of this start by their check values, asked for once the mode is known. A start with others than the database was made with is refused before
   * anything is touched.
   * @param mayMake nothing is noted yet: who makes secrets makes them now
   */
  secrets?: (mayMake: boolean) => readonly SecretMark[];
  /** Runs once the tables are there, as their owner, one start after the other. */
  whileOwner?: (owner: Client) => Promise<void>;
  log: Log;
}

export interface BootedDatabase {
  database: Database;
  /** Of the account that serves, as it logs in. */
  connection: ConnectionConfig;
  /** Of the account that owns the tables; undefined where it was not told. */
  owner: ConnectionConfig | undefined;
  /** For the clock and the directory. @throws OperatorMissingError where neither the owner's nor the operator's account is known */
  openOperator: () => Operator;
  /** Closes the pools, then ends this use of the embedded server. */
  stop: () => Promise<void>;
}

/** A role that is bound to one organisation is not: nothing is served past row-level security. */
class UnboundRoleError extends OperatorError {
  override readonly name = 'UnboundRoleError';
  constructor(role: string) {
    super(
      `The role ${role} bypasses row-level security: one shop could see another's customers. Run: ALTER ROLE ${role} NOSUPERUSER NOBYPASSRLS`,
    );
  }
}

/** The clock and the directory belong to an account that this process was not told. */
export class OperatorMissingError extends OperatorError {
  override readonly name = 'OperatorMissingError';
  constructor() {
    super(
      'KIST_OWNER_URL is missing: the clock and the organisations are not the business of the account that serves.',
    );
  }
}

interface Reached {
  server: ConnectionConfig;
  owner: ConnectionConfig | undefined;
  operator: ConnectionConfig | undefined;
  /** The passwords of the accounts that we make ourselves; undefined on somebody else's PostgreSQL. */
  passwords: { server: string; operator: string } | undefined;
  stop: () => Promise<void>;
}

/**
 * From nothing to a database that may be served: started, migrated as its owner, then reached as an account that can do
 * nothing but serve, and checked for what would betray people (commits that are not safe, roles that see every shop, an
 * account that could become the owner, a clock that runs elsewhere).
 * @throws UnfinishedRestoreError, EmbeddedPostgresError, ModeMismatchError, SecretsMismatchError, SecretsNotNotedError, MigrationHistoryError, NotPreparedError, PowerfulAccountError, DurabilityError, UnboundRoleError, ClockMovedError
 */
export async function bootDatabase(options: BootOptions): Promise<BootedDatabase> {
  const reached = await reachServer(options);
  const toStop = [reached.stop];
  const stop = async () => {
    for (const end of toStop.splice(0).toReversed()) await end();
  };
  const onIdleError = (error: Error) => options.log.warn({ err: error }, 'idle database connection broke');
  try {
    if (reached.owner !== undefined) await prepare(reached.owner, reached, options);
    await assertMayServe(reached.server);
    const database = openDatabase({ connection: reached.server, onIdleError });
    toStop.push(() => database.close());
    await check(database, options, reached.owner !== undefined);
    return {
      database,
      connection: reached.server,
      owner: reached.owner,
      openOperator: () => {
        if (reached.operator === undefined) throw new OperatorMissingError();
        const operator = openOperator({ connection: reached.operator, onIdleError });
        toStop.push(() => operator.close());
        return operator;
      },
      stop,
    };
  } catch (error) {
    await stop();
    throw error;
  }
}

async function reachServer({ connection, ownerConnection, dataDir, log }: BootOptions): Promise<Reached> {
  if (connection !== undefined)
    return {
      server: connection,
      owner: ownerConnection,
      operator: ownerConnection,
      passwords: undefined,
      stop: async () => undefined,
    };
  if (isRestoreUnfinished(dataDir)) throw new UnfinishedRestoreError(dataDir);
  const embedded = await startEmbedded({ dataDir: path.join(dataDir, 'postgres'), log });
  const [server, operator] = [embedded.login(SERVER_LOGIN), embedded.login(OPERATOR_ROLE)];
  return {
    server,
    owner: embedded.connectionConfig,
    operator,
    passwords: { server: server.password, operator: operator.password },
    stop: embedded.stop,
  };
}

/** All that needs the owner, on one connection that is closed before anything is served. */
async function prepare(owner: ConnectionConfig, { server, passwords }: Reached, options: BootOptions): Promise<void> {
  const { migrationsDirectory, mode, demoSlug, secrets, whileOwner, log } = options;
  await asOwner(owner, async (client) => {
    await assertMode(client, mode, demoSlug);
    const noted = await notedMarks(client);
    const marks = secrets?.(noted.length === 0);
    if (marks) assertSameSecrets(noted, marks);
    for (const migration of await migrateOn(client, migrationsDirectory)) log.info({ migration }, 'migrated');
    await stampMode(client, mode);
    if (marks) await noteMarks(client, marks);
    if (passwords !== undefined) await ensureLogins(client, passwords);
    else if (server.user !== undefined) await letServe(client, server.user);
    await whileOwner?.(client);
  });
}

async function check(
  database: Database,
  { migrationsDirectory, mode, demoSlug, secrets }: BootOptions,
  isPrepared: boolean,
): Promise<void> {
  await assertPowerless(database.appPool);
  await assertMigrated(database.appPool, migrationsDirectory);
  await assertMode(database.appPool, mode, demoSlug);
  if (!isPrepared && secrets) await checkSecrets(database.appPool, secrets(false));
  await assertDurable(database);
  await assertBound(database.appPool);
  await assertBound(database.devicePool);
  if (mode === 'production') await database.unscoped(assertRealClock);
}

async function checkSecrets(pool: Pool, marks: readonly SecretMark[]): Promise<void> {
  const noted = await notedMarks(pool);
  assertSameSecrets(noted, marks);
  assertNoted(noted, marks);
}

async function assertBound(pool: Pool): Promise<void> {
  const { rows } = await pool.query<{ role: string }>(
    'select rolname as role from pg_roles where rolname = current_user and (rolsuper or rolbypassrls)',
  );
  if (rows[0] !== undefined) throw new UnboundRoleError(rows[0].role);
}
