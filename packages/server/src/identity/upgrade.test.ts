import { cpSync, mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterAll, expect, inject, test } from 'vitest';
import { migrate } from '#server/platform/migrate.ts';
import { asDatabase, dropDatabase } from '#test/server.ts';
import { migrationsDirectory } from '#test/template.ts';

const { connection: server } = inject('kistTestServer');
const name = `kist_test_${process.pid}_${Date.now().toString(36)}_upgrade`;
const owner = `${name}_owner`;
const directory = mkdtempSync(path.join(tmpdir(), 'kist-migrations-'));
afterAll(async () => {
  rmSync(directory, { recursive: true });
  await dropDatabase(server, name);
  await asDatabase(server, (client) => client.query(`drop role if exists ${owner}`));
});

const bring = (isWanted: (file: string) => boolean) => {
  for (const file of readdirSync(migrationsDirectory).filter(isWanted))
    cpSync(path.join(migrationsDirectory, file), path.join(directory, file));
};

test('an installation of before, owned by an account that is no superuser, loses codes in the open and rows of organisations that do not exist, and nothing else', async () => {
  await asDatabase(server, async (client) => {
    await client.query(`create role ${owner} login createrole password 'owner'`);
    await client.query(`create database ${name} owner ${owner}`);
  });
  const connection = { ...server, database: name, user: owner, password: 'owner' };
  bring((file) => file < '0060');
  await migrate(connection, directory);
  await asDatabase({ ...server, database: name }, async (client) => {
    await client.query(`insert into org_directory (org_id, slug, name) values (20, 'a', 'a')`);
    for (const orgId of [20, 99]) {
      await client.query(
        `insert into outbox (org_id, id, topic, payload, done_at) values
           ($1, gen_random_uuid(), 'sms', '{"template": "otp", "mobile": "+919876543210", "params": {"code": "482913"}}', null),
           ($1, gen_random_uuid(), 'sms_decoy', '{"template": "otp", "mobile": "+919876543211", "params": {"code": "482914"}}', now()),
           ($1, gen_random_uuid(), 'sms', '{"notice_ids": ["n1"]}', now()),
           ($1, gen_random_uuid(), 'sms', '{"notice_ids": ["n2"]}', null)`,
        [orgId],
      );
      await client.query(
        `insert into otps (org_id, otp_id, mobile, purpose, code_hash, created_at, expires_at) values ($1, gen_random_uuid(), '+919876543210', 'LOGIN', '', now(), now())`,
        [orgId],
      );
      await client.query(
        `insert into idempotency_keys (org_id, actor, key, request_hash) values ($1, 'a', gen_random_uuid(), '')`,
        [orgId],
      );
    }
  });
  bring((file) => file < '0065');
  await migrate(connection, directory);
  await asDatabase({ ...server, database: name }, async (client) => {
    const { rows } = await client.query(
      `select org_id, topic, payload, done_at is not null as "isDone" from outbox order by done_at nulls first`,
    );
    expect(rows).toEqual([
      { org_id: 20, topic: 'sms', payload: { notice_ids: ['n2'] }, isDone: false },
      { org_id: 20, topic: 'sms', payload: null, isDone: true },
    ]);
    const left = await client.query(
      `select (select count(*)::int from otps) as otps, (select array_agg(org_id) from idempotency_keys) as keys`,
    );
    expect(left.rows).toEqual([{ otps: 0, keys: [20] }]);
    const loose = await client.query(
      `select relname from pg_class where relrowsecurity and not relforcerowsecurity and relkind = 'r'`,
    );
    expect(loose.rows).toEqual([]);
  });
});
