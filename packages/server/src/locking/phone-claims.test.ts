import { beforeEach, expect, it } from 'vitest';
import { account } from '#server/agreements/agreements.ts';
import type { Actor } from '#server/identity/identity.ts';
import * as payments from '#server/payments/payments.ts';
import { customerIds } from '#server/reports/reports.ts';
import { dashboard } from '#server/reports/dashboard.ts';
import { emiDetails } from '#server/reports/emi-details.ts';
import { newId } from '#server/platform/ids.ts';
import * as sales from '#server/sales/sales.ts';
import { cancellingActs } from '#test/cancelling-acts.ts';
import { makeRetailer } from '#test/factories.ts';
import { ORG, type Sale, customerOf } from '#test/lock-world.ts';
import { dueTwoDaysAgo, refuseClaim, sayPaid } from '#test/said-paid.ts';
import { useLockWorld } from '#test/use-lock-world.ts';

const world = useLockWorld();
let sale: Sale;
beforeEach(async () => {
  sale = await dueTwoDaysAgo(world);
});

const { cancel } = cancellingActs(() => world);
const say = (at?: string) => sayPaid(world, sale, at);
const seenBy = (by: Actor) =>
  world.inOrg(async (tx) => (await emiDetails(tx, by, { customer_id: sale.customerId })).phone_claim);
/** Whether it stands among what the shop does first; the count is of those that the line lists. */
const isToDo = () =>
  world.inOrg(async (tx) => {
    const ids = await customerIds(tx, world.shop, { filter: { todo: 'claim_waiting' }, max: 99 });
    const line = (await dashboard(tx, world.shop)).do_now.find(({ kind }) => kind === 'claim_waiting');
    expect(line?.count ?? 0).toBe(ids.length);
    return ids.includes(sale.customerId);
  });
const rowsOf = ({ customerId }: Sale) =>
  world.db.asOwner<{ claim_id: string; state: string; reason: string | null }>(
    'select claim_id, state, reason from phone_claims where customer_id = $1 order by said_at',
    [customerId],
  );
/** A hundred rupees of the EMI that is due, which were paid at a moment and are told now. */
async function payPart(paidAt: string): Promise<void> {
  const { agreement_id } = sale.agreement;
  const { instalmentIds } = await world.db.read(ORG, (tx) => account(tx, { agreement_id }));
  await world.inOrg((tx) =>
    world.payments.record(tx, world.shop, {
      instalment_id: instalmentIds.get(1)!,
      amount: 100_00,
      method: 'CASH',
      reference: '',
      paid_at: new Date(`${paidAt}+05:30`).toISOString(),
    }),
  );
}
async function refundsDone({ customerId }: Sale): Promise<void> {
  const open = await world.db.asOwner<{ payment_id: string }>(
    `select payment_id from refund_tasks where customer_id = $1 and state = 'open'`,
    [customerId],
  );
  for (const { payment_id } of open)
    await world.inOrg((tx) => payments.refundDone(tx, world.shop, { payment_id, method: 'CASH', reference: '' }));
}
const refuse = (claim_id: string, by?: Actor) => refuseClaim(world, claim_id, by);

it('what is said on the phone waits for the shop once, on its list and at the customer, until money comes', async () => {
  expect([await seenBy(world.shop), await isToDo()]).toEqual([null, false]);
  await say();
  await say();
  const said = await seenBy(world.shop);
  expect(said).toEqual({ claim_id: expect.any(String), said_at: expect.any(String), refuse_reason: null });
  expect([await seenBy(customerOf(world, sale)), await isToDo()]).toEqual([said, true]);
  await world.pay(sale, 1);
  expect([await seenBy(world.shop), await isToDo()]).toEqual([null, false]);
  await expect(refuse(said!.claim_id)).rejects.toMatchObject({ code: 'STATE_CONFLICT' });
});

it('the shop says no, once, with words that the customer reads; said again it waits anew', async () => {
  await say();
  const { claim_id } = (await seenBy(world.shop))!;
  const rival = await makeRetailer(world.db, ORG);
  await expect(refuse(claim_id, rival)).rejects.toMatchObject({ code: 'NOT_FOUND' });
  expect(await refuse(claim_id)).toEqual({ claim_id, state: 'refused' });
  await expect(refuse(claim_id)).rejects.toMatchObject({ code: 'STATE_CONFLICT' });
  expect(await seenBy(customerOf(world, sale))).toMatchObject({ claim_id, refuse_reason: 'Nothing came in' });
  expect(await isToDo()).toBe(false);
  const lines = await world.db.asOwner<{ action: string }>(
    `select action from audit_lines where subject_id = $1 and action like 'phone_claim%' order by seq`,
    [sale.agreement.agreement_id],
  );
  expect(lines.map(({ action }) => action)).toEqual(['phone_claim_said', 'phone_claim_refused']);
  await world.at('2026-03-12T13:00:00');
  await say();
  expect(await seenBy(world.shop)).toMatchObject({ refuse_reason: null });
  expect(await isToDo()).toBe(true);
});

