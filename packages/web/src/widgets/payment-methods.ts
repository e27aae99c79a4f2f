import type { PaymentMethod } from '@kist/contract/payment-methods';

/** Whether what is paid so has a reference, and whether money goes back so. Of a method more in the contract the compiler asks both here. */
const METHODS: Record<PaymentMethod, { hasReference: boolean; isRefund: boolean }> = {
  CASH: { hasReference: false, isRefund: true },
  UPI: { hasReference: true, isRefund: true },
  OTHER: { hasReference: true, isRefund: false },
};

/** How a shop takes money, in the order in which it is offered. */
export const TAKEN = Object.keys(METHODS) as PaymentMethod[];
/** How a customer says that it was paid: what comes from afar first. */
export const CLAIMED = TAKEN.toSorted((a, b) => Number(b === 'UPI') - Number(a === 'UPI'));
/** How a shop gives money back. */
export const REFUNDED = TAKEN.filter((method) => METHODS[method].isRefund);

export const hasReference = (method: PaymentMethod): boolean => METHODS[method].hasReference;

/** A UPI payment's number is twelve digits, as banks print it with or without spaces; left empty, the shop's word is that it has none. */
export const isRightReference = (method: PaymentMethod, reference: string): boolean =>
  method !== 'UPI' || /^(\d{12})?$/.test(reference.replaceAll(/\s/g, ''));
