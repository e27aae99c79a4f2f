import { readFile } from 'node:fs/promises';
import { type Page, expect, test } from '@playwright/test';
import { openApp } from './support/app.ts';
import { ofEmis } from './support/customers.ts';
import { MOST, countHandwork } from './support/handwork.ts';
import { goToLate, sellWeekly } from './support/shop.ts';
import { RETAILER, sessionOf } from './support/sign-in.ts';
import type { Words } from './support/words.ts';
import { SPOKEN } from './support/words.ts';

const receiptOf = (page: Page, t: Words) => page.getByRole('dialog', { name: t('emi.receipt') });

test('an EMI due today is collected in three taps, and the receipt is whole: on the screen, in print, as a picture', async ({
  browser,
}) => {
  const language = SPOKEN;
  test.setTimeout(120_000);
  const shop = await sessionOf(RETAILER);
  const name = 'Vaishali';
  const { customerId, agreementNo } = await sellWeekly(shop, name);
  await goToLate(0);
  const { page, context, t } = await openApp(browser, shop, { language });
  const handwork = await countHandwork(page);
  await page.goto('/dashboard');
  await page.locator('main a[href*="bucket=today"]').first().click();
  await page.getByRole('button', { name: new RegExp(`₹500 .*${name}`) }).click();
  const received = page.getByRole('button', { name: t('emi.received', { amount: '₹500' }) });
  // The strip of the button leaves the ways to pay whole.
  const [strip, ways] = await Promise.all([
    received.locator('xpath=..').boundingBox(),
    page.getByRole('group', { name: t('emi.how') }).boundingBox(),
  ]);
  expect(ways!.y + ways!.height).toBeLessThanOrEqual(strip!.y);
  // Three quick presses of an impatient thumb.
  await received.evaluate((button: HTMLButtonElement) => [1, 2, 3].forEach(() => button.click()));
  // None of them was the hand's: its one is added.
  const { taps, keys } = await handwork();
  expect(taps + 1).toBeLessThanOrEqual(MOST.collect.taps);
  expect(keys).toBe(MOST.collect.keys);

  const receipt = receiptOf(page, t);
  for (const part of ['Sunita Mobile', `${name} Patil`, agreementNo, t('emi.part_no', { no: 1 }), '₹500'])
    await expect(part === 'Sunita Mobile' ? page.locator('.printed') : receipt).toContainText(part);
  await expect(page.getByRole('alert')).toHaveCount(0);
  const { payments } = await shop.api.call('getEmiDetails', { body: { customer_id: customerId } });
  expect(ofEmis(payments).map(({ amount_paise, state }) => [amount_paise, state])).toEqual([[500_00, 'posted']]);

  await page.emulateMedia({ media: 'print' });
  await expect(page.locator('.printed')).toBeVisible();
  await expect(page.locator('#root')).toBeHidden();
  await page.emulateMedia({ media: 'screen' });

  const saved = page.waitForEvent('download');
  await receipt.getByRole('button', { name: t('emi.picture') }).click();
  const picture = await readFile(await (await saved).path());
  expect(picture.subarray(1, 4).toString()).toBe('PNG');
  expect(picture.readUInt32BE(16)).toBe(720);
  await context.close();
});

test('what is typed after a tap into the proposed amount takes its place', async ({ browser }) => {
  const shop = await sessionOf(RETAILER);
  const { customerId } = await sellWeekly(shop, 'Sharada');
  const { page, context, t } = await openApp(browser, shop);
  await page.goto(`/view-emi-details/${customerId}`);
  await page.getByRole('button', { name: t('emi.collect'), exact: true }).click();
  const amount = page.getByRole('dialog').getByRole('textbox', { name: t('emi.amount') });
  await expect(amount).toHaveValue('500');
  await amount.tap();
  await page.keyboard.type('120');
  await expect(amount).toHaveValue('120');
  await context.close();
});
