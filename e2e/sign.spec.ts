import { expect, test } from '@playwright/test';
import { openApp } from './support/app.ts';
import { sellPhone } from './support/customers.ts';
import { RETAILER, sessionOf } from './support/sign-in.ts';

test('whichever way the phone is held, the whole box to sign in is in sight, with what clears it and what ends it', async ({
  browser,
}) => {
  const shop = await sessionOf(RETAILER);
  const { customerId } = await sellPhone(shop.api, { firstName: 'Vidya', lastName: 'Rane' });
  const { page, context, t } = await openApp(browser, shop);
  await page.goto(`/signature?customer_id=${customerId}`);
  await page.getByRole('button', { name: new RegExp(`^(${t('signature.new')}|${t('signature.replace')})$`) }).click();
  await page.getByRole('button', { name: t('signature.pad_empty') }).click();
  // The box fills the screen, and a window that does is not resized: the phone is turned.
  const phone = await context.newCDPSession(page);
  for (const [width, height] of [
    [360, 640],
    [640, 360],
    [320, 568],
    [568, 320],
  ] as const) {
    await phone.send('Emulation.setDeviceMetricsOverride', { width, height, deviceScaleFactor: 1, mobile: true });
    await expect.poll(() => page.evaluate(() => [innerWidth, innerHeight])).toEqual([width, height]);
    await expect(page.getByRole('img', { name: t('signature.pad_empty') })).toBeInViewport({ ratio: 1 });
    for (const name of [t('common.clear'), t('signature.done')])
      await expect(page.getByRole('button', { name, exact: true })).toBeInViewport({ ratio: 1 });
  }
  await context.close();
});