it('a no of another shop, of who may not collect, a second one and one after the money came write nothing', async () => {
  const traces = async () => [
    await rowsOf(sale),
    await world.db.asOwner(
      `select action, actor from audit_lines where subject_id = $1 and action like 'phone_claim%' order by seq`,
      [sale.agreement.agreement_id],
    ),
  ];
  const refusedWith = async (claim_id: string, by: Actor, reason: string) => {
    const before = await traces();
    const no = refuseClaim(world, claim_id, by, reason);
    const code = await no.then(
      () => 'done',
      (error: { code?: string }) => error.code,
    );
    expect(await traces()).toEqual(before);
    return code;
  };
  await say();
  const { claim_id } = (await seenBy(world.shop))!;
  expect(await refusedWith(newId(), world.shop, 'nobody said it')).toBe('NOT_FOUND');
  expect(await refusedWith(claim_id, await makeRetailer(world.db, ORG), 'not mine')).toBe('NOT_FOUND');
  const blind = { ...world.shop, lockAccess: { ...world.shop.lockAccess, read: '0' as const } };
  expect(await refusedWith(claim_id, blind, 'may not')).toBe('FEATURE_NOT_ALLOWED');
  const holder = customerOf(world, sale);
  expect(await refusedWith(claim_id, holder, 'my own word')).toBe('FEATURE_NOT_ALLOWED');
  await refuse(claim_id);
  expect(await refusedWith(claim_id, world.second, 'another word')).toBe('STATE_CONFLICT');
  expect(await rowsOf(sale)).toEqual([{ claim_id, state: 'refused', reason: 'Nothing came in' }]);
  await world.at('2026-03-12T13:00:00');
  await say('2026-03-12T12:59:00');
  const again = (await seenBy(world.shop))!;
  await payPart('2026-03-12T13:00:00');
  expect(await refusedWith(again.claim_id, world.shop, 'not seen')).toBe('STATE_CONFLICT');
  expect(await rowsOf(sale)).toMatchObject([{ state: 'refused' }, { state: 'paid', reason: null }]);
});

it('said again with a sum, that one is answered', async () => {
  await say();
  const told = { paymentId: newId(), amountPaise: 2_674_00 };
  await world.inOrg((tx) => world.locking.paymentClaimed(tx, customerOf(world, sale), sale.agreement, told));
  expect([await seenBy(world.shop), await isToDo()]).toEqual([null, false]);
});

it('the shop’s no goes with the money that came into the books after it, whatever day the money is of', async () => {
  await say();
  await refuse((await seenBy(world.shop))!.claim_id);
  expect(await seenBy(customerOf(world, sale))).not.toBeNull();
  await world.at('2026-03-12T15:00:00');
  await payPart('2026-03-11T10:00:00');
  expect(await seenBy(customerOf(world, sale))).toBeNull();
});

it('money that was in the books before the no leaves it standing', async () => {
  await payPart('2026-03-12T11:50:00');
  await world.at('2026-03-12T12:30:00');
  await say('2026-03-12T12:29:00');
  await world.at('2026-03-12T13:00:00');
  await refuse((await seenBy(world.shop))!.claim_id);
  expect(await seenBy(customerOf(world, sale))).toMatchObject({ refuse_reason: 'Nothing came in' });
});

it('said where nothing is due it waits for nobody, but the shop’s bell rings', async () => {
  await world.pay(sale, 1);
  await world.at('2026-03-12T13:00:00');
  await say('2026-03-12T12:59:00');
  expect([await seenBy(world.shop), await isToDo()]).toEqual([null, false]);
  const bells = await world.db.asOwner('select kind from notifications where customer_id = $1', [sale.customerId]);
  expect(bells).toContainEqual({ kind: 'payment_claimed' });
  await world.at('2026-04-10T12:00:00');
  await say('2026-04-10T11:59:00');
  expect(await seenBy(world.shop)).not.toBeNull();
});

