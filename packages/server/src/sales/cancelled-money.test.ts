import { afterAll, beforeAll, beforeEach, expect, it } from 'vitest';
import * as agreements from '#server/agreements/agreements.ts';
import { emiDetails, payTo, shopProfile } from '#server/reports/reports.ts';
import { makeCharge, makePenalRule } from '#test/factories.ts';
import { type LockWorld, ORG, type Sale, createLockWorld } from '#test/lock-world.ts';
import * as sales from './sales.ts';

/** What a cancellation says that it does with the money, and what is read of the agreement afterwards. */
let world: LockWorld;
beforeAll(async () => {
  world = await createLockWorld();
});
afterAll(() => world.close());
beforeEach(() => world.at('2026-02-11T12:00:00'));

const preview = ({ customerId: customer_id }: Sale) =>
  world.inOrg((tx) => sales.previewCancellation(tx, world.shop, { customer_id }));
const cancel = ({ customerId: customer_id }: Sale) =>
  world.inOrg((tx) =>
    sales.cancelAgreement(tx, world.shop, { customer_id, reason: 'given back' }, world.locking.letGoOfCancelled),
  );
const details = ({ customerId: customer_id }: Sale) =>
  world.db.read(ORG, (tx) => emiDetails(tx, world.shop, { customer_id }));

it('owes back no payment that was taken back', async () => {
  const sale = await world.sell();
  const { refund_paise } = await preview(sale);
  const { payment_id } = await world.pay(sale, 1);
  await world.inOrg((tx) => world.payments.reverse(tx, world.shop, payment_id, 'bounced'));
  expect((await preview(sale)).refund_paise).toBe(refund_paise);
  expect((await cancel(sale)).refund_paise).toBe(refund_paise);
  expect(
    await world.db.asOwner('select from refund_tasks where agreement_id = $1 and payment_id = $2', [
      sale.agreement.agreement_id,
      payment_id,
    ]),
  ).toEqual([]);
});

it('is refused where the down payment has no receipt: nobody knows whose till it lies in', async () => {
  const sale = await world.sell();
  // As it was agreed before down payments were payments.
  await world.db.plant(
    ['agreements'],
    'update agreements set down_payment_paise = down_payment_paise + 50000 where agreement_id = $1',
    [sale.agreement.agreement_id],
  );
  await expect(preview(sale)).rejects.toMatchObject({ code: 'STATE_CONFLICT' });
  await expect(cancel(sale)).rejects.toMatchObject({ code: 'STATE_CONFLICT' });
  expect((await details(sale)).agreement.state).toBe('active');
});

it('says of the late fees that stand that they are given up with the rest', async () => {
  await makePenalRule(world.db, ORG);
  const sale = await world.sell();
  await world.at('2026-03-18T12:00:00');
  const before = (await preview(sale)).given_up_paise;
  await makeCharge(world.db, ORG, { customer_id: sale.customerId, amount: 100_00 });
  expect((await preview(sale)).given_up_paise).toBe(before + 100_00);
  expect((await cancel(sale)).given_up_paise).toBe(before + 100_00);
});

it('leaves nothing owed to read and nothing to pay: of its EMIs what was paid, and no other', async () => {
  const sale = await world.sell();
  await world.pay(sale, 1);
  await world.pay(sale, 2, 1_000_00);
  const paidOf = (rows: Awaited<ReturnType<typeof details>>['instalments']) =>
    rows.filter(({ paid_paise }) => paid_paise > 0).map(({ no, paid_paise }) => [no, paid_paise as number]);
  const before = paidOf((await details(sale)).instalments);
  expect(before).toHaveLength(2);
  await cancel(sale);
  await world.at('2026-05-20T12:00:00');
  const { agreement, instalments, charges } = await details(sale);
  expect(agreement).toMatchObject({
    state: 'cancelled',
    outstanding_paise: 0,
    overdue_paise: 0,
    penal_left_paise: 0,
    next_due_on: null,
    days_past_due: 0,
  });
  expect(charges).toEqual([]);
  expect(paidOf(instalments)).toEqual(before);
  expect(instalments.map(({ no, total_paise, left_paise, state }) => [no, total_paise, left_paise, state])).toEqual(
    before.map(([no, paise]) => [no, paise, 0, 'paid']),
  );
  const kept = await world.db.read(ORG, (tx) => agreements.account(tx, { agreement_id: sale.agreement.agreement_id }));
  for (const row of instalments) {
    const of = kept.instalments.find(({ no }) => no === row.no)!;
    expect([row.principal_paise, row.interest_paise]).toEqual([of.paid_principal_paise, of.paid_interest_paise]);
  }
  expect(await world.inOrg((tx) => payTo(tx, world.shop, { customer_id: sale.customerId }))).toMatchObject({
    amount_paise: 0,
    rests_until_on: null,
  });
});

it('leaves nothing of what was given up among what a shop’s customers owe, nor an overdue one', async () => {
  const owed = async () => {
    const { figures } = await world.inOrg((tx) => shopProfile(tx, world.shop, { user_id: world.shop.userId }));
    return { outstanding: figures!.outstanding_paise, overdue: figures!.overdue };
  };
  const before = await owed();
  const sale = await world.sell();
  await world.at('2026-03-18T12:00:00');
  const { outstanding_paise } = await world
    .inOrg((tx) => agreements.account(tx, sale.agreement))
    .then(({ agreement }) => agreement);
  const overdueThen = (await owed()).overdue;
  expect((await owed()).outstanding).toBe(before.outstanding + outstanding_paise);
  await cancel(sale);
  expect(await owed()).toEqual({ outstanding: before.outstanding, overdue: overdueThen - 1 });
});
