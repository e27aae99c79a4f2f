import { expect, test } from '@playwright/test';
import { openApp } from './support/app.ts';
import { RETAILER, sessionOf } from './support/sign-in.ts';

test('a shop reads its lock rules from the menu, and who the coming days concern, each a tap from the customer', async ({
  browser,
}) => {
  const { page, context, t } = await openApp(browser, await sessionOf(RETAILER));
  await page.goto('/dashboard');
  await page.getByRole('button', { name: t('shell.more') }).click();
  await page.getByRole('link', { name: t('shell.lock_rules') }).click();
  await expect(page).toHaveURL(/\/lock-rules$/);
  await expect(page.getByText(t('lock.level_4'))).toBeVisible();
  await expect(page.getByText(t('lock_rules.n_emergency_calls'))).toBeVisible();
  await page.getByRole('button', { name: t('lock_rules.show') }).click();
  await expect(page.getByText(t('lock_rules.coming_hint'))).toBeVisible();
  const row = page.locator('main a[href^="/customers/"]').first();
  await row.click();
  await expect(page).toHaveURL(/\/customers\/[0-9a-f-]{36}$/);
  await context.close();
});
