import { beforeAll, describe, expect, test } from 'vitest';
import { account, accountToChange, cancel } from '#server/agreements/agreements.ts';
import type { Actor } from '#server/identity/identity.ts';
import { checkBooks } from '#server/ledger/ledger.ts';
import type { Tx } from '#server/platform/database.ts';
import { newId } from '#server/platform/ids.ts';
import { createTestDatabase } from '#test/database.ts';
import { makeBuyer, makeOrganisation, makeRetailer, makeSale, setClock } from '#test/factories.ts';
import { createPayments, oweBack, refundDone, refundTasks } from './payments.ts';

const db = await createTestDatabase();
const told: string[] = [];
const payments = createPayments({
  duesChanged: async () => null,
  claimed: async (_tx, _actor, _agreement, { paymentId }) => void told.push(paymentId),
  sendReceipt: async () => async () => '',
});
let shop: Actor;
let rival: Actor;

beforeAll(async () => {
  await makeOrganisation(db, 20);
  shop = await makeRetailer(db, 20);
  rival = await makeRetailer(db, 20);
  await setClock(db, '2026-04-10T11:00:00');
});

const inOrg = <T>(work: (tx: Tx) => Promise<T>) => db.transaction(20, work);
const books = () => db.read(20, (tx) => checkBooks(tx));
const code = (promise: Promise<unknown>) =>
  promise.then(
    () => 'accepted',
    (error: { code?: string }) => error.code,
  );

async function sell() {
  const sale = await inOrg((tx) => makeSale(tx, shop));
  const person = await makeBuyer(db, shop, sale.customerId);
  return { ...sale, person };
}
type Sold = Awaited<ReturnType<typeof sell>>;
const openedOf = ({ agreement }: Sold) => db.read(20, (tx) => account(tx, agreement));
const paidOf = async (sale: Sold) =>
  (sale.agreement.total_payable_paise as number) - (await openedOf(sale)).agreement.outstanding_paise;
const claim = ({ person }: Sold, more: object = {}) =>
  inOrg((tx) =>
    payments.claim(tx, person, {
      payment_id: newId(),
      amount: 2_674_00,
      method: 'UPI',
      reference: '4123 4567 8901',
      ...more,
    }),
  );
const answer = (payment_id: string, is_received: boolean, actor = shop) =>
  inOrg((tx) => payments.answerClaim(tx, actor, { payment_id, is_received, reason: 'Nothing came in' }));
const linesOf = async (payment_id: string) =>
  (
    await db.asOwner<{ n: number }>('select count(*)::int as n from journal_lines where payment_id = $1', [payment_id])
  )[0]!.n;
const payAll = async (sale: Sold) => {
  const instalment_ids = [...(await openedOf(sale)).instalmentIds.values()];
  await inOrg((tx) =>
    payments.recordMany(tx, shop, { customer_id: sale.customerId, instalment_ids, method: 'CASH', reference: '' }),
  );
};
const payFirst = async (sale: Sold, more: object = {}) => {
  const instalment_id = (await openedOf(sale)).instalmentIds.get(1)!;
  const given = { instalment_id, amount: 2_674_00, method: 'CASH' as const, reference: '', ...more };
  return inOrg((tx) => payments.record(tx, shop, given));
};

