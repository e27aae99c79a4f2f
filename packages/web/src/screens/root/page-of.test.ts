import { expect, it } from 'vitest';
import { pageOf } from './page-of.ts';

it('each step of a sale is a page to a message, which is placed anew on it; filters of a list are none', () => {
  const steps = ['plan', 'identity', 'device'].map((step) =>
    pageOf({ pathname: '/add-customer', state: { form: 'a', step } }),
  );
  expect(new Set(steps).size).toBe(3);
  expect(pageOf({ pathname: '/customers', state: null })).toBe('/customers');
  expect(pageOf({ pathname: '/customers', state: { search: true } })).toBe('/customers');
});
