import { randomBytes } from 'node:crypto';
import { existsSync, mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import pg from 'pg';
import { afterEach, describe, expect, test } from 'vitest';
import { migrationsDirectory } from '#test/template.ts';
import { NotPreparedError, PowerfulAccountError } from './accounts.ts';
import { OperatorMissingError, bootDatabase } from './boot.ts';
import type { BootOptions } from './boot.ts';
import { ClockMovedError, setClockOffset } from './clock.ts';
import type { ConnectionConfig } from './connection.ts';
import { DurabilityError } from './durability.ts';
import { startEmbedded } from './embedded/start.ts';
import { ModeMismatchError } from './installation.ts';
import { createLog } from './log.ts';
import { type Secrets, SecretsMismatchError, marksOf } from './secret-marks.ts';
import { newSigningKeyPem, signingKeyFromPem } from './signing-key.ts';
import { UnfinishedRestoreError, noteRestore, restoreEnded } from './unfinished-restore.ts';

const log = createLog('silent');
const cleanUps: (() => Promise<void> | void)[] = [];
afterEach(async () => {
  for (const cleanUp of cleanUps.splice(0).toReversed()) await cleanUp();
});

function options(more: Partial<BootOptions> = {}): BootOptions {
  const dataDir = mkdtempSync(path.join(tmpdir(), 'kist-boot-'));
  cleanUps.push(() => rmSync(dataDir, { recursive: true }));
  return {
    connection: undefined,
    ownerConnection: undefined,
    dataDir,
    migrationsDirectory,
    mode: 'production',
    demoSlug: 'the-demo',
    log,
    ...more,
  };
}

/** Somebody else's PostgreSQL, as far as the boot knows: reached by connections only. */
async function otherServer(settings: Record<string, string> = {}) {
  const given = options();
  const server = await startEmbedded({ dataDir: path.join(given.dataDir, 'other'), log, settings });
  cleanUps.push(server.stop);
  const owner = server.connectionConfig;
  await asking(owner, `create role shop_server login password 'a'; create role shop_guest login password 'b'`);
  return {
    given,
    owner,
    serving: { ...owner, user: 'shop_server', password: 'a' },
    guest: { ...owner, user: 'shop_guest', password: 'b' },
  };
}

async function asking(connection: ConnectionConfig, text: string): Promise<Record<string, unknown>[]> {
  const client = new pg.Client(connection);
  await client.connect();
  try {
    return (await client.query(text)).rows as Record<string, unknown>[];
  } finally {
    await client.end();
  }
}

const list = `insert into org_directory (org_id, slug, name) values (20, 'kept', 'Kept')`;

test('an empty data folder becomes a database that serves; the second boot finds it; stopping leaves nothing running', async () => {
  const given = options();
  const first = await bootDatabase(given);
  await first.database.ping();
  await first.openOperator().unscoped((tx) => tx.query(list));
  await first.stop();
  const second = await bootDatabase(given);
  const { rows } = await second.database.unscoped((tx) => tx.query('select slug from org_directory'));
  expect(rows).toEqual([{ slug: 'kept' }]);
  await second.stop();
  await expect(second.database.ping()).rejects.toThrow(/away/);
});

test('a moved clock is refused in production', async () => {
  const given = options();
  const first = await bootDatabase(given);
  await first.openOperator().unscoped((tx) => setClockOffset(tx, 86_400));
  await expect(bootDatabase(given)).rejects.toThrow(ClockMovedError);
  await first.stop();
});

test.each(['fsync', 'full_page_writes', 'synchronous_commit'])(
  'a server with %s off is refused by name',
  async (setting) => {
    const { given, owner, serving } = await otherServer({ [setting]: 'off' });
    const boot = bootDatabase({ ...given, connection: serving, ownerConnection: owner });
    await expect(boot).rejects.toThrow(DurabilityError);
    await expect(boot).rejects.toMatchObject({ settings: [setting] });
  },
);

test('a restore that was cut off is not served', async () => {
  const given = options();
  noteRestore(given.dataDir);
  await expect(bootDatabase(given)).rejects.toThrow(UnfinishedRestoreError);
  restoreEnded(given.dataDir);
  await (await bootDatabase(given)).stop();
});

describe('the mode', () => {
  test.each(['demo', 'production'] as const)(
    'of the first start is stamped; a %s database refuses the other mode by name, whatever stands in it, and stays as it was',
    async (mode) => {
      const given = options({ mode });
      const first = await bootDatabase(given);
      await first.openOperator().unscoped((tx) => tx.query(list));
      const wrong = bootDatabase({
        ...given,
        mode: mode === 'demo' ? 'production' : 'demo',
        whileOwner: (owner) => owner.query('truncate org_directory cascade').then(() => undefined),
      });
      await expect(wrong).rejects.toThrow(ModeMismatchError);
      await expect(wrong).rejects.toThrow(`This database is a ${mode} database`);
      const { rows } = await first.database.unscoped((tx) => tx.query('select slug from org_directory'));
      expect(rows).toEqual([{ slug: 'kept' }]);
      await first.stop();
    },
  );

  test('of a database older than the stamp: the demo shop alone makes a demo, any other organisation, also beside it, is taken for real', async () => {
    const { given, owner, serving } = await otherServer();
    const start = (mode: 'demo' | 'production') =>
      bootDatabase({ ...given, connection: serving, ownerConnection: owner, mode });
    await (await start('production')).stop();
    const forgetStamp = (directory: string) =>
      asking(owner, `delete from installation; delete from org_directory; ${directory}`);
    await forgetStamp(list);
    await expect(start('demo')).rejects.toThrow('This database is a production database');
    expect(await asking(owner, 'select mode from installation')).toEqual([]);
    await forgetStamp(`${list}, (21, 'the-demo', 'Sunita Mobile')`);
    await expect(start('demo')).rejects.toThrow('This database is a production database');
    expect(await asking(owner, 'select mode from installation')).toEqual([]);
    await (await start('production')).stop();
    expect(await asking(owner, 'select mode from installation')).toEqual([{ mode: 'production' }]);
    await forgetStamp(`insert into org_directory (org_id, slug, name) values (20, 'the-demo', 'Sunita Mobile')`);
    await expect(start('production')).rejects.toThrow('This database is a demo database');
    await (await start('demo')).stop();
    expect(await asking(owner, 'select mode from installation')).toEqual([{ mode: 'demo' }]);
  });
});

describe('the secrets', () => {
  const agentKey = signingKeyFromPem(newSigningKeyPem());
  const pepper = randomBytes(32);
  const [first, second] = [randomBytes(32), randomBytes(32)];
  const ring = (...keys: [number, Buffer][]) => ({ current: keys[0]![0], keys: new Map(keys) });
  const all = { pepper, keys: ring([1, first]), agentKey };

  test('that a database was made with are the only ones it is served with: others are refused by name before anything is touched', async () => {
    const { given, owner, serving } = await otherServer();
    const start = (secrets: Partial<Secrets>, ownerConnection?: ConnectionConfig) =>
      bootDatabase({ ...given, connection: serving, ownerConnection, secrets: () => marksOf(secrets) });
    await (await start(all, owner)).stop();
    const noted = () => asking(owner, 'select name, mark from secret_marks order by name');
    const before = await noted();
    expect(before.map(({ name }) => name)).toEqual(['agent_key', 'pepper', 'sealing_key_1']);
    expect(JSON.stringify(before)).not.toContain(pepper.toString('hex'));

    const migrations = 'select count(*)::int as n from schema_migrations';
    const count = await asking(owner, migrations);
    await asking(owner, 'delete from schema_migrations where version = (select max(version) from schema_migrations)');
    for (const [wrong, name] of [
      [{ ...all, pepper: randomBytes(32) }, 'KIST_SECRET_PEPPER is another one'],
      [{ ...all, keys: ring([1, second]) }, 'key 1 of KIST_SECRET_KEY is another one'],
      [{ ...all, keys: ring([2, second]) }, 'key 1 of KIST_SECRET_KEY is missing'],
      [{ ...all, agentKey: signingKeyFromPem(newSigningKeyPem()) }, 'the agent signing key'],
      [{}, 'KIST_SECRET_PEPPER is missing'],
    ] as const) {
      await expect(start(wrong, owner), name).rejects.toThrow(SecretsMismatchError);
      await expect(start(wrong, owner)).rejects.toThrow(name);
    }
    expect(await noted()).toEqual(before);
    expect(await asking(owner, migrations)).toEqual([{ n: Number(count[0]!['n']) - 1 }]);
  });

  test('a new sealing key is noted beside the old ones by a start of the owner, and not without', async () => {
    const { given, owner, serving } = await otherServer();
    const start = (secrets: Partial<Secrets>, ownerConnection?: ConnectionConfig) =>
      bootDatabase({ ...given, connection: serving, ownerConnection, secrets: () => marksOf(secrets) });
    await (await start(all, owner)).stop();
    const rotated = { ...all, keys: ring([2, second], [1, first]) };
    await expect(start(rotated)).rejects.toThrow(/key 2 of KIST_SECRET_KEY\. Start once with KIST_OWNER_URL/);
    await (await start(rotated, owner)).stop();
    await (await start(rotated)).stop();
    await expect(start(all)).rejects.toThrow('key 2 of KIST_SECRET_KEY is missing');
    await expect(start({ ...rotated, pepper: randomBytes(32) })).rejects.toThrow('KIST_SECRET_PEPPER is another one');
  });

  test('of a database from before are noted at its first start, which alone may make new ones', async () => {
    const given = options();
    await (await bootDatabase(given)).stop();
    const mayMake: boolean[] = [];
    const secrets = (may: boolean) => {
      mayMake.push(may);
      return marksOf(all);
    };
    await (await bootDatabase({ ...given, secrets })).stop();
    await (await bootDatabase({ ...given, secrets })).stop();
    expect(mayMake).toEqual([true, false]);
    await expect(
      bootDatabase({ ...given, secrets: () => marksOf({ ...all, pepper: randomBytes(32) }) }),
    ).rejects.toThrow(SecretsMismatchError);
  });
});

describe('the account that serves', () => {
  const attempts = [
    'set role postgres',
    'set session authorization postgres',
    'set role kist_operator',
    `copy (select 1) to program 'true'`,
    `select pg_read_file('/etc/passwd')`,
    'alter table audit_lines disable row level security',
    `update clock_offset set shift = '1 day'`,
    `insert into org_directory (org_id, slug, name) values (99, 'x', 'x')`,
    `update org_directory set name = 'x'`,
    'delete from org_directory',
    `update installation set mode = 'demo'`,
    'delete from schema_migrations',
    'delete from secret_marks',
    `insert into secret_marks (name, mark) values ('sealing_key_2', '${'0'.repeat(64)}')`,
    'truncate agreements cascade',
    'create table mine (n integer)',
    'create function f() returns integer language sql as $$ select 1 $$',
    'create role other superuser',
    'alter role kist_app bypassrls',
    `grant kist_operator to kist_server`,
  ];

  test('can become nobody else and change neither clock nor directory nor tables, in either of its roles or as itself', async () => {
    const given = options();
    const booted = await bootDatabase(given);
    const connection = booted.connection;
    expect(await asking(connection, 'select session_user as who, current_user as as_whom')).toEqual([
      { who: 'kist_server', as_whom: 'kist_server' },
    ]);
    for (const role of ['none', 'kist_app', 'kist_device'])
      for (const attempt of attempts)
        await expect(asking(connection, `set role ${role}; ${attempt}`), `${role}: ${attempt}`).rejects.toThrow(
          /permission denied|must be owner|must be superuser|not permitted|only roles|may not|Only roles/i,
        );
    await booted.stop();
  });

  test('shows a password, like everybody; the passwords lie in files that only this account reads', async () => {
    const given = options();
    const booted = await bootDatabase(given);
    for (const user of ['postgres', 'kist_server', 'kist_operator', 'kist_app'])
      for (const password of [undefined, 'wrong', ''])
        await expect(asking({ ...booted.connection, user, password: password! }, 'select 1')).rejects.toThrow(
          /password/i,
        );
    const rules = readFileSync(path.join(given.dataDir, 'postgres/cluster/pg_hba.conf'), 'utf8');
    expect(rules).not.toMatch(/trust|peer|ident|reject/);
    for (const account of ['postgres', 'kist_server', 'kist_operator'])
      expect(statSync(path.join(given.dataDir, `postgres/password-${account}`)).mode & 0o777).toBe(0o600);
    await booted.stop();
  });

  test('of somebody else’s PostgreSQL is let serve by the owner, and refused while it has power of its own', async () => {
    const { given, owner, serving, guest } = await otherServer();
    const start = (connection: ConnectionConfig, ownerConnection?: ConnectionConfig) =>
      bootDatabase({ ...given, connection, ownerConnection });
    await expect(start(serving)).rejects.toThrow(NotPreparedError);
    const booted = await start(serving, owner);
    await booted.database.ping();
    await booted.openOperator().unscoped((tx) => tx.query(list));
    await booted.stop();
    const withoutOwner = await start(serving);
    expect(() => withoutOwner.openOperator()).toThrow(OperatorMissingError);
    await withoutOwner.stop();
    await expect(start(owner, owner)).rejects.toThrow(PowerfulAccountError);
    for (const [power, back] of [
      ['alter role shop_server superuser', 'alter role shop_server nosuperuser'],
      ['alter role shop_server createrole', 'alter role shop_server nocreaterole'],
      ['grant pg_read_server_files to shop_server', 'revoke pg_read_server_files from shop_server'],
      ['grant kist_operator to shop_server', 'revoke kist_operator from shop_server'],
      ['grant postgres to shop_server', 'revoke postgres from shop_server'],
    ] as const) {
      await asking(owner, power);
      await expect(start(serving, owner), power).rejects.toThrow(PowerfulAccountError);
      await asking(owner, back);
    }
    await expect(start(guest)).rejects.toThrow(/KIST_OWNER_URL/);
    for (const role of ['kist_app', 'kist_device']) {
      await asking(owner, `alter role ${role} bypassrls`);
      for (const prepares of [owner, undefined])
        await expect(start(serving, prepares), role).rejects.toThrow(/bypasses row-level security/);
      await asking(owner, `alter role ${role} nobypassrls`);
    }
  });

  test('is let serve by an owner that is no superuser, as the runbook makes one', async () => {
    const { given, owner } = await otherServer();
    const runbook = readFileSync(path.join(import.meta.dirname, '../../../../docs/runbook.md'), 'utf8');
    const [, made = ''] = /^## Move to a PostgreSQL server$[^]*?^```sql$([^]*?)^```$/m.exec(runbook) ?? [];
    for (const statement of made.split(';').filter((text) => text.trim() !== ''))
      await asking(owner, statement.replaceAll('…', 'c'));
    const connection = { ...owner, user: 'kist_server', password: 'c', database: 'kist' };
    const ownerConnection = { ...owner, user: 'kist_owner', password: 'c', database: 'kist' };
    const booted = await bootDatabase({ ...given, connection, ownerConnection });
    await booted.openOperator().transaction(20, async (tx) => {
      await tx.query(list);
      await tx.query(`insert into organisations (org_id, org_name, company_name) values (20, 'Kept', 'Kept')`);
    });
    await booted.stop();
    const again = await bootDatabase({ ...given, connection, ownerConnection: undefined });
    const { rows } = await again.database.read(20, (tx) => tx.query('select org_name from organisations'));
    expect(rows).toEqual([{ org_name: 'Kept' }]);
    await again.stop();
  });

  test('finds its way after an older cluster that asked for no password, and after the owner’s password was lost', async () => {
    const given = options();
    const first = await bootDatabase(given);
    await first.openOperator().unscoped((tx) => tx.query(list));
    await first.stop();
    const rules = path.join(given.dataDir, 'postgres/cluster/pg_hba.conf');
    for (const spoil of [
      () => writeFileSync(rules, 'local all all trust\nhost all all 127.0.0.1/32 trust\n'),
      () => rmSync(path.join(given.dataDir, 'postgres/password-postgres')),
      () => rmSync(path.join(given.dataDir, 'postgres/password-kist_server')),
    ]) {
      spoil();
      const again = await bootDatabase(given);
      expect(readFileSync(rules, 'utf8')).not.toContain('trust');
      expect(existsSync(path.join(given.dataDir, 'postgres/password-postgres'))).toBe(true);
      const { rows } = await again.database.unscoped((tx) => tx.query('select slug from org_directory'));
      expect(rows).toEqual([{ slug: 'kept' }]);
      await again.stop();
    }
  });
});