it('said before the last payment came into the books, and heard after it, it waits for nobody', async () => {
  await world.at('2026-03-12T13:00:00');
  await payPart('2026-03-12T09:00:00');
  await world.at('2026-03-12T14:00:00');
  await say('2026-03-12T12:30:00');
  expect([await seenBy(world.shop), await isToDo()]).toEqual([null, false]);
  // By a clock that runs ahead it was said when we heard of it.
  await say('2027-01-01T00:00:00');
  expect(await seenBy(world.shop)).not.toBeNull();
});

it('an agreement that is cancelled has nothing that waits', async () => {
  await say();
  const { claim_id } = (await seenBy(world.shop))!;
  await cancel(sale);
  expect([await seenBy(world.shop), await seenBy(customerOf(world, sale)), await isToDo()]).toEqual([
    null,
    null,
    false,
  ]);
  await expect(refuse(claim_id)).rejects.toMatchObject({ code: 'STATE_CONFLICT' });
  expect(await rowsOf(sale)).toMatchObject([{ claim_id, state: 'over', reason: null }]);
});

it('who pays everything off has an answer', async () => {
  await say();
  for (const no of [1, 2, 3, 4, 5, 6]) await world.pay(sale, no);
  expect(await rowsOf(sale)).toMatchObject([{ state: 'paid' }]);
});

it('nobody writes words about who was erased', async () => {
  const before = sale;
  await say();
  const { claim_id } = (await seenBy(world.shop))!;
  await refuse(claim_id);
  await world.at('2026-03-12T13:00:00');
  await say();
  await cancel(sale);
  await refundsDone(sale);
  const erase = () => world.inOrg((tx) => sales.eraseCustomer(tx, world.shop, { customer_id: before.customerId }));
  await erase();
  const rows = await rowsOf(before);
  expect(rows).toMatchObject([
    { state: 'refused', reason: '—' },
    { state: 'over', reason: null },
  ]);
  for (const one of rows) await expect(refuse(one.claim_id)).rejects.toMatchObject({ code: 'STATE_CONFLICT' });
  const write = (words: string, state: string) =>
    world.inOrg((tx) =>
      tx.query(
        `update phone_claims set state = $2, reason = $3, answered_by = coalesce(answered_by, $4) where org_id = kist_org() and claim_id = $1`,
        [claim_id, state, words, world.shop.userId],
      ),
    );
  await expect(write('Irfan lies', 'refused')).rejects.toThrow('facts stay as they were written');
  await world.db.plant(['phone_claims'], `update phone_claims set reason = 'Irfan lies' where claim_id = $1`, [
    claim_id,
  ]);
  await erase();
  expect(await rowsOf(before)).toMatchObject([{ reason: '—' }, { reason: null }]);
});

it('the database ends what is open with the erasure, and lets nothing open or be refused after it', async () => {
  await cancel(sale);
  await refundsDone(sale);
  const open = `insert into phone_claims (org_id, claim_id, agreement_id, customer_id, said_at) values (kist_org(), gen_random_uuid(), $1, $2, kist_now())`;
  const add = () =>
    world.inOrg((tx) => tx.query(open, [sale.agreement.agreement_id, sale.customerId]).then(() => undefined));
  await add();
  await world.inOrg((tx) => sales.eraseCustomer(tx, world.shop, { customer_id: sale.customerId }));
  expect(await rowsOf(sale)).toMatchObject([{ state: 'over' }]);
  await expect(add()).rejects.toThrow('the customer was erased');
  await world.db.plant(
    ['phone_claims'],
    `update phone_claims set state = 'open', ended_at = null where agreement_id = $1`,
    [sale.agreement.agreement_id],
  );
  const [{ claim_id } = { claim_id: '' }] = await rowsOf(sale);
  await expect(refuse(claim_id)).rejects.toMatchObject({ code: 'STATE_CONFLICT' });
  const refused = `update phone_claims set state = 'refused', reason = 'x', answered_by = $2 where org_id = kist_org() and claim_id = $1`;
  await expect(world.inOrg((tx) => tx.query(refused, [claim_id, world.shop.userId]))).rejects.toThrow('was erased');
});

it('what was answered stays by the database too', async () => {
  await say();
  const { claim_id } = (await seenBy(world.shop))!;
  await refuse(claim_id);
  const again = world.inOrg((tx) =>
    tx.query(`update phone_claims set state = 'paid' where org_id = kist_org() and claim_id = $1`, [claim_id]),
  );
  await expect(again).rejects.toThrow('does not follow');
});
