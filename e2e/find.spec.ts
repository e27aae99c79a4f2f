import { expect, test } from '@playwright/test';
import { openApp } from './support/app.ts';
import { settled } from './support/axe.ts';
import { sellAndEnrol, sellPhone } from './support/customers.ts';
import { RETAILER, sessionOf } from './support/sign-in.ts';
import { TEST_LANGUAGES } from './support/words.ts';

/** Another person in each language: the shop is the same. */
const PEOPLE = {
  en: { firstName: 'Dnyandeo', lastName: 'Waghmare', turned: 'waghmare dnyan', written: 'वाघमारे' },
  hn: { firstName: 'Tukaram', lastName: 'Khopkar', turned: 'khopkar tuka', written: 'खोपकर' },
} as const;

for (const language of TEST_LANGUAGES) {
  test(`a customer is found from Home by what is on people's lips, and called from the row (${language})`, async ({
    browser,
  }) => {
    const shop = await sessionOf(RETAILER);
    const { turned, written, ...name } = PEOPLE[language];
    const sold = await sellPhone(shop.api, name);
    const { page, context, t } = await openApp(browser, shop, { language });
    await page.goto('/dashboard');
    await page.getByRole('button', { name: t('customers.search') }).click();
    const box = page.getByRole('searchbox');
    // Whoever pressed 'search' types at once.
    await expect(box).toBeFocused();
    const printed = `${sold.mobile.slice(0, 5)} ${sold.mobile.slice(5)}`;
    for (const typed of [printed, turned, written, sold.imei.slice(-6), sold.agreementNo]) {
      await box.fill(typed);
      await expect(page.getByText(t('customers.end', { count: 1 })), typed).toBeVisible();
      await expect(page.getByRole('button', { name: new RegExp(name.firstName) })).toBeVisible();
    }
    await expect(page.getByRole('link', { name: new RegExp(`${t('common.call')} ${name.firstName}`) })).toHaveAttribute(
      'href',
      new RegExp(`^tel:.*${sold.mobile}$`),
    );
    await context.close();
  });
}

test('from the EMIs, an EMI page and a customer the search of customers is one press away, on the smallest phone too', async ({
  browser,
}) => {
  const shop = await sessionOf(RETAILER);
  const { customerId } = await sellAndEnrol(shop.api, { firstName: 'Venkatalakshmi', lastName: 'Subramaniam' });
  const { page, context, t } = await openApp(browser, shop, { viewport: { width: 320, height: 640 } });
  for (const path of ['/upcoming-emi', `/view-emi-details/${customerId}`, `/customers/${customerId}`]) {
    await settled(page, path);
    const search = page.locator('header').getByRole('button', { name: t('customers.search') });
    await expect(search, path).toBeInViewport({ ratio: 1 });
    const over = await page.evaluate(() => document.documentElement.scrollWidth - window.innerWidth);
    expect(over, path).toBeLessThanOrEqual(0);
    // Beside the name, not in a line of its own.
    const title = (await page.locator('#screen-title').boundingBox())!;
    const box = (await search.boundingBox())!;
    expect(box.y, path).toBeLessThan(title.y + title.height);
    await search.click();
    await expect(page.getByRole('searchbox')).toBeFocused();
  }
  await context.close();
});

test('search and filters stay in sight while the list scrolls, each filter says how many, and the list moves no further than the wheel', async ({
  browser,
}) => {
  const shop = await sessionOf(RETAILER);
  const { page, context, t } = await openApp(browser, shop);
  await page.goto('/customers');
  const chips = page.getByRole('group', { name: t('customers.filter') });
  const total = (await shop.api.call('getDashboard')).statuses['all'];
  await expect(chips.getByRole('button', { name: `${t('customers.quick_all')} ${total}` })).toBeVisible();
  // The counts may come before the rows: there has to be something to scroll through.
  await expect.poll(() => page.evaluate(() => document.documentElement.scrollHeight)).toBeGreaterThan(1600);
  await page.mouse.move(180, 400);
  await page.mouse.wheel(0, 1500);
  await expect.poll(() => page.evaluate(() => window.scrollY)).toBeGreaterThan(600);
  await page.waitForTimeout(1500);
  expect(await page.evaluate(() => window.scrollY)).toBeLessThan(1600);
  await expect(page.getByRole('heading', { level: 1 })).toBeInViewport();
  await expect(page.getByRole('searchbox')).toBeInViewport();
  await expect(chips).toBeInViewport();
  await context.close();
});

test('with text twice as large search and filters go with the list instead of standing over half of the screen', async ({
  browser,
}) => {
  const { page, context } = await openApp(browser, await sessionOf(RETAILER), { language: 'hn' });
  await page.goto('/customers');
  const box = page.getByRole('searchbox');
  await expect.poll(() => page.evaluate(() => document.documentElement.scrollHeight)).toBeGreaterThan(1600);
  await page.evaluate(() => (document.documentElement.style.fontSize = '32px'));
  await page.mouse.move(180, 560);
  await page.mouse.wheel(0, 900);
  await expect(box).not.toBeInViewport();
  await context.close();
});
