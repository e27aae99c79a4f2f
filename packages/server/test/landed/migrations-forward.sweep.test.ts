import { createPrivateKey } from 'node:crypto';
import { appendFileSync, cpSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import fastify from 'fastify';
import pg from 'pg';
import { afterAll, beforeAll, describe, expect, inject, test } from 'vitest';
import { checkTerms } from '#server/agreements/agreements.ts';
import { type AuditKind, verify } from '#server/audit/audit.ts';
import { agentRoutes } from '#server/http/routes/agent.ts';
import { checkWhole } from '#server/ledger/ledger.ts';
import { violations } from '#server/locking/invariants.ts';
import type { ConnectionConfig } from '#server/platform/connection.ts';
import { MigrationHistoryError, migrate, readMigrations } from '#server/platform/migrate.ts';
import { type TestDatabase, createTestDatabase, newDatabaseName } from '#test/database.ts';
import { setClock } from '#test/factories.ts';
import { createPhone } from '#test/phone.ts';
import { asDatabase, dropDatabase } from '#test/server.ts';
import { createServices } from '#test/services.ts';
import { migrationsDirectory } from '#test/template.ts';
import { type LandedDump, dumps, load, readDump } from './dump.ts';
import { type Facts, countsOf, factsOf, faultsOf } from './facts.ts';

/**
 * Shops update in place: whatever a landed build wrote, the newest migrations bring along. They run here as an owner that row-level security
 * binds, as the runbook makes one; a superuser would not notice an update that finds no row.
 */
const ORG = 20;
/** Tables that lose rows on purpose: how many at most, and why. One that is dropped stands here with what became of its rows. */
const LOSSES: Readonly<Record<string, { most: number; why: string }>> = {
  otps: { most: 100, why: 'codes of a few minutes: whoever waits for one asks again (0061)' },
  outbox: { most: 100, why: 'the messages of those codes (0060)' },
};
const OWNER = 'kist_test_owner';
const cleanUps: (() => unknown)[] = [];
afterAll(async () => {
  for (const cleanUp of cleanUps.toReversed()) await cleanUp();
});

/** An empty database of an owner without power; where tests may not make one, of whoever they log in as. */
async function emptyDatabase(): Promise<ConnectionConfig> {
  const { connection } = inject('kistTestServer');
  const database = newDatabaseName();
  const owner = await asDatabase(connection, async (client) => {
    const { rows } = await client.query<{ super: boolean; there: boolean }>(
      `select rolsuper as super, exists (select from pg_roles where rolname = $1) as there from pg_roles where rolname = current_user`,
      [OWNER],
    );
    if (rows[0]!.super && !rows[0]!.there) await client.query(`create role ${OWNER} login password '${OWNER}'`);
    await client.query(`create database ${database} ${rows[0]!.super ? `owner ${OWNER}` : ''}`);
    return rows[0]!.super ? { user: OWNER, password: OWNER } : {};
  });
  cleanUps.push(() => dropDatabase(connection, database));
  return { ...connection, ...owner, database };
}

/** The migrations up to one of them, as the build had them that knew no later one. */
function migrationsUpTo(version: number): string {
  const folder = mkdtempSync(path.join(tmpdir(), 'kist-landed-'));
  cleanUps.push(() => rmSync(folder, { recursive: true }));
  for (const { name } of readMigrations(migrationsDirectory).filter((one) => one.version <= version))
    cpSync(path.join(migrationsDirectory, name), path.join(folder, name));
  return folder;
}

describe.each(dumps())('a database of %s', (file) => {
  const dump: LandedDump = readDump(file);
  const names = dump.tables.map(({ name }) => name);
  let migrations: string;
  let client: pg.Client;
  let owner: ConnectionConfig;
  let db: TestDatabase;
  const before: { facts: Facts; counts: Record<string, number> } = { facts: {}, counts: {} };

  beforeAll(async () => {
    owner = await emptyDatabase();
    migrations = migrationsUpTo(dump.version);
    await migrate(owner, migrations);
    client = new pg.Client({ ...owner, options: '-c timezone=UTC' });
    client.on('error', () => undefined);
    await client.connect();
    await load(client, dump);
    Object.assign(before, { facts: await factsOf(client), counts: await countsOf(client, names) });
    await migrate(owner, migrationsDirectory);
    cleanUps.push(() => client.end());
  });

  test('was filled by a year of business, of everything something', () => {
    for (const [fact, rows] of Object.entries(before.facts))
      if (fact !== 'the penal charges') expect([fact, rows.length > 0]).toEqual([fact, true]);
    expect(before.facts['the dues of every agreement']!.length).toBeGreaterThan(200);
    expect(dump.phones.length).toBeGreaterThan(8);
  });

  test('is refused where a migration that it has was edited since', async () => {
    const edited = migrationsUpTo(dump.version);
    appendFileSync(path.join(edited, readMigrations(edited).at(-1)!.name), '-- a better comment\n');
    await expect(migrate(owner, edited)).rejects.toThrow(MigrationHistoryError);
  });

  test('loses no row of any table, but what is gone on purpose', async () => {
    const after = await countsOf(client, names);
    const lost = names.map((name) => ({ name, lost: before.counts[name]! - after[name]! }));
    expect(lost.filter((one) => one.lost > (LOSSES[one.name]?.most ?? 0))).toEqual([]);
  });

  test('keeps books, keys, dues, receipts, locks, leases and phones as they were', async () => {
    const after = await factsOf(client);
    for (const [fact, rows] of Object.entries(before.facts)) expect([fact, after[fact]]).toEqual([fact, rows]);
    for (const [fault, rows] of Object.entries(await faultsOf(client))) expect([fault, rows]).toEqual([fault, []]);
  });

  describe('serves on:', () => {
    beforeAll(async () => {
      // A database that is copied has nobody in it.
      await client.end();
      db = await createTestDatabase(String(owner.database));
      client = new pg.Client(owner);
      await client.connect();
    });

    test('every chain of the audit is whole', async () => {
      const heads = await db.asOwner<{ kind: AuditKind; id: string }>(
        'select subject_kind as kind, subject_id as id from audit_heads',
      );
      const broken = await db.read(ORG, async (tx) => {
        const found: string[] = [];
        for (const { kind, id } of heads) if (!(await verify(tx, kind, id)).ok) found.push(`${kind} ${id}`);
        return found;
      });
      expect([heads.length > 500, broken]).toEqual([true, []]);
    });

    test('the product’s own check of the books finds nothing', async () => {
      expect([(await checkWhole(db, ORG)).faults, await checkTerms(db, ORG, null)]).toEqual([[], []]);
    });

    test('nothing is held that may not be', async () => {
      await setClock(db, new Date(Date.parse(dump.at) + 5.5 * 3_600_000).toISOString().slice(0, 19));
      // Locks of before a consent needed its proofs: they are shown, and the next look of the ladder takes them off.
      const shown = await db.read(ORG, violations);
      expect(shown.filter(({ detail }) => !/^debt at level \d without consent$/.test(detail))).toEqual([]);
      const services = createServices(db);
      await services.locking.runLadder(db, ORG);
      expect(await db.read(ORG, violations)).toEqual([]);
      await services.waker.close();
      await db.asOwner(`update clock_offset set shift = '0'`);
    });

    test('every phone is known by its key, and told what it was told', async () => {
      const services = createServices(db);
      const http = fastify();
      agentRoutes(http, services.agents);
      await http.ready();
      for (const kept of dump.phones) {
        const key = createPrivateKey({ key: Buffer.from(kept.key, 'base64url'), format: 'der', type: 'pkcs8' });
        const phone = createPhone(http, services.agents.key.spki, '', key);
        Object.assign(phone, {
          keyid: kept.keyid,
          revision: kept.revision,
          level: kept.level,
          leaseSeq: kept.lease_seq,
          bootCount: kept.boot_count,
          elapsedMs: kept.elapsed_ms,
          highestSeq: kept.highest_seq,
        });
        const answer = await phone.checkin();
        expect([kept.device_id, answer.status, answer.isSigned]).toEqual([kept.device_id, 200, true]);
        const [wanted] = await db.asOwner<{ level: number }>(
          'select lock_level as level from device_desired where device_id = $1',
          [kept.device_id],
        );
        expect([kept.device_id, phone.level]).toEqual([kept.device_id, wanted!.level]);
      }
      await http.close();
      await services.plane.whenQuiet();
      await services.waker.close();
    });
  });
});
