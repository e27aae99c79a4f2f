import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { createTestDatabase } from '#test/database.ts';
import { MigrationHistoryError, migrate } from './migrate.ts';

const { owner: template, asOwner } = await createTestDatabase();
let owner = template;
let folder = '';
let number = 0;

const put = (name: string, sql: string) => writeFileSync(path.join(folder, name), sql);
const tables = async () => {
  const rows = await (
    await connect()
  )(`select relname as name from pg_class where relnamespace = 'public'::regnamespace and relkind = 'r' order by 1`);
  return rows.map(({ name }) => name);
};
async function connect() {
  const { default: pg } = await import('pg');
  return async (text: string) => {
    const client = new pg.Client(owner);
    await client.connect();
    try {
      return (await client.query<{ name: string }>(text)).rows;
    } finally {
      await client.end();
    }
  };
}

beforeEach(async () => {
  folder = mkdtempSync(path.join(tmpdir(), 'kist-migrations-'));
  const name = `kist_test_${process.pid}_${Date.now().toString(36)}_m${++number}`;
  await asOwner(`create database ${name}`);
  owner = { ...template, database: name };
  put('0001_first.sql', 'create table first (id int); insert into first values (1);');
});
afterEach(async () => {
  rmSync(folder, { recursive: true });
  await asOwner(`drop database ${owner.database} with (force)`);
});

describe('migrations', () => {
  test('run in order, once, gaps in the numbers allowed', async () => {
    put('0010_second.sql', 'alter table first add column name text;');
    expect(await migrate(owner, folder)).toEqual(['0001_first.sql', '0010_second.sql']);
    expect(await migrate(owner, folder)).toEqual([]);
    put('0011_third.sql', 'create table third (id int)');
    expect(await migrate(owner, folder)).toEqual(['0011_third.sql']);
    expect(await tables()).toEqual(['first', 'schema_migrations', 'third']);
  });

  test('leave nobody but the owner a table of a session, in a copy of the database too once the owner was there', async () => {
    const mayAnybody = async () =>
      (
        await (
          await connect()
        )(`select has_database_privilege('kist_app', current_database(), 'temporary')::text as name`)
      )[0]?.name;
    expect(await mayAnybody()).toBe('true');
    await migrate(owner, folder);
    expect(await mayAnybody()).toBe('false');
    await asOwner(`grant temporary on database ${owner.database} to public`);
    expect(await migrate(owner, folder)).toEqual([]);
    expect(await mayAnybody()).toBe('false');
  });

  test('asked for by five processes at once run once', async () => {
    const runs = await Promise.all(Array.from({ length: 5 }, () => migrate(owner, folder)));
    expect(runs.flat()).toEqual(['0001_first.sql']);
  });

  test('that fail leave nothing of themselves, keep what was before, name the file and line, and run when mended', async () => {
    put('0002_broken.sql', 'create table half (id int);\n\nselect no_such_column from first;');
    await expect(migrate(owner, folder)).rejects.toThrow(/0002_broken\.sql, line 3: .*no_such_column/);
    expect(await tables()).toEqual(['first', 'schema_migrations']);
    put('0002_broken.sql', 'create table half (id int);');
    expect(await migrate(owner, folder)).toEqual(['0002_broken.sql']);
  });

  test('changed after they ran are refused, and nothing else runs', async () => {
    await migrate(owner, folder);
    put('0001_first.sql', 'create table first (id bigint);');
    put('0002_next.sql', 'create table next (id int)');
    await expect(migrate(owner, folder)).rejects.toThrow(MigrationHistoryError);
    expect(await tables()).toEqual(['first', 'schema_migrations']);
  });

  test('put before applied ones, missing, or numbered twice are refused', async () => {
    put('0005_fifth.sql', 'select 1');
    await migrate(owner, folder);
    put('0003_late.sql', 'select 1');
    await expect(migrate(owner, folder)).rejects.toThrow(MigrationHistoryError);
    rmSync(path.join(folder, '0003_late.sql'));
    rmSync(path.join(folder, '0005_fifth.sql'));
    await expect(migrate(owner, folder)).rejects.toThrow(/0005_fifth\.sql, which this version of Kist does not know/);
    put('0005_fifth.sql', 'select 1');
    put('0005_again.sql', 'select 1');
    await expect(migrate(owner, folder)).rejects.toThrow(MigrationHistoryError);
  });

  test('with other line endings are the same', async () => {
    put('0002_two.sql', 'select 1;\nselect 2;\n');
    await migrate(owner, folder);
    put('0002_two.sql', 'select 1;\r\nselect 2;\r\n');
    expect(await migrate(owner, folder)).toEqual([]);
  });

  test('badly named are refused', async () => {
    put('2_short.sql', 'select 1');
    await expect(migrate(owner, folder)).rejects.toThrow(/2_short\.sql/);
  });
});
