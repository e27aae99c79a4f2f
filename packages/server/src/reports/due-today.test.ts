import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { isoDate } from '@kist/contract/dates';
import type { Tx } from '#server/platform/database.ts';
import { type LockWorld, ORG, type Sale, createLockWorld } from '#test/lock-world.ts';
import type { Ports } from '#server/platform/ports.ts';
import { createPages, customerIds } from './customer-list.ts';
import { customerPage } from './customer-list-sql.ts';
import { dashboard, totalOutstanding } from './dashboard.ts';
import { emiDetails } from './emi-details.ts';
import { customerProfile } from './profile.ts';
import { upcoming, upcomingCounts } from './upcoming.ts';

let world: LockWorld;
let sale: Sale;
beforeAll(async () => {
  world = await createLockWorld();
  await world.at('2026-03-01T12:00:00');
  sale = await world.sell();
});
afterAll(() => world.close());

const reports = createPages();
const read = <T>(work: (tx: Tx) => Promise<T>) => world.db.with({ reports } as Ports).read(ORG, work);
const PAGE = { page: 1, page_size: 20 };

/** What each list and each figure says is overdue. */
const overdue = () =>
  read(async (tx) => {
    const { shop } = world;
    const { customerId: customer_id } = sale;
    const board = await dashboard(tx, shop);
    const today = isoDate(board.business_on);
    const whose = { owner_ids: [shop.userId], today };
    const [row] = await customerPage.all(tx, { ...whose, filter: {}, sort: 'newest', after: null, skip: 0, limit: 1 });
    const bySort = await customerPage.all(tx, {
      ...whose,
      filter: { sort: 'overdue' },
      sort: 'overdue',
      after: null,
      skip: 0,
      limit: 9,
    });
    const details = await emiDetails(tx, shop, { customer_id });
    const { agreement } = await customerProfile(tx, shop, { customer_id });
    return {
      board: board.overdue,
      calls: board.do_now.filter(({ kind }) => kind.startsWith('call_')).map(({ kind, count }) => [kind, count]),
      total: (await totalOutstanding(tx, shop)).overdue_paise,
      bucket: (await upcomingCounts(tx, shop)).find(({ bucket }) => bucket === 'overdue'),
      upcoming: (await upcoming(tx, shop, { bucket: 'overdue', ...PAGE })).list.map(({ due_on }) => due_on),
      listed: (await customerIds(tx, shop, { filter: { due: 'overdue' }, max: 9 })).length,
      sorted: bySort.length,
      row: row!.overdue_paise,
      details: details.agreement.overdue_paise,
      instalments: details.instalments.filter(({ state }) => state === 'overdue').map(({ no }) => no),
      profile: agreement!.overdue_paise,
      segments: agreement!.segments.indexOf('overdue'),
    };
  });

describe('an instalment that falls due today', () => {
  it('is overdue in no list and no figure', async () => {
    await world.at('2026-03-10T23:59:00');
    expect(await overdue()).toEqual({
      board: { paise: 0, customers: 0 },
      calls: [],
      total: 0,
      bucket: { bucket: 'overdue', customers: 0, paise: 0 },
      upcoming: [],
      listed: 0,
      sorted: 0,
      row: 0,
      details: 0,
      instalments: [],
      profile: 0,
      segments: -1,
    });
  });

  it('is overdue in all of them on the next day', async () => {
    await world.at('2026-03-11T00:01:00');
    const { emi_paise: paise } = sale.agreement;
    expect(await overdue()).toEqual({
      board: { paise, customers: 1 },
      calls: [['call_before_lock', 1]],
      total: paise,
      bucket: { bucket: 'overdue', customers: 1, paise },
      upcoming: ['2026-03-10'],
      listed: 1,
      sorted: 1,
      row: paise,
      details: paise,
      instalments: [1],
      profile: paise,
      segments: 0,
    });
  });
});

describe('a call before the lock', () => {
  const calls = () =>
    read(async (tx) => (await dashboard(tx, world.shop)).do_now.find(({ kind }) => kind === 'call_before_lock')?.count);
  const stepsAre = async (...steps: readonly [level: number, fromDpd: number][]) => {
    await world.db.plant(
      ['agreements'],
      `update agreements set policy = jsonb_set(policy, '{steps}', $1::jsonb) where agreement_id = $2`,
      [
        JSON.stringify(steps.map(([level, fromDpd]) => ({ level, fromDpd, needsNotices: [] }))),
        sale.agreement.agreement_id,
      ],
    );
    return calls();
  };

  it('is worth making when the first level that locks is the kiosk, and no more when the phone is locked already', async () => {
    await world.at('2026-03-15T12:00:00');
    expect(await stepsAre([1, 1], [2, 6], [3, 8])).toBeUndefined();
    expect(await stepsAre([1, 1], [4, 7])).toBe(1);
    expect(await stepsAre([1, 1], [4, 5])).toBe(1);
    expect(await stepsAre([1, 1], [4, 4])).toBeUndefined();
    expect(await stepsAre([3, 2], [4, 7])).toBeUndefined();
  });
});
