import type { Actor } from '#server/identity/identity.ts';
import * as payments from '#server/payments/payments.ts';
import * as sales from '#server/sales/sales.ts';
import { cancellingActs } from './cancelling-acts.ts';
import { type LockWorld, type Sale } from './lock-world.ts';

/** Customers who owe nothing any more, and their erasure. @param world of the file's tests */
export function erasingActs(world: LockWorld) {
  const { sell, cancel } = cancellingActs(() => world);
  async function refundsDone({ customerId }: Sale): Promise<void> {
    const open = await world.db.asOwner<{ payment_id: string }>(
      `select payment_id from refund_tasks where customer_id = $1 and state = 'open'`,
      [customerId],
    );
    for (const { payment_id } of open)
      await world.inOrg((tx) => payments.refundDone(tx, world.shop, { payment_id, method: 'CASH', reference: '' }));
  }
  return {
    sell,
    cancel,
    refundsDone,
    /** A sale that was cancelled, of a phone that was never set up. */
    async finished(): Promise<Sale> {
      const sale = await sell({ isEnrolled: false });
      await cancel(sale);
      await refundsDone(sale);
      return sale;
    },
    /** All EMIs are paid, of a phone that was never set up. */
    async paidOff(): Promise<Sale> {
      const sale = await sell({ isEnrolled: false });
      for (let no = 1; no <= 6; no += 1) await world.pay(sale, no);
      return sale;
    },
    preview: ({ customerId: customer_id }: Sale, by: Actor = world.shop) =>
      world.inOrg((tx) => sales.previewErasure(tx, by, { customer_id })),
    erase: ({ customerId: customer_id }: Sale, by: Actor = world.shop) =>
      world.inOrg((tx) => sales.eraseCustomer(tx, by, { customer_id })),
    outcome: (promise: Promise<unknown>): Promise<string> => promise.then(() => 'accepted', String),
  };
}
