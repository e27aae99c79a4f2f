import { expect, it } from 'vitest';
import { customerFilterShape } from '@kist/contract/customer-filter';
import { filtersOf, quickBeside, quickOf, withFilters } from './filters.ts';

it('an address keeps every filter that the list on the server knows, but who stands beside it', () => {
  const names = Object.keys(customerFilterShape).filter((name) => name !== 'customer_id');
  const address = new URLSearchParams(names.map((name) => [name, `${name} 1`]));
  const filters = filtersOf(address);
  expect(Object.keys(filters).toSorted()).toEqual(names.toSorted());
  const beside = new URLSearchParams([...address, ['customer_id', 'asha']]);
  expect(withFilters(beside, filters).get('customer_id')).toBe('asha');
  expect(filtersOf(new URLSearchParams('search=null'))).toEqual({ search: 'null' });
  expect(String(withFilters(beside, {}))).toBe('customer_id=asha');
});

it('the app type of a plan without one narrows nothing, and is said nowhere', () => {
  const filters = filtersOf(new URLSearchParams('app_type=null&status=1'));
  expect(filters).toEqual({ status: '1' });
  expect(quickOf(filtersOf(new URLSearchParams('app_type=null')))).toBe('all');
  expect(String(withFilters(new URLSearchParams('app_type=null&status=1'), filters))).toBe('status=1');
});

it('one shop alone is no quick filter', () => {
  expect(quickOf(filtersOf(new URLSearchParams('retailer_id=r&search=asha')))).toBeUndefined();
  expect(quickOf(filtersOf(new URLSearchParams('search=asha')))).toBe('all');
});

it('what a mixture says already is not offered once more, and the rest is', () => {
  const ids = quickBeside(filtersOf(new URLSearchParams('due=overdue&lock_status=1&plan_id=7'))).map(({ id }) => id);
  expect(ids).not.toContain('overdue');
  expect(ids).not.toContain('locked');
  expect(ids).toEqual(expect.arrayContaining(['all', 'today', 'completed']));
  expect(quickBeside({ due: 'overdue', sort: 'overdue' })).toHaveLength(quickBeside({}).length);
});
