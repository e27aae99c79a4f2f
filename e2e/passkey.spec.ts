import { type Page, expect, test } from '@playwright/test';
import { openApp } from './support/app.ts';
import { signInFirst, typePin, withFinger } from './support/finger.ts';
import type { Words } from './support/words.ts';

const logOut = async (page: Page, t: Words) => {
  await page.getByRole('button', { name: t('shell.more') }).click();
  await page.getByRole('button', { name: t('shell.logout'), exact: true }).click();
  await page
    .getByRole('dialog')
    .getByRole('button', { name: t('shell.logout'), exact: true })
    .last()
    .click();
  await expect(page).toHaveURL(/login/);
};

test('a finger opens the app after the M-PIN did, is listed, and is taken away', async ({ browser }) => {
  test.setTimeout(120_000);
  const { page, context, t } = await openApp(browser, null, { hasWorker: false });
  const { devtools, authenticatorId } = await withFinger(page);
  await signInFirst(page, t);
  // Offered where the M-PIN was just typed.
  const offer = page.getByRole('dialog', { name: t('auth.use_fingerprint') });
  await expect(offer).toBeVisible();
  await offer.getByRole('button', { name: t('passkey.use') }).click();
  await expect(page.getByText(t('passkey.added'))).toBeVisible();
  expect((await devtools.send('WebAuthn.getCredentials', { authenticatorId })).credentials).toHaveLength(1);

  await logOut(page, t);
  await page.getByRole('button', { name: t('auth.use_fingerprint') }).click();
  await expect(page).toHaveURL(/dashboard/);

  // A finger that does not fit: nothing happens, and the M-PIN is there.
  await logOut(page, t);
  await devtools.send('WebAuthn.setUserVerified', { authenticatorId, isUserVerified: false });
  await page.getByRole('button', { name: t('auth.use_fingerprint') }).click();
  await page.getByRole('link', { name: t('auth.continue_mpin') }).click();
  await typePin(page);
  await expect(page).toHaveURL(/dashboard/);
  await devtools.send('WebAuthn.setUserVerified', { authenticatorId, isUserVerified: true });

  await page.goto('/sessions');
  await expect(page.getByRole('heading', { name: t('passkey.devices') })).toBeVisible();
  await page.getByRole('button', { name: t('passkey.remove') }).click();
  await page
    .getByRole('dialog')
    .getByRole('button', { name: t('passkey.remove') })
    .click();
  await expect(page.getByText(t('passkey.removed'))).toBeVisible();
  await logOut(page, t);
  await page.getByRole('button', { name: t('auth.use_fingerprint') }).click();
  await expect(page.getByText(t('errors.PASSKEY_REFUSED'))).toBeVisible();
  await expect(page.getByRole('button', { name: t('auth.use_fingerprint') })).toHaveCount(0);
  await context.close();
});
