import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { CustomerFilter } from '@kist/contract/customer-filter';
import { isoDate } from '@kist/contract/dates';
import { POLICY_PRESETS } from '@kist/contract/lock-policy';
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
  /** The line that the customer stands in. */
  const line = () =>
    read(async (tx) => (await dashboard(tx, world.shop)).do_now.map(({ kind, count }) => [kind, count]));
  const stepsAre = async (...steps: readonly [level: number, fromDpd: number][]) => {
    await world.db.plant(
      ['agreements'],
      `update agreements set policy = jsonb_set(policy, '{steps}', $1::jsonb) where agreement_id = $2`,
      [
        JSON.stringify(steps.map(([level, fromDpd]) => ({ level, fromDpd, needsNotices: [] }))),
        sale.agreement.agreement_id,
      ],
    );
    return line();
  };

  it('is worth making when the first level that locks is the kiosk; before and behind that the customer is one of the others overdue', async () => {
    await world.at('2026-03-15T12:00:00');
    expect(await stepsAre([1, 1], [2, 6], [3, 8])).toEqual([['overdue', 1]]);
    expect(await stepsAre([1, 1], [4, 7])).toEqual([['call_before_lock', 1]]);
    expect(await stepsAre([1, 1], [4, 5])).toEqual([['call_before_lock', 1]]);
    expect(await stepsAre([1, 1], [4, 4])).toEqual([['overdue', 1]]);
    expect(await stepsAre([3, 2], [4, 7])).toEqual([['overdue', 1]]);
  });
});

/** Whom the lines of Do now and the list of the overdue have today. */
const lines = () =>
  read(async (tx) => {
    const { shop } = world;
    const listed = async (filter: CustomerFilter) => (await customerIds(tx, shop, { filter, max: 99 })).toSorted();
    const board = await dashboard(tx, shop);
    return {
      calls: [...(await listed({ todo: 'call_before_lock' })), ...(await listed({ todo: 'call_before_notice' }))],
      rest: await listed({ todo: 'overdue' }),
      overdue: await listed({ due: 'overdue' }),
      customers: board.overdue.customers,
      last: board.do_now.at(-1),
    };
  });

describe('everybody who is overdue is in what is to be done', () => {
  it('until it is paid: in a call before the lock or the notice, or in the line of all others', async () => {
    const { dealer } = POLICY_PRESETS;
    const notices = [20, 40].map((fromDpd, at) => ({ no: at + 1, fromDpd, minDaysToPay: 1 }));
    await world.at('2026-03-01T12:00:00');
    const [warned, free] = [await world.sell(), await world.sell()];
    const policyIs = (of: Sale, policy: object) =>
      world.db.plant(['agreements'], `update agreements set policy = policy || $1::jsonb where agreement_id = $2`, [
        JSON.stringify(policy),
        of.agreement.agreement_id,
      ]);
    await policyIs(warned, { notices });
    await policyIs(free, { notices: [], steps: dealer.steps.filter(({ level }) => level < 3) });
    const seen = new Set<string>();
    for (const day of [11, 12, 14, 19, 28, 31]) {
      await world.at(`2026-03-${day}T12:00:00`);
      const { calls, rest, overdue: late, customers, last } = await lines();
      expect([day, customers]).toEqual([day, 3]);
      expect([...new Set(calls), ...rest].toSorted()).toEqual(late);
      expect(last).toEqual({ kind: 'overdue', count: rest.length, params: {} });
      expect(rest).toContain(free.customerId);
      for (const [name, of] of Object.entries({ sale, warned }))
        seen.add(`${name} ${calls.includes(of.customerId) ? 'call' : 'rest'}`);
    }
    expect([...seen].toSorted()).toEqual(['sale call', 'sale rest', 'warned call', 'warned rest']);
    for (const of of [warned, free]) await world.pay(of, 1);
    expect(await lines()).toMatchObject({ customers: 1, rest: [sale.customerId], overdue: [sale.customerId] });
    await world.pay(sale, 1);
    expect(await lines()).toMatchObject({ customers: 0, calls: [], rest: [], overdue: [] });
  });
});
