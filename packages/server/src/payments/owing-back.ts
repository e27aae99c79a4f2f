import { KistError } from '@kist/contract/errors';
import { type Paise, sum } from '@kist/contract/money';
import type { Agreement } from '#server/agreements/agreements.ts';
import type { Posting } from '#server/ledger/ledger.ts';
import * as ledger from '#server/ledger/ledger.ts';
import { today } from '#server/platform/clock.ts';
import type { Tx } from '#server/platform/database.ts';
import { paidBackLines } from './rules/journal.ts';
import * as store from './refund-store.ts';

type Paid = Awaited<ReturnType<typeof store.paidFor.all>>[number];

interface OwedBack {
  payment_ids: readonly string[];
  amount_paise: Paise;
}

/**
 * Payments of an agreement that would be owed back if it were cancelled now, the down payment among them.
 * @throws KistError STATE_CONFLICT where the down payment is older than its receipts: nobody knows whose till it lies in
 */
async function paidFor(tx: Tx, { agreement_id, down_payment_paise }: Agreement): Promise<Paid[]> {
  const paid = await store.paidFor.all(tx, { agreement_id });
  const down = sum(paid.filter(({ goes_to }) => goes_to === 'down_payment').map(({ amount_paise }) => amount_paise));
  if (down !== down_payment_paise) throw new KistError('STATE_CONFLICT');
  return paid;
}

const told = (paid: readonly Paid[]): OwedBack => ({
  payment_ids: paid.map(({ payment_id }) => payment_id),
  amount_paise: sum(paid.map(({ amount_paise }) => amount_paise)),
});

/** What `oweBack` would owe. @throws KistError STATE_CONFLICT as it does */
export const wouldOweBack = async (tx: Tx, agreement: Agreement): Promise<OwedBack> =>
  told(await paidFor(tx, agreement));

/**
 * The agreement was cancelled: everything that was paid for it is owed back, each payment with a task of its own, until somebody says that it was given. The
 * sale and the income that it made are taken back with it.
 * @throws KistError STATE_CONFLICT
 */
export async function oweBack(tx: Tx, agreement: Agreement): Promise<OwedBack> {
  const { agreement_id, customer_id } = agreement;
  const paid = await paidFor(tx, agreement);
  const parts = await ledger.allocationsOf(tx, agreement_id);
  const businessOn = await today(tx);
  await ledger.postMany(
    tx,
    paid.map(({ payment_id, amount_paise, goes_to }): Posting => ({
      effectKey: `refund_owed:${payment_id}`,
      kind: 'refund_owed',
      refKind: 'payment',
      refId: payment_id,
      businessOn,
      lines: paidBackLines(
        { agreement_id, payment_id, amount_paise },
        goes_to === 'down_payment' ? [] : (parts.get(payment_id) ?? []),
      ),
    })),
  );
  const amounts = paid.map(({ amount_paise }) => amount_paise);
  const payment_ids = paid.map(({ payment_id }) => payment_id);
  await store.openTasks.run(tx, { agreement_id, customer_id, payment_ids, amounts });
  return told(paid);
}
