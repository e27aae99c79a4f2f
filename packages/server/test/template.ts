import { createHash } from 'node:crypto';
import path from 'node:path';
import type { Client } from 'pg';
import { letServe } from '#server/platform/accounts.ts';
import { connectionFromUrl } from '#server/platform/connection.ts';
import type { ConnectionConfig } from '#server/platform/connection.ts';
import { startEmbedded } from '#server/platform/embedded/start.ts';
import { migrate, readMigrations } from '#server/platform/migrate.ts';
import { asDatabase, dropDatabase } from './server.ts';

const packageRoot = path.join(import.meta.dirname, '..');
export const migrationsDirectory = path.join(packageRoot, 'migrations');
/** Kept between runs (a warm start costs 50 ms) and shared by runs at the same time; ignored by git. */
const dataDir = path.join(packageRoot, '../../artifacts/test-postgres');
/** What a test wrote need not outlast a power cut: a commit costs a tenth without it. Delete the folder after one. */
const settings = {
  max_connections: '400',
  fsync: 'off',
  synchronous_commit: 'off',
  full_page_writes: 'off',
  shared_buffers: '128MB',
  // Each file has connections of its own, which would plan each statement anew five times before they kept a plan.
  plan_cache_mode: 'force_generic_plan',
};
/** Databases of killed runs, and templates of migrations that have changed since. */
const leftoverAgeHours = 12;
const advisoryLockKey = 7_305_820_412;

/** A server and a database on it with every migration applied, to be cloned. `stop` ends this use of the server. */
export interface TemplateServer {
  /** Its superuser, or whoever owns the tables there. */
  connection: ConnectionConfig;
  /** An account that can do nothing but serve, made for tests. */
  serving: ConnectionConfig;
  template: string;
  stop: () => Promise<void>;
}

/** DATABASE_URL when given, else the embedded PostgreSQL. The template is migrated once for each state of the migrations. */
export async function startTemplateServer(): Promise<TemplateServer> {
  const { connection, stop } = await startServer();
  const serving = { ...connection, user: 'kist_test_server', password: 'kist-test-server' };
  const template = await asDatabase(connection, async (client) => {
    await client.query('select pg_advisory_lock($1)', [advisoryLockKey]);
    await dropLeftovers(connection);
    const name = await ensureTemplate(connection);
    await ensureServing(client, serving);
    return name;
  });
  return { connection, serving, template, stop };
}

async function startServer(): Promise<{ connection: ConnectionConfig; stop: () => Promise<void> }> {
  const url = process.env.DATABASE_URL;
  if (url !== undefined) return { connection: connectionFromUrl(url), stop: async () => undefined };
  const quiet = { info: () => undefined, warn: () => undefined };
  const server = await startEmbedded({ dataDir, log: quiet, settings });
  return { connection: server.connectionConfig, stop: server.stop };
}

async function ensureServing(owner: Client, { user, password }: { user: string; password: string }): Promise<void> {
  const { rows } = await owner.query('select from pg_roles where rolname = $1', [user]);
  if (rows.length === 0) await owner.query(`create role ${user} login noinherit`);
  await owner.query(`alter role ${user} password '${password}'`);
  await letServe(owner, user);
}

async function ensureTemplate(connection: ConnectionConfig): Promise<string> {
  const checksums = readMigrations(migrationsDirectory).map(({ checksum }) => checksum);
  const name = `kist_template_${createHash('sha256').update(checksums.join()).digest('hex').slice(0, 12)}`;
  const draft = `${name}_draft`;
  await asDatabase(connection, async (client) => {
    const { rowCount } = await client.query('select from pg_database where datname = $1', [name]);
    if (rowCount === 1) return;
    await client.query(`drop database if exists ${draft} with (force)`);
    await client.query(`create database ${draft}`);
    await migrate({ ...connection, database: draft }, migrationsDirectory);
    await asDatabase({ ...connection, database: draft }, letOwnerLook);
    await asDatabase({ ...connection, database: draft }, letClockBeMoved);
    await client.query(`comment on database ${draft} is '${new Date().toISOString()}'`);
    // Under its final name only when complete: a killed run leaves a draft.
    await client.query(`alter database ${draft} rename to ${name}`);
  });
  return name;
}

/**
 * Forced row-level security binds the owner of the tables too, unless a superuser. Tests look behind it, so in the template
 * an ordinary owner gets a policy of its own; the product's databases have none.
 */
async function letOwnerLook(client: Client): Promise<void> {
  await client.query(`do $$ declare tab regclass; begin
    if (select rolsuper from pg_roles where rolname = current_user) then return; end if;
    for tab in select oid from pg_class where relforcerowsecurity loop
      execute format('create policy test_owner on %s to %I using (true) with check (true)', tab, current_user);
    end loop; end $$`);
}

/** Tests sell phones of any day: whoever serves customers keeps real time, and there the database asks how old a sale is. */
const letClockBeMoved = (client: Client) => client.query(`update clock_offset set shift = interval '1 microsecond'`);

async function dropLeftovers(connection: ConnectionConfig): Promise<void> {
  const { rows } = await asDatabase(connection, (client) =>
    client.query<{ name: string; note: string | null }>(
      `select datname as name, shobj_description(oid, 'pg_database') as note from pg_database where datname ~ '^kist_(test|template)_'`,
    ),
  );
  const oldest = Date.now() - leftoverAgeHours * 3_600_000;
  for (const { name, note } of rows) {
    const madeAt = note === null ? testDatabaseMadeAt(name) : Date.parse(note);
    if (madeAt < oldest) await dropDatabase(connection, name);
  }
}

/** kist_test_<pid>_<milliseconds, base 36>_<number>; anything else is as old as it gets, except a draft being made. */
function testDatabaseMadeAt(name: string): number {
  if (name.endsWith('_draft')) return Date.now();
  return Number.parseInt(name.split('_')[3] ?? '0', 36);
}
