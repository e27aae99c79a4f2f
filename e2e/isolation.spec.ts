import { expect, test } from '@playwright/test';
import { openApp } from './support/app.ts';
import { sellPhone } from './support/customers.ts';
import { CUSTOMER, MINI_RETAILER, OTHER_RETAILER, RETAILER, sessionOf } from './support/sign-in.ts';

const NOBODY = '019aa1b2-0000-7000-8000-000000000000';

test('a mini-retailer sees own customers only; the shop above sees both', async ({ browser }) => {
  const [shop, mini] = [await sessionOf(RETAILER), await sessionOf(MINI_RETAILER)];
  const theirs = await sellPhone(shop.api, { firstName: 'Zarina', lastName: 'Quadri' });
  const own = await sellPhone(mini.api, { firstName: 'Xavier', lastName: 'Quadri' });
  const names = async (api: typeof shop.api) =>
    (await api.call('listCustomers', { query: { search: 'Quadri' } })).list.map((row) => row.first_name).sort();
  expect(await names(mini.api)).toEqual(['Xavier']);
  expect(await names(shop.api)).toEqual(['Xavier', 'Zarina']);

  const { page, context, t } = await openApp(browser, mini);
  await page.goto('/customers?search=Quadri');
  await expect(page.getByText('Xavier', { exact: false }).first()).toBeVisible();
  await expect(page.getByText('Zarina', { exact: false })).toHaveCount(0);
  await page.goto(`/customers/${theirs.customerId}`);
  await expect(page.getByText(t('states.not_found')).first()).toBeVisible();
  await page.goto(`/view-emi-details/${theirs.customerId}`);
  await expect(page.getByText(t('states.not_found')).first()).toBeVisible();
  await page.goto(`/customers/${own.customerId}`);
  await expect(page.getByText('Xavier').first()).toBeVisible();
  await context.close();
});

test("somebody else's customer is answered exactly as one that does not exist, whatever is asked", async () => {
  const [shop, mini, other] = [
    await sessionOf(RETAILER),
    await sessionOf(MINI_RETAILER),
    await sessionOf(OTHER_RETAILER),
  ];
  const theirs = await sellPhone(shop.api, { firstName: 'Yusuf', lastName: 'Tamboli' });
  const { instalments, payments } = await shop.api.call('getEmiDetails', {
    body: { customer_id: theirs.customerId },
  });
  for (const { api } of [mini, other]) {
    const ask = {
      profile: (id: string) => api.raw('getCustomerProfile', { query: { customer_id: id } }),
      emis: (id: string) => api.raw('getEmiDetails', { body: { customer_id: id } }),
      qr: (id: string) => api.raw('generateEmmCode', { query: { customer_id: id } }),
      lock: (id: string) =>
        api.raw('sendCommand', { params: { command: 'lock' }, body: { customer_id: id, reason: 'EMI_OVERDUE' } }),
      remind: (id: string) => api.raw('sendEmiAlert', { body: { customer_id: id } }),
      dispute: (id: string) => api.raw('openDispute', { body: { customer_id: id, text: 'mine' } }),
    };
    for (const [what, send] of Object.entries(ask)) {
      const [real, none] = [await send(theirs.customerId), await send(NOBODY)];
      expect(real, what).toEqual(none);
      expect(real.status, what).toBe(404);
    }
    const pay = (id: string) =>
      api.raw('updateEmiStatus', { body: { instalment_id: id, amount: 500_00, method: 'CASH' } });
    const [real, none] = [await pay(instalments[0]!.instalment_id), await pay(NOBODY)];
    expect(real).toEqual(none);
    expect(real.status).toBe(404);
    const device = (id: string) => api.raw('getDevice', { params: { device_id: id } });
    expect(await device(theirs.deviceId)).toEqual(await device(NOBODY));
  }
  const after = await shop.api.call('getEmiDetails', { body: { customer_id: theirs.customerId } });
  expect(after.payments).toEqual(payments);
});

test('a customer sees own data only', async ({ browser }) => {
  const [shop, customer] = [await sessionOf(RETAILER), await sessionOf(CUSTOMER)];
  const theirs = await sellPhone(shop.api, { firstName: 'Usha', lastName: 'Wagh' });
  const own = (await shop.api.call('listCustomers', { query: { search: CUSTOMER } })).list[0]!;
  const profile = await customer.api.raw('getCustomerProfile', { query: { customer_id: own.customer_id } });
  expect(profile.status).toBe(200);
  const foreign = await customer.api.raw('getCustomerProfile', { query: { customer_id: theirs.customerId } });
  expect(foreign).toEqual(await customer.api.raw('getCustomerProfile', { query: { customer_id: NOBODY } }));
  expect(foreign.status).toBe(404);
  expect((await customer.api.raw('listCustomers')).status).toBe(403);
  expect((await customer.api.raw('getDashboard')).status).toBe(403);

  const { page, context, t } = await openApp(browser, customer);
  await page.goto(`/customers/${own.customer_id}`);
  await expect(page.getByText(own.first_name).first()).toBeVisible();
  await page.goto(`/customers/${theirs.customerId}`);
  await expect(page.getByText(t('states.not_found')).first()).toBeVisible();
  await context.close();
});
