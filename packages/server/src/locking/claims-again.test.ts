import { beforeEach, expect, it } from 'vitest';
import { emiDetails } from '#server/reports/emi-details.ts';
import { customerIds } from '#server/reports/reports.ts';
import { ORG, type Sale, customerOf } from '#test/lock-world.ts';
import { dueTwoDaysAgo, refuseClaim, sayPaid } from '#test/said-paid.ts';
import { useLockWorld } from '#test/use-lock-world.ts';

/** Money that answered "I have paid" and is taken back answers nothing: what was said waits for the shop again. */
const world = useLockWorld();
let sale: Sale;
beforeEach(async () => {
  sale = await dueTwoDaysAgo(world);
});

const say = (at: string) => sayPaid(world, sale, at);
const paid = async (paise: number) => (await world.pay(sale, 1, paise)).payment_id;
const takeBack = (payment_id: string) =>
  world.inOrg((tx) => world.payments.reverse(tx, world.shop, payment_id, 'a slip of the hand'));
const seen = (by = world.shop) =>
  world.db.read(ORG, async (tx) => (await emiDetails(tx, by, { customer_id: sale.customerId })).phone_claim);
const isToDo = () =>
  world.db.read(ORG, async (tx) =>
    (await customerIds(tx, world.shop, { filter: { todo: 'claim_waiting' }, max: 99 })).includes(sale.customerId),
  );
const states = async () => {
  const rows = await world.db.asOwner<{ state: string }>(
    'select state from phone_claims where customer_id = $1 order by said_at, claim_id',
    [sale.customerId],
  );
  return rows.map(({ state }) => state);
};
const linesOf = () =>
  world.db.asOwner<{ action: string; data: Record<string, string> }>(
    `select action, data from audit_lines where subject_id = $1 and action like 'phone_claim%' order by seq`,
    [sale.agreement.agreement_id],
  );

it('waits on the shop’s list and at the customer as before, with a line that names the money, and is answered as any other', async () => {
  await say('2026-03-12T11:59:00');
  const { claim_id: before } = (await seen())!;
  await world.at('2026-03-12T15:00:00');
  const payment_id = await paid(1_00);
  expect([await seen(), await isToDo()]).toEqual([null, false]);
  await world.at('2026-03-12T15:05:00');
  await takeBack(payment_id);
  const again = (await seen())!;
  expect(again).toMatchObject({ refuse_reason: null });
  expect([await seen(customerOf(world, sale)), await isToDo(), await states()]).toEqual([
    again,
    true,
    ['paid', 'open'],
  ]);
  const lines = await linesOf();
  expect(lines.map(({ action }) => action)).toEqual(['phone_claim_said', 'phone_claim_waits_again']);
  expect(lines[1]!.data).toEqual({ claim_id: again.claim_id, before, payment_id });
  expect(await world.violations()).toEqual([]);
  await refuseClaim(world, again.claim_id);
  expect([await isToDo(), await states()]).toEqual([false, ['paid', 'refused']]);
});

it('is answered still by other money that came after it, until that is taken back too', async () => {
  const earlier = await paid(50_00);
  await world.at('2026-03-12T12:30:00');
  await say('2026-03-12T12:29:00');
  await world.at('2026-03-12T13:00:00');
  const first = await paid(100_00);
  await world.at('2026-03-12T14:00:00');
  const second = await paid(200_00);
  // Money that was there before it was said never was its answer.
  for (const id of [earlier, first]) await takeBack(id);
  expect(await states()).toEqual(['paid']);
  await takeBack(second);
  expect(await states()).toEqual(['paid', 'open']);
});

it('heard after the money that it spoke of, waits when that very money is taken back and not when other money is', async () => {
  const before = await paid(50_00);
  await world.at('2026-03-12T13:00:00');
  const meant = await paid(100_00);
  await world.at('2026-03-12T13:30:00');
  const slip = await paid(300_00);
  await takeBack(slip);
  await world.at('2026-03-12T14:00:00');
  await say('2026-03-12T12:30:00');
  await world.at('2026-03-12T15:00:00');
  const after = await paid(200_00);
  for (const id of [after, before]) await takeBack(id);
  expect(await states()).toEqual(['paid']);
  await takeBack(meant);
  expect(await states()).toEqual(['paid', 'open']);
});

it('stays as it was where it was answered otherwise or said anew meanwhile', async () => {
  await say('2026-03-12T11:59:00');
  const first = await paid(100_00);
  await world.at('2026-03-12T13:00:00');
  await say('2026-03-12T12:59:00');
  await takeBack(first);
  expect(await states()).toEqual(['paid', 'open']);
  await refuseClaim(world, (await seen())!.claim_id);
  await world.at('2026-03-12T14:00:00');
  await takeBack(await paid(100_00));
  expect(await states()).toEqual(['paid', 'refused']);
});

it('waits again also where the money had ended the agreement and let the phone go', async () => {
  sale = await world.sell({ deliveredOn: '2026-02-10', tenure: 1 });
  await say('2026-03-12T11:59:00');
  const { payment_id, agreement_state } = await world.pay(sale, 1);
  expect([agreement_state, await states()]).toEqual(['completed', ['paid']]);
  await world.at('2026-03-12T13:00:00');
  await takeBack(payment_id);
  expect([await isToDo(), await states()]).toEqual([true, ['paid', 'open']]);
  expect(await world.violations()).toEqual([]);
});
