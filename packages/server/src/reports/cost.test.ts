import { expect, test } from 'vitest';
import { createTestDatabase } from '#test/database.ts';
import { type Cost, explained } from '#test/explained.ts';
import { makeOrganisation, setClock } from '#test/factories.ts';
import { type PlantedHouse, plantHouse, plantedShop } from '#test/planted-house.ts';
import { createServices } from '#test/services.ts';
import type { Tx } from '#server/platform/database.ts';
import type { Actor } from '#server/identity/identity.ts';
import { collectionsOf, customerList, dashboard, totalOutstanding, upcoming, upcomingCounts } from './reports.ts';

const HOUSE: PlantedHouse = { orgId: 20, shops: 300, perShop: 40, today: '2026-05-10' };
/** Rows of a shop that a look at it may touch, again and again where a statement asks several things. */
const ROWS_OF_A_SHOP = HOUSE.perShop * (1 + 1 + 1 + 1 + 6 + 6);
const { db, waker } = createServices(await createTestDatabase());
await makeOrganisation(db, HOUSE.orgId);
await setClock(db, `${HOUSE.today}T12:00:00`);
await plantHouse(db, HOUSE);
await waker.close();
const shop = plantedShop(HOUSE, 7);

const page = { page: 1, page_size: 20 } as const;
const READS: Record<string, (tx: Tx, actor: Actor) => Promise<unknown>> = {
  dashboard: (tx, actor) => dashboard(tx, actor),
  outstanding: (tx, actor) => totalOutstanding(tx, actor),
  'customers, newest': (tx, actor) => customerList(tx, actor, { ...page, status: 'all', sort: 'newest' }),
  'customers, overdue': (tx, actor) =>
    customerList(tx, actor, { ...page, status: 'all', due: 'overdue', sort: 'overdue' }),
  'customers, one to thirty days overdue': (tx, actor) =>
    customerList(tx, actor, { ...page, status: 'all', dpd: '1_30', sort: 'overdue' }),
  'customers, searched by name': (tx, actor) =>
    customerList(tx, actor, { ...page, status: 'all', search: 'shaikh irfan', sort: 'newest' }),
  'customers, searched by sound': (tx, actor) =>
    customerList(tx, actor, { ...page, status: 'all', search: 'इरफान', sort: 'newest' }),
  'customers, searched as people spell': (tx, actor) =>
    customerList(tx, actor, { ...page, status: 'all', search: 'mrs. laxmi mohammad redmi13c', sort: 'newest' }),
  'customers, searched by the end of a number': (tx, actor) =>
    customerList(tx, actor, { ...page, status: 'all', search: '00007', sort: 'newest' }),
  'customers, by name': (tx, actor) => customerList(tx, actor, { ...page, status: 'all', sort: 'name' }),
  'upcoming, month': (tx, actor) => upcoming(tx, actor, { ...page, bucket: 'month' }),
  'upcoming, overdue': (tx, actor) => upcoming(tx, actor, { ...page, bucket: 'overdue' }),
  'what came in today': (tx, actor) => collectionsOf(tx, actor, { ...page, days: 14 }),
  'upcoming, counts': (tx, actor) => upcomingCounts(tx, actor),
};
const NARROWED = { status: 'all', sort: 'newest' } as const;
/** Of these there are as many as the organisation has plans or shops, not customers. */
const SMALL = new Set(['plans', 'users', 'organisations', 'wallets']);

const costsOf = (read: (tx: Tx, actor: Actor) => Promise<unknown>): Promise<Cost[]> =>
  db.read(HOUSE.orgId, async (plain) => {
    const { tx, costs } = explained(plain);
    await read(tx, shop);
    return costs;
  });

test.each(Object.entries(READS))('%s costs what the shop has, not what the organisation has', async (_name, read) => {
  for (const { text, rowsRead, wholeTables } of await costsOf(read)) {
    expect(
      wholeTables.filter((table) => !SMALL.has(table)),
      text,
    ).toEqual([]);
    expect(rowsRead, text).toBeLessThanOrEqual(3 * ROWS_OF_A_SHOP);
  }
});

test.each([
  { status: '0' },
  { plan_id: 1 },
  { app_type: 1 },
  { search: 'shaikh irfan' },
  { search: 'इरफान' },
  { search: 'mohammad redmi13c' },
  { due: 'overdue' },
  { dpd: '1_30' },
  { status: '6' },
] as const)('how many there are with %o is told by what lies together of a shop', async (filter) => {
  const counts = (await costsOf((tx, actor) => customerList(tx, actor, { ...page, ...NARROWED, ...filter }))).filter(
    ({ text }) => text.startsWith('select count'),
  );
  expect(counts.length).toBeGreaterThan(0);
  for (const { text, rowsVisited } of counts) expect(rowsVisited, text).toBeLessThan(HOUSE.perShop / 2);
});

test('a serial number costs what it names, not what the shop has', async () => {
  const found = (tx: Tx, actor: Actor) =>
    customerList(tx, actor, { ...page, status: 'all', sort: 'newest', serial_number: 'SN-7' });
  const [device] = await db.asOwner<{ device_id: string }>(
    `update devices set serial = 'SN-7' where device_id = (select device_id from devices where org_id = $1 and customer_id in
       (select customer_id from customers where owner_user_id = $2) limit 1) returning device_id`,
    [HOUSE.orgId, shop.userId],
  );
  expect(device).toBeDefined();
  for (const { text, rowsRead, wholeTables } of await costsOf(found)) {
    expect(wholeTables.filter((table) => !SMALL.has(table))).toEqual([]);
    expect(rowsRead, text).toBeLessThan(HOUSE.perShop);
  }
});
