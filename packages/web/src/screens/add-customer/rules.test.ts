import { describe, expect, it } from 'vitest';
import { registerBodySchema } from '@kist/contract/customers';
import { addDays } from '@kist/contract/dates';
import { financingEndpoints } from '@kist/contract/financing';
import { emiTermsSchema } from '@kist/contract/emi-terms';
import { shopToday } from '#web/i18n/formats.ts';
import { draftBody, financedRegistration, registration, termsOf } from './body.ts';
import { EMPTY, FIELD_NAMES, isTouched, STEPS, stepOf, type FieldName, type Values } from './fields.ts';
import { areTermsRight, isRight, problemsOf, reachable } from './rules.ts';

const TODAY = shopToday();
const CUSTOMER = '0199aaaa-0000-7000-8000-000000000001';
const whole: Values = {
  ...EMPTY,
  plan_id: '1',
  'customer.first_name': ' Savita ',
  'customer.last_name': 'More',
  'customer.mobile': '9812345678',
  'customer.address.pincode': '422001',
  'customer.language': 'mr',
  'customer.aadhaar_last4': '1234',
  'customer.pan': 'ABCDE1234F',
  'device.imei1': '356938035643809',
  'device.brand': 'Redmi',
  'device.model': '13C',
  'emi.cash_price': '1400000',
  'emi.fee': '30000',
  'emi.rate_bps': '18.35',
  'emi.tenure': '12',
  'emi.delivered_on': TODAY,
  'emi.anchor_day': '5',
  'consent.language': 'mr',
  'consent.method': 'typed',
  'consent.typed_name': 'Savita More',
  'consent.accepted': '1',
};
const withOut = (change: Partial<Values>): Values => ({ ...whole, ...change });

describe('a finished form', () => {
  it('passes every step, and the contract takes its registration and its draft as they are', () => {
    expect(STEPS.filter((step) => !isRight(step, whole))).toEqual([]);
    expect(registerBodySchema.parse(registration(whole, CUSTOMER, 'hn'))).toMatchObject({
      customer: { first_name: 'Savita', mobile: '+919812345678', pan: 'ABCDE1234F' },
      emi: { rate_bps: 1835, anchor_day: 5, down_payment: 0, fee: 300_00 },
      consent: { method: 'typed', typed_name: 'Savita More', language: 'hn' },
    });
    expect(registerBodySchema.safeParse(draftBody(whole, 'consent', '2026-11-20T10:00:00Z', CUSTOMER)).success).toBe(
      true,
    );
  });
  it('never sends the PAN or the tick with a draft', () => {
    const text = JSON.stringify(draftBody(whole, 'consent', '2026-11-20T10:00:00Z', undefined));
    expect(text).not.toContain('ABCDE1234F');
    expect(text).not.toContain('consent.accepted');
  });
  it('leaves unfinished steps out of a draft but keeps what was typed', () => {
    const body = draftBody(withOut({ 'device.imei1': '35693' }), 'device', '2026-11-20T10:00:00Z', undefined);
    expect(body.device).toBeUndefined();
    expect(body.draft_state?.typed).toMatchObject({ 'device.imei1': '35693', 'device.brand': 'Redmi' });
    expect(registerBodySchema.safeParse(body).success).toBe(true);
  });
});

const WRONG: [FieldName, string, string][] = [
  ['plan_id', '', 'add.plan_first'],
  ['customer.first_name', '  ', 'field.required'],
  ['customer.mobile', '', 'field.required'],
  ['customer.mobile', '5812345678', 'field.mobile'],
  ['customer.alternate_mobile', '98123', 'field.mobile'],
  ['customer.address.pincode', '042200', 'field.pincode'],
  ['customer.aadhaar_last4', '123', 'field.aadhaar_last4'],
  ['customer.pan', 'ABCD1234F', 'field.pan'],
  ['device.imei1', '', 'field.required'],
  ['device.imei1', '356938035643808', 'field.imei'],
  ['device.imei2', '356938035643809', 'add.imei_same'],
  ['device.brand', '', 'field.required'],
  ['emi.cash_price', '', 'field.required'],
  ['emi.cash_price', '500000001', 'field.cash_price'],
  ['emi.cash_price', '20', 'field.financed_too_small'],
  ['emi.down_payment', '1400000', 'field.down_payment'],
  ['emi.fee', '1400001', 'field.fee'],
  ['emi.rate_bps', '', 'field.required'],
  ['emi.rate_bps', '100.01', 'field.rate'],
  ['emi.tenure', '0', 'field.tenure'],
  ['emi.tenure', '121', 'field.tenure'],
  ['emi.delivered_on', '1999-12-31', 'field.delivered_on'],
  ['emi.anchor_day', '32', 'field.anchor_day'],
  ['consent.typed_name', '', 'field.required'],
  ['consent.accepted', '', 'field.consent'],
];
describe('a wrong field', () => {
  it.each(WRONG)('%s = %j is told as %s', (name, text, key) => {
    const step = stepOf(name)!;
    expect(problemsOf(step, withOut({ [name]: text }))).toEqual({ [name]: key });
  });
  it.each([
    [1, 'field.delivered_on'],
    [0, undefined],
    [-3, undefined],
    [-4, 'field.delivered_on'],
  ])('a delivery %i days from today is told before anybody signs for it: %s', (days, key) => {
    const values = withOut({ 'emi.delivered_on': addDays(TODAY, days) });
    expect(problemsOf('emi', values)['emi.delivered_on']).toBe(key);
    expect(reachable('consent', values)).toBe(key ? 'emi' : 'consent');
  });
  it('of the terms is one that the contract refuses too', () => {
    for (const [name, text] of WRONG.filter(([field, typed]) => field.startsWith('emi.') && typed !== ''))
      expect([name, emiTermsSchema.safeParse(termsOf(withOut({ [name]: text }))).success]).toEqual([name, false]);
  });
});

