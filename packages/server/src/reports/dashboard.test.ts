import { afterAll, expect, test } from 'vitest';
import { type IsoDate, isoDate } from '@kist/contract/dates';
import { account } from '#server/agreements/agreements.ts';
import { makeRetailer } from '#test/factories.ts';
import { createLockWorld } from '#test/lock-world.ts';
import type { Ports } from '#server/platform/ports.ts';
import { createPages, customerIds } from './customer-list.ts';
import { dashboard } from './dashboard.ts';
import { upcoming, upcomingCounts } from './upcoming.ts';

const world = await createLockWorld();
afterAll(() => world.close());

/** Today's money, which is what the list that it opens comes to. */
const today = async () => {
  const [{ today: money }, counts] = await world.db.read(
    20,
    async (tx) => [await dashboard(tx, world.shop), await upcomingCounts(tx, world.shop)] as const,
  );
  const { left_paise: paise, customers } = money;
  expect(counts).toContainEqual({ bucket: 'today', customers, paise });
  return money;
};

test('to collect today is what today’s instalments still owed in the morning, however and whenever they are paid', async () => {
  await world.at('2026-03-01T12:00:00');
  const [early, part, none] = [await world.sell(), await world.sell(), await world.sell()];
  const emi = early.agreement.emi_paise;
  await world.at('2026-03-09T12:00:00');
  expect(await today()).toEqual({ due_paise: 0, left_paise: 0, collected_paise: 0, customers: 0 });
  await world.pay(early, 1);

  await world.at('2026-03-10T09:00:00');
  expect(await today()).toEqual({ due_paise: 2 * emi, left_paise: 2 * emi, collected_paise: 0, customers: 2 });
  await world.pay(part, 1, 100_00);
  expect(await today()).toEqual({
    due_paise: 2 * emi,
    left_paise: 2 * emi - 100_00,
    collected_paise: 100_00,
    customers: 2,
  });
  await world.pay(part, 1);
  expect(await today()).toEqual({ due_paise: 2 * emi, left_paise: emi, collected_paise: emi, customers: 1 });

  // The next month an old instalment is paid: taken today, but none of today's.
  await world.at('2026-04-10T12:00:00');
  await world.pay(none, 1);
  expect(await today()).toEqual({ due_paise: 3 * emi, left_paise: 3 * emi, collected_paise: emi, customers: 3 });
  await world.pay(early, 2);
  expect(await today()).toEqual({ due_paise: 3 * emi, left_paise: 2 * emi, collected_paise: 2 * emi, customers: 2 });
});

test('what was collected today is what came in for EMIs: neither what was paid down at a sale nor what has to go back', async () => {
  await world.at('2026-02-10T12:00:00');
  const figures = async () => {
    const { today: money, collections } = await world.db.read(20, (tx) => dashboard(tx, world.shop));
    expect(collections.at(-1)).toEqual({ on: '2026-02-10', paise: money.collected_paise });
    return money.collected_paise;
  };
  const before = await figures();
  const { agreement } = await world.sell({ tenure: 3 });
  expect(agreement.down_payment_paise).toBeGreaterThan(0);
  expect(await figures()).toBe(before);
  const ids = await world.db.read(20, async (tx) => [...(await account(tx, agreement)).instalmentIds.values()]);
  const given = { method: 'CASH' as const, reference: '' };
  await world.inOrg((tx) =>
    world.payments.recordMany(tx, world.shop, { customer_id: agreement.customer_id, instalment_ids: ids, ...given }),
  );
  await world.inOrg((tx) => world.payments.record(tx, world.shop, { instalment_id: ids[0]!, amount: 50_00, ...given }));
  expect(await figures()).toBe(before + agreement.total_payable_paise);
});

test('a payment that was taken back is money of no day: neither collected nor off what is to collect', async () => {
  await world.at('2026-03-01T12:00:00');
  const sale = await world.sell();
  await world.at('2026-03-10T18:00:00');
  const figures = async () => {
    const { today: money, collections } = await world.db.read(20, (tx) => dashboard(tx, world.shop));
    return { ...money, series: collections.at(-1) };
  };
  const before = await figures();
  const { payment_id: paymentId } = await world.pay(sale, 1);
  expect((await figures()).collected_paise).toBe(before.collected_paise + sale.agreement.emi_paise);
  await world.inOrg((tx) => world.payments.reverse(tx, world.shop, paymentId, 'bounced'));
  expect(await figures()).toEqual(before);
});

test('books that nobody checked for twenty-six hours are told like books that are off', async () => {
  const books = async () => (await world.db.read(20, (tx) => dashboard(tx, world.shop))).books;
  await world.at('2026-05-01T12:00:00');
  await world.sell();
  await world.at('2026-05-03T12:00:00');
  expect(await books()).toEqual({ is_balanced: true, is_checked: false, checked_at: null });
  const checked = (on: string, isBalanced: boolean) =>
    world.db.asOwner(
      `insert into daily_steps (org_id, business_on, step, finished_at, result)
       values (20, $1, 'checks', kist_now(), jsonb_build_object('is_balanced', $2::boolean))`,
      [on, isBalanced],
    );
  await checked('2026-05-03', true);
  expect(await books()).toMatchObject({ is_balanced: true, is_checked: true });
  await world.at('2026-05-04T13:00:00');
  expect(await books()).toMatchObject({ is_checked: true });
  await world.at('2026-05-04T14:30:00');
  expect(await books()).toMatchObject({ is_balanced: true, is_checked: false });
  await checked('2026-05-04', false);
  expect(await books()).toMatchObject({ is_balanced: false, is_checked: true });
});

