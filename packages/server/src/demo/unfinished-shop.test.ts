import pg from 'pg';
import { afterAll, beforeEach, expect, test } from 'vitest';
import { createTestDatabase } from '#test/database.ts';
import { makeOrganisation, makeRetailer } from '#test/factories.ts';
import { begin } from '#server/customers/customers.ts';
import { DEMO_LOCK, FINISHED_STEP, clearUnfinishedShop } from './unfinished-shop.ts';

const db = await createTestDatabase();
const owner = new pg.Client(db.owner);
await owner.connect();
afterAll(() => owner.end());

const counted = async () => {
  const rows = await db.asOwner<{ org: number; n: number }>(
    'select org_id as org, count(*)::int as n from customers group by 1 order by 1',
  );
  return Object.fromEntries(rows.map(({ org, n }) => [org, n]));
};

/** The demo's organisation and another, with a shop, a customer and its audit lines each. */
beforeEach(async () => {
  const guarded = await db.asOwner<{ name: string }>(
    `select distinct tgrelid::regclass::text as name from pg_trigger where tgenabled = 'A'`,
  );
  await db.plant(
    guarded.map(({ name }) => name),
    'truncate org_directory, installation cascade',
  );
  await db.asOwner(`insert into installation (mode) values ('demo')`);
  for (const orgId of [20, 21]) {
    await makeOrganisation(db, orgId);
    const actor = await makeRetailer(db, orgId);
    await db.transaction(orgId, (tx) => begin(tx, actor, { plan_id: 1, plan_type: 0 }));
  }
});

test('an unfinished demo shop goes, every row of it, and nothing of anybody else', async () => {
  await clearUnfinishedShop(owner);
  expect(await counted()).toEqual({ 21: 1 });
  const tables = await db.asOwner<{ name: string }>(
    `select c.relname as name from pg_class c join pg_attribute a on a.attrelid = c.oid and a.attname = 'org_id'
     where c.relnamespace = 'public'::regnamespace and c.relkind = 'r'`,
  );
  expect(tables.length).toBeGreaterThan(30);
  for (const { name } of tables)
    expect(await db.asOwner(`select '${name}' as name from ${name} where org_id = 20`)).toEqual([]);
});

test('in a database stamped production nothing is emptied', async () => {
  await db.asOwner(`update installation set mode = 'production'`);
  await expect(clearUnfinishedShop(owner)).rejects.toThrow(/not stamped as a demo/);
  expect(await counted()).toEqual({ 20: 1, 21: 1 });
});

test('a finished shop stays', async () => {
  await db.asOwner(
    `insert into daily_steps (org_id, business_on, step, finished_at) values (20, '2026-01-01', $1, now())`,
    [FINISHED_STEP],
  );
  await clearUnfinishedShop(owner);
  expect(await counted()).toEqual({ 20: 1, 21: 1 });
});

test('a shop that another start is making stays', async () => {
  const maker = await db.appPool.connect();
  await maker.query('select pg_advisory_lock($1)', [DEMO_LOCK]);
  await clearUnfinishedShop(owner);
  expect(await counted()).toEqual({ 20: 1, 21: 1 });
  maker.release(true);
});
