import { expect, test } from '@playwright/test';
import { openApp } from './support/app.ts';
import { newImei, sellPhone } from './support/customers.ts';
import { addPhone, press } from './support/lab.ts';
import { RETAILER, sessionOf } from './support/sign-in.ts';
import { SPOKEN } from './support/words.ts';

test('the code on the screen is the same each time, short enough to be typed, and the page sees by itself that it was', async ({
  browser,
}) => {
  const language = SPOKEN;
  const shop = await sessionOf(RETAILER);
  const sold = await sellPhone(shop.api, { firstName: 'Kavita', lastName: 'Jadhav' });
  const { page, context, t } = await openApp(browser, shop, { language });
  await page.goto(`/emm-qr?customer_id=${sold.customerId}`);
  const picture = page.getByRole('img', { name: t('qr.alt') });
  const typed = page.locator('[data-setup-code]');
  await expect(typed).toHaveText(/^[346789ACDEFGHJKMNPRTVWXY]{3,4}(-[346789ACDEFGHJKMNPRTVWXY]{1,4}){1,3}$/);
  const code = (await typed.textContent()) ?? '';
  const qr = await picture.getAttribute('data-qr');
  expect(qr).toBe(sold.qr);
  // Nine tenths of the phone's width, and the code to type in sight with it.
  expect((await picture.boundingBox())?.width).toBeGreaterThan(320);
  await expect(typed).toBeInViewport({ ratio: 1 });
  for (let again = 0; again < 2; again += 1) {
    await page.reload();
    await expect(picture).toHaveAttribute('data-qr', qr ?? '');
    await expect(typed).toHaveText(code);
  }
  const share = await page.getByRole('link', { name: t('common.share') }).getAttribute('href');
  expect(new URL(share ?? '').searchParams.get('text')).toContain(code);

  const another = await addPhone({ name: 'Somebody else', imei: newImei() });
  await expect(press(another.id, 'scan', { qr: code })).rejects.toThrow('The server does not know this');
  const phone = await addPhone({ name: 'Kavita Jadhav', imei: sold.imei });
  await press(phone.id, 'scan', { qr: code.toLowerCase().replaceAll('-', ' ') });
  await expect(page.getByText(t('qr.connected'), { exact: true })).toBeVisible({ timeout: 3000 });
  await context.close();
});

test('a message lies neither on the picture nor on the code to type, and says more than a word a line in large letters', async ({
  browser,
}) => {
  const shop = await sessionOf(RETAILER);
  const sold = await sellPhone(shop.api, { firstName: 'Meena', lastName: 'Jadhav' });
  const { page, context, t } = await openApp(browser, shop, { language: 'tm' });
  await page.goto(`/emm-qr?customer_id=${sold.customerId}`);
  const typed = page.locator('[data-setup-code]');
  await expect(typed).toBeVisible();
  // Copied or not: a message says which.
  await page.getByRole('button', { name: t('common.copy'), exact: true }).click();
  const message = page
    .locator('[role=status] > div')
    .filter({ has: page.getByRole('button', { name: t('common.close') }) });
  await expect(message).toBeVisible();
  const covers = async () => {
    const [own, code] = [(await message.boundingBox())!, (await typed.boundingBox())!];
    return own.y < code.y + code.height && own.y + own.height > code.y;
  };
  await expect.poll(covers).toBe(false);
  await page.evaluate(() => void (document.documentElement.style.fontSize = '32px'));
  const words = message.locator('span').first();
  expect((await words.boundingBox())!.width).toBeGreaterThanOrEqual(160);
  await context.close();
});
