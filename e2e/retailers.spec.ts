import { expect, test } from '@playwright/test';
import { openApp } from './support/app.ts';
import { RETAILER, freshSession } from './support/sign-in.ts';
import { typedIsKept } from './support/typed.ts';

test('a retailer adds a shop, sees it in the list, takes a word from it, suspends it and lets it in again', async ({
  browser,
}) => {
  const shop = await freshSession(RETAILER);
  const { page, context, t } = await openApp(browser, shop);
  await page.goto('/dashboard');
  await page.getByRole('button', { name: t('shell.more') }).click();
  await page.getByRole('link', { name: t('shell.my_shops') }).click();
  await page.getByRole('button', { name: t('retailers.add'), exact: true }).click();

  const name = `Komal Gallery ${Date.now() % 100_000}`;
  const mobile = `98${String(Date.now()).slice(-8)}`;
  await page.getByRole('button', { name: t('common.save'), exact: true }).click();
  // What is missing first is led to, from the button below it all, and is not under what sticks at the top.
  const missing = page.getByText(t('field.required')).first();
  await expect(page.getByLabel(t('retailers.shop_name'))).toBeFocused();
  await expect(missing).toBeInViewport();
  expect((await missing.boundingBox())!.y).toBeGreaterThan(64);
  await page.getByLabel(t('retailers.shop_name')).fill(name);
  await typedIsKept(page);
  await page.reload();
  await expect(page.getByLabel(t('retailers.shop_name'))).toHaveValue(name);
  await page.getByLabel(t('add.first_name')).fill('Komal');
  await page.getByLabel(t('auth.mobile')).fill('9000000001');
  await page.getByRole('button', { name: t('common.save'), exact: true }).click();
  await expect(page.getByText(t('field.mobile_taken'))).toBeInViewport();
  await expect(page.getByLabel(t('auth.mobile'))).toBeFocused();
  await page.getByLabel(t('auth.mobile')).fill(mobile);
  await page.getByRole('button', { name: t('common.save'), exact: true }).click();
  await expect(page.getByRole('heading', { level: 1, name })).toBeVisible();

  const word = page.getByRole('switch', { name: t('retailers.word_unlock'), exact: true });
  await expect(word).toHaveAttribute('aria-checked', 'true');
  await word.click();
  await expect(word).toHaveAttribute('aria-checked', 'false');

  await page.getByRole('button', { name: t('retailers.suspend'), exact: true }).click();
  const dialog = page.getByRole('dialog');
  await dialog.getByLabel(t('retailers.reason')).fill('Closed for the season');
  await dialog.getByRole('button', { name: t('retailers.suspend'), exact: true }).click();
  // What was typed is text on the page as well: only a closed sheet says that it is written.
  await expect(dialog).toBeHidden();
  await expect(page.getByText('Closed for the season')).toBeVisible();

  await page.goto(`/retailers?state=suspended&search=${encodeURIComponent(name)}`);
  await page.getByRole('link', { name: new RegExp(`^${name}`) }).click();
  await page.getByRole('button', { name: t('retailers.activate'), exact: true }).click();
  await expect(page.getByRole('button', { name: t('retailers.suspend'), exact: true })).toBeVisible();
  await context.close();
});
