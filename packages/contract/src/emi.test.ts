import { expect, test } from 'vitest';
import { ENDPOINTS } from './endpoints.ts';
import { LIMITS } from './limits.ts';

const ID = '0199aaaa-0000-7000-8000-00000000000f';
const pay = { method: 'UPI' } as const;
/** Both calls that take money, with a body that passes. */
const PAYING = [
  ['updateEmiStatus', ENDPOINTS.updateEmiStatus.body, { ...pay, instalment_id: ID, amount: 100 }],
  ['multipleEmiPaid', ENDPOINTS.multipleEmiPaid.body, { ...pay, customer_id: ID, instalment_ids: [ID] }],
] as const;

test.each(PAYING)('%s: a payment’s id is one id, however it is spelled', (_name, body, given) => {
  const idOf = (payment_id: string) => body.parse({ ...given, payment_id }).payment_id;
  expect([idOf(ID), idOf(ID.toUpperCase())]).toEqual([ID, ID]);
});

test.each(PAYING)('%s: a reference has sixty letters and not one more', (_name, body, given) => {
  const takes = (reference: string) => body.safeParse({ ...given, reference }).success;
  expect(LIMITS.referenceLength).toBe(60);
  expect([takes('7'.repeat(60)), takes('7'.repeat(61)), takes('7'.repeat(360))]).toEqual([true, false, false]);
});
