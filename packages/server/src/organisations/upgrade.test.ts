import { cpSync, mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterAll, expect, inject, test } from 'vitest';
import { migrate } from '#server/platform/migrate.ts';
import { asDatabase, dropDatabase } from '#test/server.ts';
import { migrationsDirectory } from '#test/template.ts';

const { connection: server } = inject('kistTestServer');
const name = `kist_test_${process.pid}_${Date.now().toString(36)}_policies`;
const directory = mkdtempSync(path.join(tmpdir(), 'kist-migrations-'));
afterAll(async () => {
  rmSync(directory, { recursive: true });
  await dropDatabase(server, name);
});

test('a privacy policy of before is the first version in English, but where one was published: that stays in force', async () => {
  await asDatabase(server, (client) => client.query(`create database ${name}`));
  const connection = { ...server, database: name };
  const bring = (isWanted: (file: string) => boolean) => {
    for (const file of readdirSync(migrationsDirectory).filter(isWanted))
      cpSync(path.join(migrationsDirectory, file), path.join(directory, file));
  };
  bring((file) => file < '0533');
  await migrate(connection, directory);
  await asDatabase(connection, async (client) => {
    for (const [orgId, text] of Object.entries({ 20: 'Of before.', 21: 'Never read.', 22: '' })) {
      await client.query(`insert into org_directory (org_id, slug, name) values ($1::int, $1::text, $1::text)`, [
        orgId,
      ]);
      await client.query(
        `insert into organisations (org_id, org_name, company_name, privacy_policy) values ($1::int, 'a', 'a', jsonb_build_object('contact', 'Asha', 'text', $2::text))`,
        [orgId, text],
      );
    }
    await client.query(
      `insert into privacy_policies (org_id, language, version, text, sha256, set_at) values (21, 'en', 1, 'Published.', '', now())`,
    );
  });
  bring((file) => file >= '0533');
  await migrate(connection, directory);
  await asDatabase(connection, async (client) => {
    const { rows } = await client.query(
      `select org_id, text, version, sha256 = sha256(convert_to(text, 'UTF8')) as "isItsOwn" from privacy_policies order by org_id`,
    );
    expect(rows).toEqual([
      { org_id: 20, text: 'Of before.', version: 1, isItsOwn: true },
      { org_id: 21, text: 'Published.', version: 1, isItsOwn: true },
    ]);
    const { rows: left } = await client.query('select distinct privacy_policy from organisations');
    expect(left).toEqual([{ privacy_policy: { contact: 'Asha' } }]);
  });
});
