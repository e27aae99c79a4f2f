import { afterAll, expect, test } from 'vitest';
import { account } from '#server/agreements/agreements.ts';
import type { Tx } from '#server/platform/database.ts';
import { createLockWorld, ORG, type Sale } from '#test/lock-world.ts';
import { makeRetailer } from '#test/factories.ts';
import { createPayments, takeDownPayment } from './payments.ts';

const world = await createLockWorld();
afterAll(() => world.close());
await world.at('2026-03-05T12:00:00');

const cash = { method: 'CASH', reference: '' } as const;
const firstOf = async ({ agreement: { agreement_id } }: Pick<Sale, 'agreement'>) =>
  (await world.db.read(ORG, (tx) => account(tx, { agreement_id }))).instalmentIds.get(1)!;

/** The transaction, and the names of what it was sent, in order. */
function listened(tx: Tx): { tx: Tx; sent: string[] } {
  const sent: string[] = [];
  const query: Tx['query'] = (text, values, name) => {
    sent.push(name ?? text.trim().slice(0, 60));
    return tx.query(text, values, name);
  };
  const { orgId, ports } = tx;
  const afterCommit: Tx['afterCommit'] = (hint) => tx.afterCommit(hint);
  return { tx: { orgId, ports, query, afterCommit }, sent };
}
const sinceNumber = (sent: readonly string[]) => sent.slice(sent.lastIndexOf('agreements.next_number') + 1);

test('once a paper has its number, nothing is written but what bears it', async () => {
  const sale = await world.sell();
  const instalment_id = await firstOf(sale);
  const paid = await world.inOrg(async (real) => {
    const { tx, sent } = listened(real);
    const receipt = await world.payments.record(tx, world.shop, { instalment_id, amount: 100_00, ...cash });
    return { sent, receipt };
  });
  expect(sinceNumber(paid.sent)).toEqual(['notices.insert', 'payments.insert_payment']);
  const back = await world.inOrg(async (real) => {
    const { tx, sent } = listened(real);
    await world.payments.reverse(tx, world.shop, paid.receipt.payment_id, 'typed wrong');
    return sent;
  });
  expect(sinceNumber(back)).toEqual(['payments.write_note']);
  await world.db
    .transaction(ORG, async (real) => {
      const { tx, sent } = listened(real);
      await takeDownPayment(tx, world.shop, sale.agreement);
      expect(sinceNumber(sent)).toEqual(['payments.insert_payment']);
      throw new Error('not again');
    })
    .catch((error: Error) => expect(error.message).toMatch(/payments_down_payment|not again/));
});

test('a payment that is still being reckoned holds up no other of its till', async () => {
  const [slow, quick] = [await world.sell(), await world.sell()];
  const [slowId, quickId] = [await firstOf(slow), await firstOf(quick)];
  let quickNo = '';
  const payments = createPayments({
    duesChanged: world.locking.duesChanged,
    claimed: world.locking.paymentClaimed,
    sendReceipt: async (tx, ...given) => {
      const send = await world.notices.sendReceipt(tx, ...given);
      if (given[0].agreement_id === slow.agreement.agreement_id) {
        const other = { instalment_id: quickId, amount: 100_00, ...cash };
        quickNo = (await world.inOrg((own) => world.payments.record(own, world.shop, other))).receipt_no;
      }
      return send;
    },
  });
  const { receipt_no } = await world.inOrg((tx) =>
    payments.record(tx, world.shop, { instalment_id: slowId, amount: 100_00, ...cash }),
  );
  const numberOf = (no: string) => Number(no.split('/').at(-1));
  expect(numberOf(receipt_no)).toBe(numberOf(quickNo) + 1);
}, 20_000);

test('fifty at once, every fifth of which comes to nothing, leave no gap in any series', async () => {
  const till = await makeRetailer(world.db, ORG);
  const sales = [];
  for (let n = 0; n < 10; n += 1) sales.push(await world.sell({ actor: till }));
  const ids = await Promise.all(sales.map(firstOf));
  const outcomes = await Promise.all(
    Array.from({ length: 50 }, (_, n) =>
      world
        .inOrg(async (tx) => {
          const given = { instalment_id: ids[n % ids.length]!, amount: 10_00 + n, ...cash };
          const receipt = await world.payments.record(tx, till, given);
          if (n % 5 === 0) throw new Error('the line is cut');
          return receipt;
        })
        .catch((error: Error) => (expect(error.message).toBe('the line is cut'), null)),
    ),
  );
  const receipts = outcomes.filter((one) => one !== null);
  const backs = await Promise.all(
    receipts
      .filter((_, n) => n % 2 === 0)
      .map(({ payment_id }) => world.inOrg((tx) => world.payments.reverse(tx, till, payment_id, 'typed wrong'))),
  );
  const placesOf = (numbers: readonly string[]) =>
    numbers.map((no) => Number(no.split('/').at(-1)!.replace(/^\D/, ''))).toSorted((a, b) => a - b);
  expect(placesOf(receipts.map(({ receipt_no }) => receipt_no))).toEqual(Array.from({ length: 40 }, (_, n) => n + 1));
  expect(placesOf(backs.map(({ note_no }) => note_no))).toEqual(Array.from({ length: 20 }, (_, n) => n + 1));
  const [counters] = await world.db.asOwner<{ last: number }>(
    `select last::int from counters where name like 'receipt:' || $1 || ':%'`,
    [till.userId],
  );
  expect(counters!.last).toBe(40);
}, 30_000);

test('a receipt is of the financial year of its day: 31 March of the one that ends, 1 April of the next, each from one on', async () => {
  const shop = await makeRetailer(world.db, ORG);
  const sale = await world.sell({ actor: shop });
  const instalment_id = await firstOf(sale);
  const receiptOn = async (day: string) => {
    await world.at(`${day}T12:00:00`);
    const taken = await world.inOrg((tx) =>
      world.payments.record(tx, shop, { instalment_id, amount: 100_00, ...cash }),
    );
    return taken.receipt_no;
  };
  expect(await receiptOn('2026-03-31')).toMatch(/^25-26\/\d+\/0001$/);
  expect(await receiptOn('2026-04-01')).toMatch(/^26-27\/\d+\/0001$/);
  expect(await receiptOn('2026-12-31')).toMatch(/^26-27\/\d+\/0002$/);
  expect(await receiptOn('2027-01-01')).toMatch(/^26-27\/\d+\/0003$/);
});
