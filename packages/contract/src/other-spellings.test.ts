import { expect, it } from 'vitest';
import { catalogueEndpoints } from './catalogue.ts';
import { userTypeIn } from './customer-filter.ts';
import { EMI_LIMITS } from './emi-limits.ts';
import { financingEndpoints } from './financing.ts';
import { peopleEndpoints } from './people.ts';
import { planEndpoints } from './plans.ts';

/** What clients send that were written from the specification alone, or pass on what another call told them. */
const theLoan = { financer_id: 3, loan_account_no: 'HDB-1', sanctioned_amount: 12_000_00, sanctioned_on: '2026-11-01' };
/** What is wrong with the loan of a sale, whatever else it lacks. */
const wrongOfLoan = (change: object): string[] =>
  (financingEndpoints.createCustomerHdb.body.safeParse({ loan: { ...theLoan, ...change } }).error?.issues ?? [])
    .filter(({ path }) => path[0] === 'loan')
    .map(({ path }) => path.slice(1).join('.'));

it('a form sends the number of its financer as text', () => {
  for (const financer_id of [3, '3']) expect(wrongOfLoan({ financer_id })).toEqual([]);
  for (const financer_id of ['', 'x', '3.5', -1, 1e12])
    expect([financer_id, wrongOfLoan({ financer_id })]).toEqual([financer_id, ['financer_id']]);
});

it('no more is sanctioned for a phone than a phone may cost', () => {
  const most = EMI_LIMITS.cashPriceMaxPaise;
  expect(wrongOfLoan({ sanctioned_amount: most })).toEqual([]);
  expect(wrongOfLoan({ sanctioned_amount: most + 1 })).toEqual(['sanctioned_amount']);
});

it('a mini-retailer is one in each of the specification’s spellings', () => {
  for (const typed of ['miniretailer', 'MiniRetailer', 'mini-retailer', 'Mini Retailer', 'mini_retailer'])
    expect(userTypeIn.parse(typed)).toBe('miniretailer');
  for (const typed of ['mini', 'mini-customer', 'miniminiretailer', 'mini--retailer'])
    expect(userTypeIn.safeParse(typed).success).toBe(false);
});

it('an access word is the text or the number', () => {
  const { body } = peopleEndpoints.updateUser;
  const sent = { access: { bulk_retailer: 1, feature_access: '0' }, lock_access: { lock: 0 }, add_retailer: 1 };
  expect(body.parse(sent)).toEqual({
    access: { bulk_retailer: '1', feature_access: '0' },
    lock_access: { lock: '0' },
    add_retailer: '1',
  });
  for (const value of [2, -1, true, null, '', 'yes'])
    expect(body.safeParse({ access: { bulk_retailer: value } }).success).toBe(false);
  expect(body.safeParse({ access: { everything: 1 } }).success).toBe(false);
});

it('the app type of a plan without one is sent back as it came, and names none', () => {
  for (const { query } of [planEndpoints.listPlans, catalogueEndpoints.getProducts]) {
    for (const app_type of ['null', null, '']) expect(query.parse({ app_type }).app_type).toBeUndefined();
    expect(query.parse({ app_type: '5' }).app_type).toBe(5);
    expect(query.safeParse({ app_type: 'nothing' }).success).toBe(false);
  }
});
