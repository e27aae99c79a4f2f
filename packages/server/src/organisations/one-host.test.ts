import { readFileSync } from 'node:fs';
import path from 'node:path';
import { expect, test } from 'vitest';
import { createTestDatabase } from '#test/database.ts';
import { createOrganisation } from '#test/http.ts';
import { migrationsDirectory } from '#test/template.ts';

const db = await createTestDatabase();

test('of organisations that wrote one host in other letters before, the one that answered there keeps it', async () => {
  await db.asOwner('drop index org_directory_host_any_letters');
  await db.asOwner('alter table org_directory add constraint org_directory_host_key unique (host)');
  const hosts = { 70: 'Shop.example', 71: 'shop.example', 72: 'OTHER.example', 73: 'SHOP.EXAMPLE', 74: undefined };
  for (const [orgId, host] of Object.entries(hosts))
    await createOrganisation(db, { orgId: Number(orgId), slug: `shop-${orgId}`, ...(host && { host }) });

  await db.asOwner(readFileSync(path.join(migrationsDirectory, '0500_a_host_is_one_organisations.sql'), 'utf8'));

  expect(await db.asOwner('select org_id, host from org_directory where org_id >= 70 order by org_id')).toEqual([
    { org_id: 70, host: 'shop.example' },
    { org_id: 71, host: null },
    { org_id: 72, host: 'other.example' },
    { org_id: 73, host: null },
    { org_id: 74, host: null },
  ]);
  await expect(db.asOwner(`update org_directory set host = 'Other.example' where org_id = 74`)).rejects.toMatchObject({
    code: '23505',
    constraint: 'org_directory_host_any_letters',
  });
});