describe('a claim', () => {
  test('that is followed by another while the first waits is refused until the customer says that it is another', async () => {
    const sale = await sell();
    const first = await claim(sale, { payment_id: newId(), reference: newId() });
    const payment_id = newId();
    expect(await code(claim(sale, { payment_id, reference: newId() }))).toBe('CLAIM_WAITING');
    expect(told).not.toContain(payment_id);
    expect(await claim(sale, { payment_id, reference: newId(), again: true })).toMatchObject({ state: 'claimed' });
    await answer(first.payment_id, false);
    await answer(payment_id, false);
    expect(await claim(sale, { reference: newId() })).toMatchObject({ state: 'claimed' });
  });

  test('is told to the shop, has no number and no lines, and pays nothing until the shop says yes', async () => {
    const sale = await sell();
    const payment_id = newId();
    expect(await claim(sale, { payment_id })).toEqual({ payment_id, state: 'claimed', receipt: null });
    expect(told).toContain(payment_id);
    expect([await linesOf(payment_id), await paidOf(sale)]).toEqual([0, 0]);
    expect(await books()).toMatchObject({ isBalanced: true, differences: [] });
    const { state, receipt } = await answer(payment_id, true);
    expect([state, receipt?.payment_id, receipt?.amount_paise]).toEqual(['posted', payment_id, 2_674_00]);
    expect(await paidOf(sale)).toBe(2_674_00);
    expect(await books()).toMatchObject({ isBalanced: true, differences: [] });
    expect(await answer(payment_id, true)).toEqual({ payment_id, state, receipt });
    expect(await code(answer(payment_id, false))).toBe('STATE_CONFLICT');
    await inOrg((tx) => payments.reverse(tx, shop, payment_id, 'came from somebody else'));
    expect(await paidOf(sale)).toBe(0);
    expect(await books()).toMatchObject({ isBalanced: true, differences: [] });
  });

  test('of more than is owed pays what is owed, and the rest waits to be paid back', async () => {
    const sale = await sell();
    const owed = sale.agreement.total_payable_paise;
    const sent = { payment_id: newId(), amount: owed + 500_00, reference: '4199 4567 8901' };
    await claim(sale, sent);
    const { receipt } = await answer(sent.payment_id, true);
    expect(receipt).toMatchObject({ payment_id: sent.payment_id, amount_paise: owed, advance_paise: 0 });
    const over = receipt!.overpaid!;
    const tasks = await db.read(20, (tx) => refundTasks(tx, shop));
    expect(tasks.find(({ customer_id }) => customer_id === sale.customerId)).toMatchObject({
      payment_id: over.payment_id,
      amount_paise: 500_00,
      state: 'open',
    });
    expect(await books()).toMatchObject({ isBalanced: true, differences: [] });
    // Told again, by the customer or by its reference at the counter, it is the same money.
    expect(await claim(sale, sent)).toMatchObject({ state: 'posted', receipt });
    const { amount, reference } = sent;
    expect(await payFirst(sale, { amount, reference, method: 'UPI' })).toEqual(receipt);
  });

  test('sent again is one claim; another amount under its id, or another customer’s, is none', async () => {
    const [sale, other] = [await sell(), await sell()];
    const payment_id = newId();
    const first = await claim(sale, { payment_id });
    expect(await claim(sale, { payment_id })).toEqual(first);
    expect(told.filter((id) => id === payment_id)).toHaveLength(1);
    expect(await code(claim(sale, { payment_id, amount: 1 }))).toBe('IDEMPOTENCY_CONFLICT');
    expect(await code(claim(other, { payment_id }))).toBe('NOT_FOUND');
  });

  test('for another purchase of the same person is never answered by the one that has its id', async () => {
    const [phone, tablet] = [await sell(), await sell()];
    const person = { ...phone.person, customerIds: [phone.customerId, tablet.customerId] };
    const sent = { payment_id: newId(), reference: newId() };
    await claim({ ...phone, person }, { ...sent, customer_id: phone.customerId });
    const other = claim({ ...tablet, person }, { ...sent, customer_id: tablet.customerId });
    expect(await code(other)).toBe('IDEMPOTENCY_CONFLICT');
  });

  test('is not answered by whoever made it', async () => {
    const sale = await sell();
    const { payment_id } = await claim(sale, { reference: newId() });
    for (const is_received of [true, false])
      expect(await code(answer(payment_id, is_received, sale.person))).toBe('FEATURE_NOT_ALLOWED');
    expect([await linesOf(payment_id), await paidOf(sale)]).toEqual([0, 0]);
    await answer(payment_id, false);
  });

  test('is answered by the customer’s own shop alone, and refused with a reason that stands in its history', async () => {
    const sale = await sell();
    const { payment_id } = await claim(sale);
    expect(await code(answer(payment_id, true, rival))).toBe('NOT_FOUND');
    expect(await code(inOrg((tx) => payments.answerClaim(tx, shop, { payment_id, is_received: false })))).toBe(
      'INVALID_INPUT',
    );
    expect(await answer(payment_id, false)).toMatchObject({ state: 'refused', receipt: null });
    expect(await code(answer(payment_id, true))).toBe('STATE_CONFLICT');
    expect(
      await db.asOwner('select to_state as "to", reason from payment_moves where payment_id = $1 order by no', [
        payment_id,
      ]),
    ).toEqual([
      { to: 'claimed', reason: 'claimed by the customer' },
      { to: 'refused', reason: 'Nothing came in' },
    ]);
    expect([await linesOf(payment_id), await paidOf(sale)]).toEqual([0, 0]);
  });

  test('is proved when the shop marks its UPI reference, and the mark is not a second payment', async () => {
    const sale = await sell();
    const { payment_id } = await claim(sale, { reference: '999988887777' });
    const mark = () => payFirst(sale, { method: 'UPI', reference: '9999 8888 7777', payment_id: newId() });
    const receipt = await mark();
    expect(receipt.payment_id).toBe(payment_id);
    expect(await mark()).toEqual(receipt);
    expect(await paidOf(sale)).toBe(2_674_00);
    const other = await sell();
    await claim(other, { reference: '999988887777' });
    expect(await code(payFirst(other, { method: 'UPI', reference: '999988887777' }))).toBe('REFERENCE_USED');
  });

  test.each(['that waits', 'that was proved before'])(
    'the id of a mark that met a claim %s is used for ever: taken back, it answers with the old receipt and pays nothing',
    async (which) => {
      const sale = await sell();
      const reference = newId();
      const { payment_id } = await claim(sale, { reference });
      if (which !== 'that waits') await answer(payment_id, true);
      const [{ id } = { id: '' }] = await db.asOwner<{ id: string }>(
        'select instalment_id as id from instalments where agreement_id = $1 and no = 1',
        [sale.agreement.agreement_id],
      );
      const marked = newId();
      const mark = { payment_id: marked, instalment_id: id, amount: 2_674_00, method: 'UPI' as const, reference };
      const { receipt_no } = await inOrg((tx) => payments.record(tx, shop, mark));
      await inOrg((tx) => payments.reverse(tx, shop, payment_id, 'typed for somebody else'));
      expect(await inOrg((tx) => payments.record(tx, shop, mark))).toMatchObject({ payment_id, receipt_no });
      expect(await paidOf(sale)).toBe(0);
      expect(await code(inOrg((tx) => payments.record(tx, shop, { ...mark, amount: 1_00 })))).toBe(
        'IDEMPOTENCY_CONFLICT',
      );
      // Of the same transfer somebody may mean it anew: that has an id of its own.
      await inOrg((tx) => payments.record(tx, shop, { ...mark, payment_id: newId() }));
      expect(await paidOf(sale)).toBe(2_674_00);
      await expect(db.asOwner('delete from payment_given_ids')).rejects.toThrow('what was written stays');
      expect(await books()).toMatchObject({ isBalanced: true, differences: [] });
    },
  );

  test('keeps its amount, whoever writes: neither while it waits nor once it is posted is it another', async () => {
    const sale = await sell();
    const { payment_id } = await claim(sale, { reference: newId() });
    const set = (amount: number, more = '') =>
      inOrg((tx) =>
        tx.query(`update payments set amount_paise = $2${more} where payment_id = $1`, [payment_id, amount]),
      );
    await expect(set(1_00)).rejects.toThrow(/facts stay/);
    const posts = `, state = 'posted', receipt_no = 'X/1', posted_by = recorded_by, receipt = '{"overpaid":{"payment_id":"${payment_id}"}}'`;
    await expect(set(1_00, posts)).rejects.toThrow(/facts stay/);
    await answer(payment_id, true);
    await expect(set(1_00)).rejects.toThrow(/facts stay/);
  });

  test('answered by two at once is one payment', async () => {
    const sale = await sell();
    const { payment_id } = await claim(sale, { reference: newId() });
    const answers = await Promise.all(Array.from({ length: 8 }, () => answer(payment_id, true)));
    expect(new Set(answers.map(({ receipt }) => receipt?.receipt_no)).size).toBe(1);
    expect(await paidOf(sale)).toBe(2_674_00);
  });
});

