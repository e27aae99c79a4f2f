import { chmodSync, existsSync, mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import pg from 'pg';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { checkBackup, writeBackup } from '#server/platform/backup/backup.ts';
import { restoreInto } from '#server/platform/backup/restore.ts';
import { whileTakingRows } from '#server/platform/backup/tables.ts';
import { createDiskBlobs } from '#server/platform/blobs.ts';
import { startEmbedded } from '#server/platform/embedded/start.ts';
import { createLog } from '#server/platform/log.ts';
import { migrateOn } from '#server/platform/migrate.ts';
import { makeDataDir } from '#server/platform/secrets.ts';
import { asOwner, fill, kist } from '#test/data-folders.ts';
import { dumps, readDump, seeingAll } from '#test/landed/dump.ts';
import { migrationsDirectory } from '#test/template.ts';

/** Restores that are not of a whole and current backup. */
const root = mkdtempSync(path.join(tmpdir(), 'kist-restore-'));
chmodSync(root, process.getuid?.() === 0 ? 0o711 : 0o700);
afterAll(() => rmSync(root, { recursive: true, force: true, maxRetries: 5, retryDelay: 100 }));
const KEY = 'a key of this test, long enough';
const source = path.join(root, 'source');
const backup = path.join(root, 'backup.kist');
const PICTURE = 'documents/20/ab/01900000-0000-7000-8000-0000000000ab';
const run = (dataDir: string, ...args: string[]) => kist({ KIST_DATA_DIR: dataDir, KIST_BACKUP_KEY: KEY }, ...args);

/** What nobody may do while it is served: one amount, one line of a history and one picture's file are others than they were, and a function is made. */
const damage = (client: pg.Client) =>
  seeingAll(client, async () => {
    for (const table of ['journal_lines', 'audit_lines', 'documents', 'secret_marks'])
      await client.query(`alter table ${table} disable trigger user`);
    await client.query(
      `update journal_lines set debit = debit + 1 where ctid = (select ctid from journal_lines where debit > 0 limit 1)`,
    );
    await client.query(
      `update audit_lines set data = data || '{"by": "nobody"}' where ctid = (select ctid from audit_lines order by org_id, subject_id, seq limit 1)`,
    );
    await client.query(
      `update documents set sealed = null, key_sealed = decode(repeat('00', 65), 'hex') where ctid = (select ctid from documents where sealed is not null limit 1)`,
    );
    await client.query(
      `insert into secret_marks (name, mark) values ('pepper', repeat('0', 64)) on conflict do nothing`,
    );
    await client.query(`create function public.kist_of_its_day() returns int language sql as 'select 7'`);
    for (const table of ['journal_lines', 'audit_lines', 'documents', 'secret_marks'])
      await client.query(`alter table ${table} enable trigger user`);
  });

beforeAll(async () => {
  makeDataDir(source);
  await fill(source);
  await asOwner(source, damage);
  await createDiskBlobs(path.join(source, 'blobs')).put(PICTURE, Buffer.from('sealed pixels'));
  const { code, err } = await run(source, 'backup', backup);
  if (code !== 0) throw new Error(err);
}, 200_000);

test(
  'what was out of order is restored as it was and said: books, histories, pictures without a file, secrets that are missing',
  { timeout: 200_000 },
  async () => {
    const target = path.join(root, 'target');
    const restoring = run(target, 'restore', backup, '--json');
    // From the first file of the database on it shows that the rest is not there yet.
    while (!existsSync(path.join(target, 'postgres'))) await new Promise((resolve) => setTimeout(resolve, 20));
    expect(existsSync(path.join(target, 'restore-unfinished'))).toBe(true);
    const { code, out } = await restoring;
    const { is_in_order, organisations, secrets_missing } = JSON.parse(out);
    expect([code, is_in_order, secrets_missing]).toEqual([1, false, ['pepper']]);
    const faulty = (what: (one: { books: string[]; audit: number; missing_files: number }) => boolean) =>
      organisations.filter(what).length;
    expect(faulty(({ books }) => books.length > 0)).toBe(1);
    expect(faulty(({ audit }) => audit > 0)).toBe(1);
    expect(faulty(({ missing_files }) => missing_files > 0)).toBe(1);
    const { rows } = await asOwner(target, (client) => client.query('select kist_of_its_day() as day'));
    expect(rows).toEqual([{ day: 7 }]);
  },
);

test('a restore or a backup that fails in the middle leaves nothing behind', { timeout: 200_000 }, async () => {
  const target = path.join(root, 'failed');
  // No folder is made below a file: the rows are in, and the first picture finds no place.
  const nowhere = { KIST_DATA_DIR: target, KIST_BLOBS_DIR: path.join(backup, 'pictures'), KIST_BACKUP_KEY: KEY };
  const restored = await kist(nowhere, 'restore', backup);
  expect([restored.code, restored.out]).toEqual([1, '']);
  expect(readdirSync(target)).toEqual([]);

  const made = await kist({ ...nowhere, KIST_DATA_DIR: source }, 'backup', path.join(root, 'away.kist'));
  expect(made.err).toContain('ENOTDIR');
  expect([made.code, readdirSync(root).filter((name) => name.startsWith('away'))]).toEqual([1, []]);
});

test(
  'a backup of an older version comes back as that version, and is brought up to date from there',
  { timeout: 200_000 },
  async () => {
    const log = createLog('silent');
    const dump = readDump(dumps().at(-1)!);
    const blobs = createDiskBlobs(path.join(root, 'old-blobs'));
    const file = path.join(root, 'old.kist');
    const old = path.join(root, 'old');
    makeDataDir(old);
    await asOwner(old, async (client) => {
      await migrateOn(client, migrationsDirectory, dump.version);
      await whileTakingRows(client, async () => {
        for (const { name, rows } of dump.tables)
          await client.query(
            `insert into ${name} select (t.r).* from (select u::${name} as r from unnest($1::text[]) u offset 0) t`,
            [rows],
          );
      });
    });
    const of = await startEmbedded({ dataDir: path.join(old, 'postgres'), log });
    try {
      await writeBackup({ owner: of.connectionConfig, organisations: [20], blobs, mode: 'demo' }, file, KEY);
    } finally {
      await of.stop();
    }
    const target = path.join(root, 'old-target');
    makeDataDir(target);
    const into = await startEmbedded({ dataDir: path.join(target, 'postgres'), log });
    try {
      const contents = await checkBackup(file, KEY);
      expect(contents.about.migrations.at(-1)?.version).toBe(dump.version);
      const given = { file, passphrase: KEY, about: contents.about };
      const restored = await restoreInto({ owner: into.connectionConfig, blobs, migrationsDirectory }, given);
      expect(restored).toEqual({ rows: contents.rows, files: contents.files });
    } finally {
      await into.stop();
    }
    await asOwner(target, async (client) => {
      const newest = async () => (await client.query('select max(version) as at from schema_migrations')).rows[0].at;
      expect(await newest()).toBe(dump.version);
      await migrateOn(client, migrationsDirectory);
      expect(await newest()).toBeGreaterThan(dump.version);
    });
  },
);

test(
  'everything in a backup is of one moment, whatever is written while it is made',
  { timeout: 200_000 },
  async () => {
    const { connectionConfig: owner, stop } = await startEmbedded({
      dataDir: path.join(source, 'postgres'),
      log: createLog('silent'),
    });
    const writer = new pg.Client(owner);
    try {
      await writer.connect();
      const kept = {
        owner,
        organisations: [20],
        blobs: createDiskBlobs(path.join(source, 'blobs')),
        mode: 'demo' as const,
      };
      const before = await writeBackup(kept, path.join(root, 'before.kist'), KEY);
      // It knows its moment by then, and waits at the first table that it may not read yet.
      await writer.query(`insert into secret_marks (name, mark) values ('agent_key', repeat('0', 64))`);
      await writer.query('begin; lock table users in access exclusive mode');
      const meanwhile = writeBackup(kept, path.join(root, 'meanwhile.kist'), KEY);
      const waits = async () => (await writer.query('select from pg_locks where not granted')).rowCount;
      while ((await waits()) === 0) await new Promise((resolve) => setTimeout(resolve, 20));
      await writer.query(`delete from secret_marks; commit`);
      expect((await meanwhile).rows).toBe(before.rows + 1);
      expect((await checkBackup(path.join(root, 'meanwhile.kist'), KEY)).rows).toBe(before.rows + 1);
    } finally {
      await writer.end();
      await stop();
    }
  },
);
