import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterEach, expect, test } from 'vitest';
import { migrationsDirectory } from '#test/template.ts';
import { bootDatabase } from './boot.ts';
import type { BootOptions } from './boot.ts';
import { ClockMovedError, setClockOffset } from './clock.ts';
import { DurabilityError } from './durability.ts';
import { startEmbedded } from './embedded/start.ts';
import { createLog } from './log.ts';

const log = createLog('silent');
const cleanUps: (() => Promise<void> | void)[] = [];
afterEach(async () => {
  for (const cleanUp of cleanUps.splice(0).toReversed()) await cleanUp();
});

function options(more: Partial<BootOptions> = {}): BootOptions {
  const dataDir = mkdtempSync(path.join(tmpdir(), 'kist-boot-'));
  cleanUps.push(() => rmSync(dataDir, { recursive: true }));
  return { connection: undefined, dataDir, migrationsDirectory, requireRealClock: true, log, ...more };
}

test('an empty data folder becomes a database that serves; the second boot finds it; stopping leaves nothing running', async () => {
  const given = options();
  const first = await bootDatabase(given);
  await first.database.ping();
  await first.database.unscoped((tx) =>
    tx.query(`insert into org_directory (org_id, slug, name) values (20, 'kept', 'Kept')`),
  );
  await first.stop();
  const second = await bootDatabase(given);
  const { rows } = await second.database.unscoped((tx) => tx.query('select slug from org_directory'));
  expect(rows).toEqual([{ slug: 'kept' }]);
  await second.stop();
  await expect(second.database.ping()).rejects.toThrow(/pool/);
});

test('a moved clock is refused in production, and allowed in the demo', async () => {
  const given = options();
  const demo = await bootDatabase({ ...given, requireRealClock: false });
  await demo.database.unscoped((tx) => setClockOffset(tx, 86_400));
  await expect(bootDatabase(given)).rejects.toThrow(ClockMovedError);
  await demo.stop();
});

test.each(['fsync', 'full_page_writes', 'synchronous_commit'])(
  'a server with %s off is refused by name',
  async (setting) => {
    const given = options();
    const server = await startEmbedded({
      dataDir: path.join(given.dataDir, 'unsafe'),
      log,
      settings: { [setting]: 'off' },
    });
    cleanUps.push(server.stop);
    const boot = bootDatabase({ ...given, connection: server.connectionConfig });
    await expect(boot).rejects.toThrow(DurabilityError);
    await expect(boot).rejects.toMatchObject({ settings: [setting] });
  },
);

test('a role that was given power over every shop is refused', async () => {
  const given = options();
  const server = await startEmbedded({ dataDir: path.join(given.dataDir, 'own'), log });
  cleanUps.push(server.stop);
  const booted = await bootDatabase({ ...given, connection: server.connectionConfig });
  await booted.stop();
  const { default: pg } = await import('pg');
  const owner = new pg.Client(server.connectionConfig);
  await owner.connect();
  await owner.query('alter role kist_app bypassrls');
  await owner.end();
  await expect(bootDatabase({ ...given, connection: server.connectionConfig })).rejects.toThrow(/kist_app bypasses/);
});
