import path from 'node:path';
import type { Pool } from 'pg';
import { assertRealClock } from './clock.ts';
import type { ConnectionConfig } from './connection.ts';
import { openDatabase } from './database.ts';
import type { Database } from './database.ts';
import { assertDurable } from './durability.ts';
import { startEmbedded } from './embedded/start.ts';
import type { Log } from './log.ts';
import { migrate } from './migrate.ts';

export interface BootOptions {
  /** A server's database and its owner; undefined = the embedded PostgreSQL in `dataDir`. */
  connection: ConnectionConfig | undefined;
  dataDir: string;
  migrationsDirectory: string;
  /** Production: a moved product clock is refused. */
  requireRealClock: boolean;
  log: Log;
}

export interface BootedDatabase {
  database: Database;
  /** The owner's connection, for the job queue's installation and for the `kist` command. */
  owner: ConnectionConfig;
  /** Closes the pools, then ends this use of the embedded server. */
  stop: () => Promise<void>;
}

/** A role that is bound to one organisation is not: nothing is served past row-level security. */
class UnboundRoleError extends Error {
  override readonly name = 'UnboundRoleError';
  constructor(role: string) {
    super(
      `The role ${role} bypasses row-level security: one shop could see another's customers. Run: ALTER ROLE ${role} NOSUPERUSER NOBYPASSRLS`,
    );
  }
}

/**
 * From nothing to a database that may be served: started, migrated, and checked for what would betray people (commits
 * that are not safe, roles that see every shop, a clock that runs elsewhere).
 * @throws EmbeddedPostgresError, MigrationHistoryError, DurabilityError, UnboundRoleError, ClockMovedError
 */
export async function bootDatabase(options: BootOptions): Promise<BootedDatabase> {
  const { log } = options;
  const { owner, stop } = await reachServer(options);
  try {
    for (const migration of await migrate(owner, options.migrationsDirectory)) log.info({ migration }, 'migrated');
    const database = openDatabase({
      connection: owner,
      onIdleError: (error) => log.warn({ err: error }, 'idle database connection broke'),
    });
    try {
      await check(database, options.requireRealClock);
    } catch (error) {
      await database.close();
      throw error;
    }
    const stopAll = async () => {
      await database.close();
      await stop();
    };
    return { database, owner, stop: stopAll };
  } catch (error) {
    await stop();
    throw error;
  }
}

async function reachServer({
  connection,
  dataDir,
  log,
}: BootOptions): Promise<{ owner: ConnectionConfig; stop: () => Promise<void> }> {
  if (connection !== undefined) return { owner: connection, stop: async () => undefined };
  const server = await startEmbedded({ dataDir: path.join(dataDir, 'postgres'), log });
  return { owner: server.connectionConfig, stop: server.stop };
}

async function check(database: Database, requireRealClock: boolean): Promise<void> {
  await assertDurable(database);
  await assertBound(database.appPool);
  await assertBound(database.devicePool);
  if (requireRealClock) await database.unscoped(assertRealClock);
}

async function assertBound(pool: Pool): Promise<void> {
  const { rows } = await pool.query<{ role: string }>(
    'select rolname as role from pg_roles where rolname = current_user and (rolsuper or rolbypassrls)',
  );
  if (rows[0] !== undefined) throw new UnboundRoleError(rows[0].role);
}
