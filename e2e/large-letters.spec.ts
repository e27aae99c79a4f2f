import { type Locator, type Page, expect, test } from '@playwright/test';
import { PHONE, openApp } from './support/app.ts';
import { sellPhone } from './support/customers.ts';
import { sellWeekly } from './support/shop.ts';
import { RETAILER, sessionOf } from './support/sign-in.ts';

/** English, and the language with the longest words. */
const LANGUAGES = ['en', 'tm'] as const;

/** As who cannot read small letters has set the phone. */
const twiceAsLarge = (page: Page) => page.evaluate(() => void (document.documentElement.style.fontSize = '32px'));

/** @returns the words of what stands beside the screen, or is cut off, in part. */
const lost = (of: Locator) =>
  of.evaluateAll((elements) =>
    elements
      .filter((one) => {
        const { left, right, width } = one.getBoundingClientRect();
        return width > 0 && (left < -1 || right > window.innerWidth + 1 || one.scrollWidth > one.clientWidth + 1);
      })
      .map((one) => one.ariaLabel || one.textContent),
  );

for (const language of LANGUAGES)
  test(`with letters twice as large an EMI’s buttons, the bar’s words, names and sums stay whole (${language})`, async ({
    browser,
  }) => {
    const shop = await sessionOf(RETAILER);
    const { customerId } = await sellWeekly(shop, 'Sheikhsaab');
    const { page, context, t } = await openApp(browser, shop, { language });
    await page.goto('/upcoming-emi?bucket=week');
    await expect(page.locator('[data-due]').first()).toBeVisible();
    await twiceAsLarge(page);
    await expect.poll(() => lost(page.locator('[data-due] a, [data-due] button'))).toEqual([]);
    expect(await lost(page.getByRole('navigation', { name: t('shell.main') }).locator('span'))).toEqual([]);

    await page.goto('/customers?search=Sheikhsaab');
    await expect(page.getByText('Sheikhsaab', { exact: false }).first()).toBeVisible();
    await twiceAsLarge(page);
    const name = page.locator('main').getByText('Patil', { exact: false });
    await expect(name.first()).toBeVisible();
    expect(await lost(name)).toEqual([]);

    await page.goto(`/view-emi-details/${customerId}`);
    await page.getByRole('button', { name: t('emi.collect'), exact: true }).click();
    const sums = page.getByRole('group', { name: t('emi.what') }).getByRole('button');
    await expect(sums.first()).toBeVisible();
    await twiceAsLarge(page);
    await expect.poll(() => lost(sums)).toEqual([]);
    await context.close();
  });

for (const language of LANGUAGES)
  test(`with letters twice as large the paper to sign on and what ends it are in sight (${language})`, async ({
    browser,
  }) => {
    const shop = await sessionOf(RETAILER);
    const { customerId } = await sellPhone(shop.api, { firstName: 'Vidya', lastName: 'Rane' });
    const { page, context, t } = await openApp(browser, shop, { language });
    await page.goto(`/signature?customer_id=${customerId}`);
    await page.getByRole('button', { name: new RegExp(`^(${t('signature.new')}|${t('signature.replace')})$`) }).click();
    await page.getByRole('button', { name: t('signature.pad_empty') }).click();
    await twiceAsLarge(page);
    const paper = page.getByRole('img', { name: t('signature.pad_empty') });
    await expect(paper).toBeInViewport({ ratio: 1 });
    expect((await paper.boundingBox())!.width).toBeLessThanOrEqual(PHONE.width);
    for (const name of [t('common.clear'), t('signature.done')])
      await expect(page.getByRole('button', { name, exact: true })).toBeInViewport({ ratio: 1 });
    await context.close();
  });

test('with letters twice as large no field of a sale lies under the button while it is typed in', async ({
  browser,
}) => {
  const { page, context, t } = await openApp(browser, await sessionOf(RETAILER));
  await page.goto('/add-customer');
  await page.getByLabel(t('add.first_name')).focus();
  await twiceAsLarge(page);
  const button = page.getByRole('button', { name: t('common.continue') });
  for (let field = 0; field < 9; field += 1) {
    await page.keyboard.press('Tab');
    const { top, bottom } = await page.evaluate(() => document.activeElement!.getBoundingClientRect());
    expect(top).toBeGreaterThanOrEqual(0);
    expect(bottom).toBeLessThanOrEqual(Math.min(PHONE.height, (await button.boundingBox())?.y ?? 0));
  }
  await context.close();
});
