import { type Page, expect, test } from '@playwright/test';
import { openApp } from './support/app.ts';
import { withCamera } from './support/camera.ts';
import { today } from './support/clock.ts';
import { newImei, newMobile, sellPhone } from './support/customers.ts';
import { MOST, countHandwork } from './support/handwork.ts';
import { codeFor, maskMobile } from './support/messages.ts';
import { RETAILER, sessionOf } from './support/sign-in.ts';
import { sign } from './support/signature.ts';
import { SPOKEN, type Words } from './support/words.ts';

test(`a phone is sold in ${MOST.sale.taps} taps and ${MOST.sale.keys} keys, those of the OTP among them, with the terms of the last sale`, async ({
  browser,
}) => {
  const language = SPOKEN;
  const shop = await sessionOf(RETAILER);
  const imei = newImei();
  // A phone of this maker and model was sold before, on these terms.
  const terms = { method: 'FLAT', frequency: 'MONTHLY', rate_bps: 1250, tenure: 9, cash_price: 12_000_00 } as const;
  await sellPhone(shop.api, {
    firstName: 'Meena',
    lastName: 'Kale',
    imei: sameModel(imei),
    terms: { ...terms, down_payment: 3_000_00, fee: 100_00, anchor_day: 7, delivered_on: await today() },
  });
  const { page, context, t } = await openApp(browser, shop, { language });
  await withCamera(page, imei);
  const handwork = await countHandwork(page);
  await page.goto('/dashboard');
  await page.getByRole('link', { name: t('shell.add'), exact: true }).click();
  const next = () => page.getByRole('button', { name: t('common.continue') }).click();

  // The keyboard is open in the first field, and Enter goes to the next.
  await expect(page.getByLabel(t('add.first_name'))).toBeFocused();
  await page.keyboard.type('Rekha');
  await page.keyboard.press('Enter');
  await expect(page.getByLabel(t('auth.mobile'), { exact: true })).toBeFocused();
  const mobile = newMobile();
  await page.keyboard.type(mobile);
  await next();
  await page.getByRole('button', { name: t('add.scan_for', { field: t('add.imei1') }), exact: true }).click();
  await expect(page.getByLabel(t('add.imei1'), { exact: true })).toHaveValue(imei);
  await expect(page.getByLabel(t('add.brand'))).toHaveValue('Redmi');
  await expect(page.getByLabel(t('add.model'))).toHaveValue('13C');
  await next();
  await expect(page.getByLabel(t('add.price'))).toBeFocused();
  await expect(page.getByRole('textbox', { name: t('add.tenure') })).toHaveValue('9');
  await expect(page.getByLabel(t('add.rate'))).toHaveValue('12.5');
  await expect(page.locator('[name="emi.fee"]')).toHaveValue('100');
  await expect(page.locator('[name="emi.anchor_day"]')).toHaveValue('7');
  await page.keyboard.type('9000');
  await page.keyboard.press('Enter');
  await page.keyboard.type('2000');
  await next();
  // The OTP leaves with the tick, and its field has the keyboard once the paper is put down.
  await page.getByRole('checkbox', { name: t('consent.accept', { name: 'Rekha' }) }).check();
  await sign(page, t);
  await expect(page.getByLabel(t('auth.otp_label'))).toBeFocused();
  // In sight above the screen's own button.
  const topOfButton = (await page.getByRole('button', { name: t('add.finish') }).boundingBox())!.y;
  const bottomOfCode = async () => {
    const { y, height } = (await page.getByLabel(t('auth.otp_label')).boundingBox())!;
    return y + height;
  };
  await expect.poll(bottomOfCode).toBeLessThanOrEqual(topOfButton);
  await page.keyboard.type(await codeFor(mobile, []));
  await expect(page.getByText(t('add.code_told', { mobile: maskMobile(mobile) }))).toBeVisible();
  await page.getByRole('button', { name: t('add.finish') }).click();
  await expect(page.getByRole('img', { name: t('qr.alt') })).toBeVisible({ timeout: 20_000 });
  const { taps, keys } = await handwork();
  expect(taps).toBeLessThanOrEqual(MOST.sale.taps);
  expect(keys).toBeLessThanOrEqual(MOST.sale.keys);
  await context.close();
});

