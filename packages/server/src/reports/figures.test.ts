import { expect, test } from 'vitest';
import { DPD_DAYS, DPD_STRETCHES, type DpdStretch } from '@kist/contract/dpd-stretches';
import { TODO_KINDS } from '@kist/contract/customer-filter';
import type { Tx } from '#server/platform/database.ts';
import { createTestDatabase } from '#test/database.ts';
import { makeOrganisation, setClock } from '#test/factories.ts';
import { type PlantedHouse, plantHouse, plantedShop } from '#test/planted-house.ts';
import { createServices } from '#test/services.ts';
import { customerList, dashboard, totalOutstanding, upcoming, upcomingCounts } from './reports.ts';

const HOUSE: PlantedHouse = { orgId: 20, shops: 12, perShop: 45, today: '2026-05-10' };
const { db, waker } = createServices(await createTestDatabase());
await makeOrganisation(db, HOUSE.orgId);
await setClock(db, `${HOUSE.today}T12:00:00`);
await plantHouse(db, HOUSE);
await waker.close();
/** Every shop another mixture: customers of each status, drafts, phones that were locked, are to be free or never said anything, instalments due around today. */
await db.asOwner(`select setseed(0.42)`);
await db.plant(
  ['customers', 'instalments', 'agreements'],
  `update customers set status = floor(random() * 5), is_draft = random() < 0.2 where org_id = ${HOUSE.orgId}`,
);
await db.asOwner(
  `update device_reports set lock_level = floor(random() * 5), is_strong = random() < 0.8 where org_id = ${HOUSE.orgId}`,
);
await db.plant(['device_events'], `delete from device_events where org_id = ${HOUSE.orgId} and random() < 0.7`);
/** Overdue for up to four months: some of each stretch of days. */
const EARLIER = `33 * (abs(hashtext(a.agreement_no)) % 4)`;
const LATE = `a.org_id = ${HOUSE.orgId} and a.oldest_due_on < date '${HOUSE.today}'`;
await db.plant(
  ['customers', 'instalments', 'agreements'],
  `update instalments i set due_on = i.due_on - ${EARLIER} from agreements a
   where ${LATE} and i.org_id = a.org_id and i.agreement_id = a.agreement_id and i.due_on = a.oldest_due_on`,
);
await db.plant(
  ['customers', 'instalments', 'agreements'],
  `update agreements a set oldest_due_on = a.oldest_due_on - ${EARLIER} where ${LATE}`,
);
await db.asOwner(`delete from device_reports where org_id = ${HOUSE.orgId} and random() < 0.1`);

type Filter = Omit<Parameters<typeof customerList>[2], 'page' | 'page_size' | 'sort' | 'status'> & { status?: '0' };
const shops = Array.from({ length: HOUSE.shops }, (_, n) => [n + 1, plantedShop(HOUSE, n + 1)] as const);
const dpdSeen: DpdStretch[] = [];
const inShop = <T>(work: (tx: Tx) => Promise<T>): Promise<T> => db.read(HOUSE.orgId, work);

/** A list of customers to its end. */
async function all(tx: Tx, shop: (typeof shops)[number][1], filter: Filter) {
  const rows = [];
  for (let page = 1; ; page += 1) {
    const read = await customerList(tx, shop, { status: 'all', ...filter, sort: 'newest', page, page_size: 10 });
    rows.push(...read.list);
    if (read.list.length < 10) return { rows, total: read.total };
  }
}
/** A list of dues to its end, and the total that each page said. */
async function dues(tx: Tx, shop: (typeof shops)[number][1], bucket: 'overdue' | 'today' | 'week' | 'month') {
  const rows = [];
  const totals = new Set<number>();
  for (let page = 1; ; page += 1) {
    const read = await upcoming(tx, shop, { bucket, page, page_size: 7 });
    rows.push(...read.list);
    totals.add(read.total);
    if (read.list.length === 0) return { rows, totals: [...totals] };
  }
}
/** The days of a stretch, as many as anybody of the planted house is overdue. */
const daysOf = (stretch: DpdStretch) => {
  const [first, last] = DPD_DAYS[stretch];
  return Array.from({ length: (last ?? 500) - first + 1 }, (_, day) => first + day);
};
const sumOf = <Row>(rows: readonly Row[], paise: (row: Row) => number) =>
  rows.reduce((sum, row) => sum + paise(row), 0);

