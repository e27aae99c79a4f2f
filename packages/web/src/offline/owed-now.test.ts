import { expect, it } from 'vitest';
import type { OutboxEntry } from './outbox.ts';
import { owedNow } from './owed-now.ts';

const TENDER = { payment_id: 'p', method: 'CASH', reference: '' };
const ONE = { instalment_id: 'i4', amount: 500_00, ...TENDER };
const MANY = { customer_id: 'c', instalment_ids: ['i4', 'i5'], ...TENDER };
const of = (name: OutboxEntry['name'], body: object, code: string, paise?: number) =>
  owedNow({ name, input: { body }, error: { code }, ...(paise && { paise }) } as OutboxEntry);

it.each(['ALREADY_PAID', 'MORE_THAN_OWED'])(
  'money refused with %s is taken for what is owed now, as the same payment',
  (code) => {
    const call = { name: 'updateEmiStatus', input: { body: { ...ONE, accept_overpayment: true } } };
    expect(of('updateEmiStatus', ONE, code, 500_00)).toEqual(call);
  },
);

it('of a late fee of which nothing is left the fee is not named', () => {
  const body = { ...ONE, charge_id: 'f' };
  expect(of('updateEmiStatus', body, 'ALREADY_PAID')?.input.body).toEqual({ ...ONE, accept_overpayment: true });
});

it.each(['ALREADY_PAID', 'STATE_CONFLICT'])(
  'of several EMIs refused with %s it is what was taken, and not what they come to',
  (code) => {
    const body = { instalment_id: 'i4', amount: 800_00, ...TENDER, accept_overpayment: true };
    expect(of('multipleEmiPaid', MANY, code, 800_00)).toEqual({ name: 'updateEmiStatus', input: { body } });
    expect(of('multipleEmiPaid', { ...MANY, amount: 800_00 }, code, 800_00)).toEqual({
      name: 'updateEmiStatus',
      input: { body },
    });
    const old = { name: 'multipleEmiPaid', input: { body: { ...MANY, accept_overpayment: true } } };
    expect(of('multipleEmiPaid', MANY, code)).toEqual(old);
  },
);

it.each([
  ['updateEmiStatus', 'STATE_CONFLICT'],
  ['updateEmiStatus', 'REFERENCE_USED'],
  ['multipleEmiPaid', 'NOT_FOUND'],
  ['sendEmiAlert', 'ALREADY_PAID'],
] as const)('to %s refused with %s it is no answer', (name, code) => {
  expect(of(name, name === 'multipleEmiPaid' ? MANY : ONE, code)).toBeUndefined();
});
