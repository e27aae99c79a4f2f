import { expect, test } from '@playwright/test';
import { openApp } from './support/app.ts';
import { typedIsKept } from './support/typed.ts';

test('somebody without an account asks for one from the login page', async ({ browser }) => {
  const { page, context, t } = await openApp(browser, null);
  await page.goto('/login');
  await page.getByRole('link', { name: t('auth.request_account') }).click();
  await expect(page.getByRole('heading', { level: 1, name: t('signup.title') })).toBeVisible();
  await page.getByRole('button', { name: t('signup.send') }).click();
  await expect(page.getByText(t('field.required')).first()).toBeVisible();
  await page.getByLabel(t('retailers.shop_name')).fill('Farida Mobiles');
  await typedIsKept(page);
  await page.reload();
  await expect(page.getByLabel(t('retailers.shop_name'))).toHaveValue('Farida Mobiles');
  await page.getByLabel(t('add.first_name')).fill('Farida');
  await page.getByLabel(t('auth.mobile')).fill(`97${String(Date.now()).slice(-8)}`);
  await page.getByRole('button', { name: t('signup.send') }).click();
  await expect(page.getByRole('status').filter({ hasText: t('signup.sent') })).toBeVisible();
  await page.getByRole('link', { name: t('signup.to_login') }).click();
  await expect(page).toHaveURL(/login/);
  await context.close();
});
