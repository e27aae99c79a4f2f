import { createHash } from 'node:crypto';
import { readFileSync, readdirSync } from 'node:fs';
import path from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import pg from 'pg';
import type { ConnectionConfig } from './connection.ts';
import type { Client, DatabaseError } from 'pg';
import { OperatorError } from './operator-error.ts';

export interface Migration {
  version: number;
  name: string;
  sql: string;
  checksum: string;
}

/** The history in the database and the files do not fit together; nothing was changed. */
export class MigrationHistoryError extends OperatorError {
  override readonly name = 'MigrationHistoryError';
}

/** Any constant of our own: two starts migrate one after the other. */
const advisoryLockKey = 7_305_820_411;
/** A migration that waits longer than this for a table lock would queue every reader behind it: better to fail and try later. */
const lockTimeoutMs = 5_000;

/**
 * Brings the database to the newest migration as its owner. Each file runs in a transaction of its own together with its
 * history row; several processes may call it at once.
 * @param directory holds NNNN_title.sql files
 * @returns the names of the migrations this call applied, in order
 * @throws MigrationHistoryError when an applied file changed or is missing, a new one was put before an applied one, or numbers repeat
 */
export async function migrate(connection: ConnectionConfig, directory: string): Promise<string[]> {
  return asOwner(connection, (client) => migrateOn(client, directory));
}

/**
 * One after the other with every other start and migration of this database.
 * @param connection of the database's owner, for as long as `work` takes
 */
export async function asOwner<T>(connection: ConnectionConfig, work: (client: Client) => Promise<T>): Promise<T> {
  const client = new pg.Client({ ...connection, options: '-c timezone=UTC' });
  // A lost connection also rejects the running query; without a listener the event alone would end the process.
  client.on('error', () => undefined);
  await client.connect();
  try {
    await client.query('select pg_advisory_lock($1)', [advisoryLockKey]);
    return await work(client);
  } finally {
    await client.end();
  }
}

/**
 * As `migrate`, on a connection that holds the lock (`asOwner`).
 * @param upTo the newest migration to apply; what a backup of an older version is put into
 */
export async function migrateOn(client: Client, directory: string, upTo = Infinity): Promise<string[]> {
  const migrations = readMigrations(directory).filter(({ version }) => version <= upTo);
  await client.query(`create table if not exists schema_migrations (
    version integer primary key, name text not null, checksum text not null, applied_at timestamptz not null default now())`);
  const pending = migrations.slice(await appliedCount(client, migrations));
  for (const migration of pending) await applyWithRetry(client, migration);
  await refuseSessionTables(client);
  return pending.map(({ name }) => name);
}

/**
 * Only the owner of the database makes tables of a session: whoever else could, would put one named `agreements` before the one that a guard means. The right
 * is the database's own, comes along neither with a template nor with a dump, and so is taken from everybody whenever the owner is here.
 */
async function refuseSessionTables(client: Client): Promise<void> {
  const { rows } = await client.query<{ name: string }>(
    `select datname as name from pg_database, aclexplode(coalesce(datacl, acldefault('d', datdba)))
     where datname = current_database() and grantee = 0 and privilege_type = 'TEMPORARY'`,
  );
  for (const { name } of rows)
    await client.query(`revoke temporary on database ${pg.escapeIdentifier(name)} from public`);
}

/**
 * Whether the database is what this version of Kist expects; for a server that was not given the owner's account.
 * @param client any account that may read the history
 * @throws MigrationHistoryError saying what is missing or does not fit
 */
export async function assertMigrated(client: Pick<Client, 'query'>, directory: string): Promise<void> {
  const migrations = readMigrations(directory);
  const { rows } = await client.query<{ there: boolean }>(
    `select to_regclass('public.schema_migrations') is not null as there`,
  );
  const applied = rows[0]?.there ? await appliedCount(client, migrations) : 0;
  const [next] = migrations.slice(applied);
  if (next !== undefined)
    throw new MigrationHistoryError(
      `The database lacks migration ${next.name} (${migrations.length - applied} in all). Start once with KIST_OWNER_URL, the account that owns the tables.`,
    );
}

/** Reads and checks the files of a migrations directory, in order. */
export function readMigrations(directory: string): Migration[] {
  const names = readdirSync(directory)
    .filter((name) => name.endsWith('.sql'))
    .sort();
  let last = 0;
  return names.map((name) => {
    const version = Number(/^(\d{4})_[a-z0-9_]+\.sql$/.exec(name)?.[1]);
    if (!(version > last))
      throw new MigrationHistoryError(`${name} is not named NNNN_title.sql with a number of its own.`);
    last = version;
    const sql = readFileSync(path.join(directory, name), 'utf8').replaceAll('\r\n', '\n');
    return { version, name, sql, checksum: createHash('sha256').update(sql).digest('hex') };
  });
}

async function appliedCount(client: Pick<Client, 'query'>, migrations: Migration[]): Promise<number> {
  const { rows } = await client.query<{ version: number; name: string; checksum: string }>(
    'select version, name, checksum from schema_migrations order by version',
  );
  for (const [index, applied] of rows.entries()) {
    const file = migrations[index];
    if (file === undefined) {
      throw new MigrationHistoryError(
        `The database has migration ${applied.name}, which this version of Kist does not know.`,
      );
    }
    if (file.version !== applied.version || file.checksum !== applied.checksum) {
      throw new MigrationHistoryError(
        `Migration ${file.name} differs from ${applied.name} as it was applied to this database. Applied migrations never change: write a new one.`,
      );
    }
  }
  return rows.length;
}

/** Roles belong to the whole server: two databases migrated at the same moment may collide while creating them. */
async function applyWithRetry(client: Client, migration: Migration, triesLeft = 5): Promise<void> {
  try {
    await apply(client, migration);
  } catch (error) {
    await client.query('rollback');
    if (triesLeft === 0 || !isRoleCollision(error as DatabaseError)) throw error;
    await sleep(50 + Math.random() * 100);
    await applyWithRetry(client, migration, triesLeft - 1);
  }
}

async function apply(client: Client, { version, name, sql, checksum }: Migration): Promise<void> {
  await client.query(`begin; set local lock_timeout = ${lockTimeoutMs}`);
  try {
    await client.query(sql);
  } catch (error) {
    const { message, position } = error as DatabaseError;
    const line = position === undefined ? '' : `, line ${sql.slice(0, Number(position)).split('\n').length}`;
    throw Object.assign(new Error(`Migration ${name}${line}: ${message}`, { cause: error }), {
      code: (error as DatabaseError).code,
      constraint: (error as DatabaseError).constraint,
    });
  }
  await client.query('insert into schema_migrations (version, name, checksum) values ($1, $2, $3)', [
    version,
    name,
    checksum,
  ]);
  await client.query('commit');
}

function isRoleCollision({ code, constraint, message }: DatabaseError): boolean {
  return (
    code === '42710' ||
    (code === '23505' && (constraint ?? '').startsWith('pg_auth')) ||
    (code === 'XX000' && message.includes('concurrently'))
  );
}
