import { execFile } from 'node:child_process';
import { existsSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import pg from 'pg';
import { afterAll, expect, test } from 'vitest';
import { businessDate } from '@kist/contract/dates';
import * as organisations from '#server/organisations/organisations.ts';
import { DEMO_SLUG } from '#server/organisations/organisations.ts';
import { bootDatabase } from '#server/platform/boot.ts';
import type { Mode } from '#server/platform/installation.ts';
import { createLog } from '#server/platform/log.ts';
import { asOwnerOf, withOwner } from '#test/database.ts';
import { migrationsDirectory } from '#test/template.ts';
import { makeOrganisation, makeRetailer, makeSale, terms } from '#test/factories.ts';
import { programOf } from '#test/programs.ts';

const root = mkdtempSync(path.join(tmpdir(), 'kist-demo-'));
afterAll(() => rmSync(root, { recursive: true, force: true, maxRetries: 5, retryDelay: 100 }));

const boot = (dataDir: string, mode: Mode) =>
  bootDatabase({
    connection: undefined,
    ownerConnection: undefined,
    dataDir,
    migrationsDirectory,
    mode,
    demoSlug: DEMO_SLUG,
    log: createLog('silent'),
  });
function kist(env: Record<string, string>, ...args: string[]): Promise<{ code: number; said: string }> {
  const { PATH = '' } = process.env;
  return new Promise((resolve) =>
    execFile(process.execPath, [programOf('kist'), ...args], { env: { PATH, ...env } }, (error, out, err) =>
      resolve({ code: error ? Number(error.code) : 0, said: out + err }),
    ),
  );
}

test(
  'a demo is emptied, with its pictures and its phones, and not while it is served',
  { timeout: 120_000 },
  async () => {
    const dataDir = path.join(root, 'demo');
    const env = { KIST_DATA_DIR: dataDir };
    expect(await kist(env, 'demo', 'reset', '--yes')).toEqual({ code: 0, said: expect.stringContaining('no demo') });
    expect(existsSync(dataDir)).toBe(false);

    const booted = await boot(dataDir, 'demo');
    const { owner, connection: serving } = booted;
    const pool = new pg.Pool(owner);
    const db = withOwner(booted.database, {
      owner: owner!,
      serving,
      operator: booted.openOperator(),
      ...asOwnerOf(pool),
    });
    await makeOrganisation(db, 20);
    const shop = await makeRetailer(db, 20);
    await pool.end();
    await booted.database.transaction(20, (tx) =>
      makeSale(tx, shop, { terms: terms({ delivered_on: businessDate(Date.now()) }) }),
    );
    for (const folder of ['blobs/documents/20/ab', 'lab/phones']) {
      mkdirSync(path.join(dataDir, folder), { recursive: true });
      writeFileSync(path.join(dataDir, folder, 'one'), 'x');
    }
    const served = await kist(env, 'demo', 'reset', '--yes');
    expect([served.code, served.said]).toEqual([1, expect.stringContaining('is being served')]);
    await booted.stop();
    expect(await kist(env, 'demo', 'reset')).toEqual({ code: 2, said: expect.stringContaining('--yes') });
    expect(await kist({ ...env, KIST_MODE: 'production' }, 'demo', 'reset', '--yes')).toEqual({
      code: 1,
      said: expect.stringContaining('only a demo is emptied'),
    });

    expect(await kist(env, 'demo', 'reset', '--yes')).toEqual({
      code: 0,
      said: expect.stringContaining('1 organisations'),
    });
    for (const folder of ['blobs/documents/20', 'lab']) expect(existsSync(path.join(dataDir, folder))).toBe(false);
    const again = await boot(dataDir, 'demo');
    expect(await organisations.everyId(again.database)).toEqual([]);
    await again.stop();
  },
);

test('a production database is refused, also by whoever says it is a demo', { timeout: 60_000 }, async () => {
  const dataDir = path.join(root, 'real');
  const booted = await boot(dataDir, 'production');
  await booted.stop();
  const { code, said } = await kist({ KIST_DATA_DIR: dataDir }, 'demo', 'reset', '--yes');
  expect([code, said]).toEqual([1, expect.stringContaining('This database is a production database')]);
});