describe('steps', () => {
  it('go no further than the first unfinished one', () => {
    expect(reachable('consent', whole)).toBe('consent');
    expect(reachable('consent', withOut({ 'device.model': '' }))).toBe('device');
    expect(reachable('plan', EMPTY)).toBe('plan');
  });
  it('own every field of the form', () => {
    expect(FIELD_NAMES.filter((name) => stepOf(name) === undefined)).toEqual([]);
  });
  it('count as touched only by what a person typed', () => {
    expect(isTouched({ ...EMPTY, 'customer.language': 'hn', 'emi.delivered_on': '2026-11-20' })).toBe(false);
    expect(isTouched({ ...EMPTY, plan_id: '1' })).toBe(true);
  });
  it('without interest need no rate', () => {
    const free = withOut({ 'emi.method': 'ZERO', 'emi.rate_bps': '' });
    expect(isRight('emi', free)).toBe(true);
    expect(termsOf(free).rate_bps).toBe(0);
  });
});

describe('a sale whose loan a financer made', () => {
  const financed: Values = {
    ...whole,
    'emi.down_payment': '200000',
    'loan.financer_id': '3',
    'loan.loan_account_no': ' GF-1 ',
    'loan.sanctioned_amount': '1200000',
    'loan.sanctioned_on': '2026-01-05',
  };
  it('goes with the loan as the contract takes it, and its draft keeps what was typed', () => {
    const { body } = financingEndpoints.createCustomerHdb;
    expect(body.parse(financedRegistration(financed, CUSTOMER, 'en'))).toMatchObject({
      customer_id: CUSTOMER,
      loan: { financer_id: 3, loan_account_no: 'GF-1', sanctioned_amount: 12_000_00, sanctioned_on: '2026-01-05' },
    });
    const draft = draftBody(financed, 'emi', '2026-11-20T10:00:00Z', undefined);
    expect(draft.draft_state?.typed).toMatchObject({ 'loan.loan_account_no': ' GF-1 ' });
    expect(registerBodySchema.safeParse(draft).success).toBe(true);
    expect([draft.financer_id, draftBody(whole, 'emi', '2026-11-20T10:00:00Z', undefined).financer_id]).toEqual([
      3,
      undefined,
    ]);
  });
  it.each<[FieldName, string, string]>([
    ['loan.loan_account_no', ' ', 'field.required'],
    ['loan.loan_account_no', 'x'.repeat(500), 'field.invalid'],
    ['loan.sanctioned_amount', '', 'field.required'],
    ['loan.sanctioned_amount', '1199999', 'field.sanctioned'],
    ['loan.sanctioned_on', '', 'field.required'],
    ['loan.sanctioned_on', '2099-01-01', 'field.date'],
  ])('%s = %j is told as %s; what the terms come to is reckoned all the same', (name, text, key) => {
    const wrong = { ...financed, [name]: text };
    expect(problemsOf('emi', wrong)).toEqual({ [name]: key });
    expect(areTermsRight(wrong)).toBe(true);
    expect(draftBody(wrong, 'emi', '2026-11-20T10:00:00Z', undefined).emi).toEqual(termsOf(wrong));
  });
  it('asks for nothing on the shop’s own EMI', () => {
    expect(problemsOf('emi', { ...financed, 'loan.financer_id': '', 'loan.loan_account_no': '' })).toEqual({});
  });
});
