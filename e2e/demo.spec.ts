import { expect, test } from '@playwright/test';
import { CUSTOMER_STATUS, PLAN } from '@kist/contract/codes';
import { RETAILER, sessionOf } from './support/sign-in.ts';

test('the demo calls no iPhone installed: none can enrol here', async () => {
  const { api } = await sessionOf(RETAILER);
  const { list } = await api.call('listCustomers', { query: { app_type: PLAN.APPLE, page_size: 100 } });
  const statuses = new Set(list.map(({ status }) => status));
  expect(statuses).toContain(CUSTOMER_STATUS.inactive);
  expect(statuses).not.toContain(CUSTOMER_STATUS.install);
});
