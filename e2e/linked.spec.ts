import { expect, test } from '@playwright/test';
import { PROVISIONING } from '@kist/contract/codes';
import { openApp } from './support/app.ts';
import { sellPhone } from './support/customers.ts';
import { addPhone, getPhone, press } from './support/lab.ts';
import { RETAILER, sessionOf } from './support/sign-in.ts';

test('a phone in use is set up by the shop’s link: it fetches the agent, its holder agrees, nothing is erased', async ({
  browser,
}) => {
  const shop = await sessionOf(RETAILER);
  const sold = await sellPhone(shop.api, {
    firstName: 'Meera',
    lastName: 'Kale',
    language: 'hn',
    provisioning: PROVISIONING.LINKFL,
  });
  const { link } = await shop.api.call('generateLinkCode', { body: { customer_id: sold.customerId } });
  // What the shop sends is that very link.
  const counter = await openApp(browser, shop);
  await counter.page.goto(`/emm-qr?customer_id=${sold.customerId}`);
  const share = counter.page.getByRole('link', { name: counter.t('common.share') });
  const sent = async () => new URL((await share.getAttribute('href')) ?? '').searchParams.get('text');
  expect(await sent()).toContain(link);
  // A new code ends it, and what is sent from then on is the new one.
  await counter.page.getByRole('button', { name: counter.t('qr.fresh') }).click();
  await expect.poll(sent).not.toContain(link);
  const { link: next } = await shop.api.call('getDeepLink', { query: { customer_id: sold.customerId } });
  expect(await sent()).toContain(next);
  await counter.context.close();

  const phone = await addPhone({ name: 'Meera Kale', imei: sold.imei, agent: 'LINKFL' });
  await press(phone.id, 'open_link', { link: next, language: 'hn' });

  const { page, context } = await openApp(browser, null, { viewport: { width: 1280, height: 800 } });
  await page.goto(`/lab?phone=${phone.id}`);
  const screen = page.locator('#panel .phone-screen');
  await expect(screen).toContainText('फ़ोन से कुछ नहीं मिटेगा');
  expect((await getPhone(phone.id)).is_enrolled).toBe(false);
  await screen.getByRole('button', { name: 'मुझे मंज़ूर है' }).click();
  await expect.poll(async () => (await getPhone(phone.id)).is_enrolled).toBe(true);
  await context.close();

  // The shop knows it from its own word: free, and a phone that only reminds.
  await expect
    .poll(async () => {
      const profile = await shop.api.call('getCustomerProfile', { query: { customer_id: sold.customerId } });
      return profile.lock;
    })
    .toMatchObject({ lock_status: 0, strength: 'advisory' });
});