test('the coming week is seven days with today the first: neither yesterday nor the eighth', async () => {
  const actor = await makeRetailer(world.db, 20);
  await world.at('2026-06-01T12:00:00');
  const due = ['2026-06-09', '2026-06-10', '2026-06-16', '2026-06-17'];
  for (const on of due) await world.sell({ actor, deliveredOn: on.replace('-06-', '-05-'), isEnrolled: false });
  const week = async (ist: string) => {
    await world.at(ist);
    const { upcoming } = await world.db.read(20, (tx) => dashboard(tx, actor));
    return upcoming.map(({ due_on, customers }) => [due_on, customers]);
  };
  expect(await week('2026-06-10T00:01:00')).toEqual([
    ['2026-06-10', 1],
    ['2026-06-16', 1],
  ]);
  expect(await week('2026-06-10T23:59:00')).toEqual([
    ['2026-06-10', 1],
    ['2026-06-16', 1],
  ]);
});

test('a day of the coming week is the sum and the rows of the list that it opens', async () => {
  const actor = await makeRetailer(world.db, 20);
  await world.at('2026-06-08T12:00:00');
  const [early] = [
    await world.sell({ actor, deliveredOn: '2026-05-10', isEnrolled: false }),
    await world.sell({ actor, deliveredOn: '2026-05-10', isEnrolled: false }),
    await world.sell({ actor, deliveredOn: '2026-05-13', isEnrolled: false }),
  ];
  const instalmentId = await world.db.read(20, async (tx) =>
    (await account(tx, early.agreement)).instalmentIds.get(1)!,
  );
  await world.inOrg((tx) =>
    world.payments.record(tx, actor, { instalment_id: instalmentId, amount: 100_00, method: 'CASH', reference: '' }),
  );
  const { week, days } = await world.db.with({ reports: createPages() } as Ports).read(20, async (tx) => {
    const opened = async (on: IsoDate) => {
      const narrowed = { from: on, to: on };
      const counts = await upcomingCounts(tx, actor, narrowed);
      const { list, total } = await upcoming(tx, actor, { bucket: 'week', page: 1, page_size: 20, ...narrowed });
      const { bucket: _bucket, ...sum } = counts.find(({ bucket }) => bucket === 'week')!;
      const left = list.reduce((all, row) => all + row.left_paise, 0);
      expect([total, left, ...new Set(list.map((row) => row.due_on))]).toEqual([sum.customers, sum.paise, on]);
      return { due_on: on, ...sum };
    };
    const board = (await dashboard(tx, actor)).upcoming;
    const days = [];
    for (const { due_on } of board) days.push(await opened(isoDate(due_on)));
    return { week: board, days };
  });
  expect(week.map(({ due_on, customers }) => [due_on, customers])).toEqual([
    ['2026-06-10', 2],
    ['2026-06-13', 1],
  ]);
  expect(days).toEqual(week);
});

test('a day of a filter is India’s, from its midnight to the next', async () => {
  const actor = await makeRetailer(world.db, 20);
  for (const ist of ['2026-06-20T23:59:00', '2026-06-21T00:01:00', '2026-06-21T23:59:00', '2026-06-22T00:01:00']) {
    await world.at(ist);
    await world.sell({ actor, deliveredOn: '2026-06-10', isEnrolled: false });
  }
  const [, first, last] = (
    await world.db.asOwner<{ id: string }>(
      'select customer_id as id from customers where owner_user_id = $1 order by created_at',
      [actor.userId],
    )
  ).map(({ id }) => id);
  const filter = { from: isoDate('2026-06-21'), to: isoDate('2026-06-21') };
  const found = await world.db.read(20, (tx) => customerIds(tx, actor, { filter, max: 9 }));
  expect(found.toSorted()).toEqual([first!, last!].toSorted());
  const { statuses } = await world.db.read(20, (tx) => dashboard(tx, actor, filter));
  expect(statuses['all']).toBe(2);
});

test('a dispute is open until it is closed, and then in no figure and no list', async () => {
  const actor = await makeRetailer(world.db, 20);
  await world.at('2026-07-01T12:00:00');
  const { customerId } = await world.sell({ actor });
  const open = () =>
    world.db.read(20, async (tx) => ({
      figure: (await dashboard(tx, actor)).do_now.find(({ kind }) => kind === 'dispute_open')?.count,
      list: await customerIds(tx, actor, { filter: { disputed: '1' }, max: 9 }),
    }));
  const nothing = { figure: undefined, list: [] };
  expect(await open()).toEqual(nothing);
  const { dispute_id: disputeId } = await world.inOrg((tx) =>
    world.locking.openDispute(tx, actor, { customerId, text: 'I paid in cash.' }),
  );
  expect(await open()).toEqual({ figure: 1, list: [customerId] });
  await world.inOrg((tx) => world.locking.closeDispute(tx, actor, { disputeId, outcome: 'The receipt was found.' }));
  expect(await open()).toEqual(nothing);
});
