import { createPayments, type Payments } from '#server/payments/payments.ts';

/** Payments that tell nobody: no phone hears of the dues, no shop of a claim, no customer of a receipt. */
export const quietPayments = (): Payments =>
  createPayments({
    duesChanged: async () => null,
    claimed: async () => undefined,
    sendReceipt: async () => async () => '',
  });