/** @returns another phone of the same maker and model: the first eight digits are its TAC. */
function sameModel(imei: string): string {
  for (;;) {
    const other = newImei();
    const body = imei.slice(0, 8) + other.slice(8, 14);
    const sum = Array.from(body, Number).reduce((total, digit, place) => {
      const doubled = place % 2 === 1 ? digit * 2 : digit;
      return total + (doubled > 9 ? doubled - 9 : doubled);
    }, 0);
    const made = body + String((10 - (sum % 10)) % 10);
    if (made !== imei) return made;
  }
}

test('PIN code fills district and state; no field lies under the button while it is typed in, and no bar under the form', async ({
  browser,
}) => {
  const { page, context, t } = await openApp(browser, await sessionOf(RETAILER), {
    viewport: { width: 360, height: 480 },
  });
  await page.goto('/add-customer');
  await page.getByLabel(t('add.pincode')).fill('422001');
  await expect(page.getByLabel(t('add.city'))).toHaveValue('Nashik');
  await expect(page.getByLabel(t('add.state'))).toHaveValue('Maharashtra');
  // What somebody wrote stays.
  await page.getByLabel(t('add.city')).fill('Sinnar');
  await page.getByLabel(t('add.pincode')).fill('110001');
  await expect(page.getByLabel(t('add.state'))).toHaveValue('Delhi');
  await expect(page.getByLabel(t('add.city'))).toHaveValue('Sinnar');
  await expect(page.getByRole('navigation', { name: t('shell.main') })).toBeHidden();
  const button = page.getByRole('button', { name: t('common.continue') });
  await page.getByLabel(t('add.first_name')).focus();
  for (let field = 0; field < 9; field += 1) {
    await page.keyboard.press('Tab');
    const lower = await page.evaluate(() => document.activeElement?.getBoundingClientRect().bottom ?? 0);
    expect(lower).toBeLessThanOrEqual((await button.boundingBox())?.y ?? 0);
  }
  await context.close();
});

test('whoever fills the first step in before the later ones have come waits with the button, and goes on in a field', async ({
  browser,
}) => {
  const shop = await sessionOf(RETAILER);
  const { page, context, t } = await openApp(browser, shop, { hasWorker: false });
  let release = (): void => undefined;
  const isReleased = new Promise<void>((resolve) => (release = resolve));
  await page.route('**/assets/later-step-*.js', async (route) => {
    await isReleased;
    await route.continue();
  });
  await page.goto('/add-customer');
  await fillFirstStep(page, t);
  await expect(page.locator('button[aria-busy=true]')).toBeVisible();
  await expect(page.getByLabel(t('add.first_name'))).toHaveValue('Rekha');
  release();
  await expect(page.getByLabel(t('add.imei1'), { exact: true })).toBeFocused();
  await context.close();
});

test('later steps that went with an update: the page is loaded anew once, with what was typed, and then says the truth', async ({
  browser,
}) => {
  const shop = await sessionOf(RETAILER);
  const { page, context, t } = await openApp(browser, shop, { hasWorker: false });
  await page.route('**/assets/later-step-*.js', (route) => route.fulfill({ status: 404 }));
  let loads = 0;
  page.on('load', () => (loads += 1));
  await page.goto('/add-customer');
  await fillFirstStep(page, t);
  await expect(page.getByText(t('states.unexpected_body'))).toBeVisible();
  expect(loads).toBe(2);
  await page.unroute('**/assets/later-step-*.js');
  await page.getByRole('button', { name: t('shell.reload') }).click();
  await expect(page.getByLabel(t('add.imei1'), { exact: true })).toBeVisible();
  await expect(page.getByText(/Rekha/)).toBeVisible();
  await context.close();
});

/** From the plan, where it is asked for first, to a customer's name and number. */
async function fillFirstStep(page: Page, t: Words): Promise<void> {
  const change = page.getByRole('button', { name: t('add.plan_change') });
  const next = page.getByRole('button', { name: t('common.continue') });
  // Without a sale before it the plan is chosen first.
  await expect(change.or(page.getByRole('radio').first())).toBeVisible();
  if (!(await change.isVisible())) {
    await page.getByRole('radio').first().check({ force: true });
    await next.click();
  }
  await page.getByLabel(t('add.first_name')).fill('Rekha');
  await page.getByLabel(t('auth.mobile'), { exact: true }).fill(newMobile());
  await next.click();
}
