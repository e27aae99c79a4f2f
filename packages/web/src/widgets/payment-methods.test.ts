import { expect, it } from 'vitest';
import { PAYMENT_METHODS } from '@kist/contract/payment-methods';
import { CLAIMED, hasReference, isRightReference, REFUNDED, TAKEN } from './payment-methods.ts';

const en = import.meta.glob<{ emi: Record<string, string> }>('../../public/locales/en.json', {
  import: 'default',
  eager: true,
})['../../public/locales/en.json']!;

it('a shop takes money by every method of the contract, each with words of its own', () => {
  expect(TAKEN).toEqual(PAYMENT_METHODS);
  const words = new Set(TAKEN.map((method) => en.emi[`pay_${method}`]));
  expect(words.has(undefined)).toBe(false);
  expect(words.size).toBe(PAYMENT_METHODS.length);
});

it('a customer is offered the same, UPI first; what goes back is cash or UPI, and cash has no reference', () => {
  expect(CLAIMED).toEqual(['UPI', ...PAYMENT_METHODS.filter((method) => method !== 'UPI')]);
  expect(REFUNDED).toEqual(['CASH', 'UPI']);
  expect(PAYMENT_METHODS.filter((method) => !hasReference(method))).toEqual(['CASH']);
});

it('a UPI payment’s number has twelve digits, with spaces or without, or is left out; of other methods any reference is one', () => {
  for (const reference of ['', '412345678901', '4123 4567 8901']) expect(isRightReference('UPI', reference)).toBe(true);
  for (const reference of ['4123', 'UPI-REVATI-1', '4123456789012'])
    expect(isRightReference('UPI', reference)).toBe(false);
  expect(isRightReference('OTHER', 'cheque 7')).toBe(true);
});