test.each(shops)('every figure of shop %i is the list it opens, and what one screen says adds up', (_n, shop) =>
  inShop(async (tx) => {
    const day = await dashboard(tx, shop);
    const countOf = async (filter: Filter) => {
      const { rows, total } = await all(tx, shop, filter);
      expect([rows.length, new Set(rows.map((row) => row.customer_id)).size]).toEqual([total, total]);
      return total;
    };
    const statuses = Object.keys(day.statuses).map(async (status) => [
      status,
      await countOf({ status: status as '0' }),
    ]);
    expect(Object.fromEntries(await Promise.all(statuses))).toEqual(day.statuses);
    expect(await countOf({ due: 'overdue' })).toBe(day.overdue.customers);
    expect(await countOf({ due: 'today' })).toBe(day.today.customers);
    for (const { dpd, customers, paise } of day.days_past_due) {
      const { rows, total } = await all(tx, shop, { dpd });
      expect([dpd, total, sumOf(rows, (row) => row.overdue_paise)]).toEqual([dpd, customers, paise]);
      for (const row of rows) expect(daysOf(dpd)).toContain(row.days_past_due);
    }
    dpdSeen.push(...day.days_past_due.flatMap(({ dpd, customers }) => (customers > 0 ? [dpd] : [])));
    const overdueDpd = day.days_past_due.filter(({ dpd }) => dpd !== '0');
    expect(sumOf(overdueDpd, (one) => one.customers)).toBe(day.overdue.customers);
    expect(sumOf(overdueDpd, (one) => one.paise)).toBe(day.overdue.paise);
    expect(sumOf(day.days_past_due, (one) => one.customers)).toBe((await totalOutstanding(tx, shop)).agreements);
    expect(await countOf({ lock_status: '1' })).toBe(day.locked);
    expect(await countOf({ lock_status: '0' })).toBe(day.unlocked);
    expect(await countOf({ todo: 'unlock_unconfirmed' })).toBe(day.pending_unlock);
    const todo = Object.fromEntries(day.do_now.map(({ kind, count }) => [kind, count]));
    for (const kind of TODO_KINDS) expect([kind, await countOf({ todo: kind })]).toEqual([kind, todo[kind] ?? 0]);
    const idsOf = async (filter: Filter) => (await all(tx, shop, filter)).rows.map((row) => row.customer_id);
    const calls = new Set([
      ...(await idsOf({ todo: 'call_before_lock' })),
      ...(await idsOf({ todo: 'call_before_notice' })),
    ]);
    expect([...calls, ...(await idsOf({ todo: 'overdue' }))].toSorted()).toEqual(
      (await idsOf({ due: 'overdue' })).toSorted(),
    );
    expect(await countOf({ due: 'open' })).toBe((await totalOutstanding(tx, shop)).agreements);
    expect(sumOf((await all(tx, shop, { due: 'overdue' })).rows, (row) => row.overdue_paise)).toBe(day.overdue.paise);

    const buckets = Object.fromEntries((await upcomingCounts(tx, shop)).map((one) => [one.bucket, one]));
    for (const bucket of ['overdue', 'today', 'week', 'month'] as const) {
      const { rows, totals } = await dues(tx, shop, bucket);
      expect(totals).toEqual([rows.length]);
      expect(new Set(rows.map((row) => `${row.agreement_id} ${row.instalment_no}`)).size).toBe(rows.length);
      expect(rows.map((row) => row.due_on)).toEqual(rows.map((row) => row.due_on).toSorted());
      expect(sumOf(rows, (row) => row.left_paise)).toBe(buckets[bucket]!.paise);
      expect(new Set(rows.map((row) => row.agreement_id)).size).toBe(buckets[bucket]!.customers);
    }
    expect(buckets['overdue']!.paise).toBe(day.overdue.paise);
    expect(buckets['today']!.paise).toBe(day.today.left_paise);
    expect(buckets['week']!.paise).toBe(sumOf(day.upcoming, (one) => one.paise));
    expect(day.upcoming.filter((one) => one.due_on === HOUSE.today).map((one) => one.paise)).toEqual(
      day.today.left_paise > 0 ? [day.today.left_paise] : [],
    );
  }),
);

test('the shops had somebody in each stretch of days past due', () => {
  expect(new Set(dpdSeen)).toEqual(new Set(DPD_STRETCHES));
});