describe('money for an agreement that is over', () => {
  const owedBack = async (sale: Sold) =>
    (await inOrg((tx) => refundTasks(tx, shop))).filter((task) => task.customer_id === sale.customerId);
  const balances = (payment_id: string) =>
    db.asOwner<{ code: string; paise: number }>(
      `select a.code, sum(l.debit - l.credit)::int as paise from journal_lines l join accounts a using (org_id, account_id)
       where l.payment_id = $1 group by a.code having sum(l.debit - l.credit) <> 0 order by a.code`,
      [payment_id],
    );
  const over = {
    'is paid off': payAll,
    'is cancelled': (sale: Sold) =>
      inOrg(async (tx) => {
        const opened = await accountToChange(tx, sale.agreement);
        await cancel(tx, shop, opened, { reason: 'given back' });
        await oweBack(tx, sale.agreement);
      }),
  };

  test.each(Object.entries(over))('that %s is taken, owed back, and given back once', async (_how, end) => {
    const sale = await sell();
    await end(sale);
    const before = (await openedOf(sale)).agreement;
    const { payment_id, allocations } = await payFirst(sale);
    expect(allocations).toEqual([]);
    expect((await openedOf(sale)).agreement).toEqual(before);
    expect(await balances(payment_id)).toEqual([
      { code: 'clearing_cash', paise: 2_674_00 },
      { code: 'refunds_payable', paise: -2_674_00 },
    ]);
    const ofThis = async () => (await owedBack(sale)).filter((task) => task.payment_id === payment_id);
    expect(await ofThis()).toMatchObject([{ payment_id, amount_paise: 2_674_00, state: 'open' }]);
    expect(await inOrg((tx) => refundTasks(tx, rival))).toEqual([]);
    const back = { payment_id, method: 'UPI' as const, reference: '1' };
    expect(await code(inOrg((tx) => refundDone(tx, rival, back)))).toBe('NOT_FOUND');
    await Promise.all([1, 2, 3].map(() => inOrg((tx) => refundDone(tx, shop, back))));
    expect(await balances(payment_id)).toEqual([
      { code: 'clearing_cash', paise: 2_674_00 },
      { code: 'clearing_upi', paise: -2_674_00 },
    ]);
    expect(await ofThis()).toMatchObject([{ state: 'done', method: 'UPI' }]);
    expect(await code(inOrg((tx) => payments.reverse(tx, shop, payment_id, 'too late')))).toBe('STATE_CONFLICT');
    expect(await books()).toMatchObject({ isBalanced: true, differences: [] });
  });

  test('that never came in is taken back with its task', async () => {
    const sale = await sell();
    await payAll(sale);
    const { payment_id } = await payFirst(sale);
    await inOrg((tx) => payments.reverse(tx, shop, payment_id, 'typed for somebody else'));
    expect(await balances(payment_id)).toEqual([]);
    expect(await owedBack(sale)).toMatchObject([{ state: 'void' }]);
    expect(await code(inOrg((tx) => refundDone(tx, shop, { payment_id, method: 'CASH', reference: '' })))).toBe(
      'STATE_CONFLICT',
    );
    expect((await openedOf(sale)).agreement.state).toBe('completed');
    expect(await books()).toMatchObject({ isBalanced: true, differences: [] });
  });

  test('that was claimed is owed back from the shop’s yes on', async () => {
    const sale = await sell();
    await payAll(sale);
    const { payment_id } = await claim(sale, { reference: newId() });
    expect(await owedBack(sale)).toEqual([]);
    await answer(payment_id, true);
    expect(await owedBack(sale)).toMatchObject([{ payment_id, state: 'open' }]);
    expect(await books()).toMatchObject({ isBalanced: true, differences: [] });
  });
});
