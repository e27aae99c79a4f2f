import { afterAll, beforeAll, expect, test } from 'vitest';
import { bps, paise } from '@kist/contract/money';
import * as agreements from '#server/agreements/agreements.ts';
import * as locking from '#server/locking/locking.ts';
import * as sales from '#server/sales/sales.ts';
import { type LockWorld, ORG, createLockWorld } from '#test/lock-world.ts';
import { type TestServices, createServices } from '#test/services.ts';
import * as reports from './reports.ts';

/** An instalment's number as people see it: its place among those that stand, whatever numbers a change of the schedule left out. */
let world: LockWorld;
let services: TestServices;
beforeAll(async () => {
  world = await createLockWorld();
  services = createServices(world.db);
});
afterAll(async () => {
  await services.waker.close();
  await world.close();
});

test('after a change of the EMIs every list counts those that stand, and each names the same one', async () => {
  await world.at('2026-02-11T12:00:00');
  const sale = await world.sell();
  const { agreement_id } = sale.agreement;
  const { customerId: customer_id } = sale;
  const opened = () => world.db.read(ORG, (tx) => agreements.account(tx, { agreement_id }));
  const pay = async (no: number, amount: number) => {
    const instalment_id = (await opened()).instalmentIds.get(no)!;
    const tender = { instalment_id, amount: paise(amount), method: 'CASH', reference: '' } as const;
    return world.inOrg((tx) => world.payments.record(tx, world.shop, tender));
  };
  await world.at('2026-04-11T12:00:00');
  await pay(1, 2_674_00);
  const cheaper = { customer_id, tenure: 4, rate_bps: bps(0), method: 'ZERO', reason: 'asked for it' } as const;
  await world.inOrg((tx) => sales.edit(tx, world, world.shop, cheaper));
  const standing = (await opened()).instalments.map(({ no }) => no);
  expect(standing).toEqual([1, 2, 7, 8, 9, 10]);
  await world.at('2026-05-11T12:00:00');
  const receipt = await pay(2, 2_674_00 + 500_00);
  expect(receipt.allocations.map(({ instalment_no: no, instalment_place: place }) => [no, place])).toEqual([
    [2, 2],
    [2, 2],
    [7, 3],
  ]);
  const seventh = (await opened()).instalmentIds.get(7)!;
  const complaint = { customerId: customer_id, instalmentId: seventh, text: 'I paid it' };
  await world.inOrg((tx) => world.locking.openDispute(tx, world.shop, complaint));

  const said = await services.db.read(ORG, async (tx) => ({
    details: await reports.emiDetails(tx, world.shop, { customer_id }),
    page: await reports.noticePage(tx, { agreement_id, customer_id, device_id: sale.deviceId }),
    disputes: await locking.disputesOf(tx, agreement_id),
    due: await reports.upcoming(tx, world.shop, { bucket: 'overdue', page: 1, page_size: 20 }),
  }));
  expect(said.details.instalments.map(({ no, place }) => [no, place])).toEqual(
    standing.map((no, index) => [no, index + 1]),
  );
  expect(said.details.payments[0]!.allocations.at(-1)).toMatchObject({ instalment_no: 7, instalment_place: 3 });
  expect(said.disputes).toMatchObject([{ instalment_no: 7, instalment_place: 3 }]);
  expect(said.page.disputes).toMatchObject([{ instalment_place: 3 }]);
  expect(said.page.disputable.map(({ no, place }) => [no, place])).toEqual([
    [8, 4],
    [9, 5],
    [10, 6],
  ]);
  expect(said.due.list).toMatchObject([{ instalment_no: 7, instalment_place: 3 }]);
  const counted = await world.db.asOwner<{ no: number; place: number | null }>(
    'select no, kist_instalment_place(org_id, agreement_id, no) as place from instalments where agreement_id = $1 order by no',
    [agreement_id],
  );
  const places = agreements.placesOf((await opened()).instalments);
  expect(counted).toEqual(counted.map(({ no }) => ({ no, place: places.get(no) ?? null })));
  expect(counted.filter(({ place }) => place === null).map(({ no }) => no)).toEqual([3, 4, 5, 6]);
});
