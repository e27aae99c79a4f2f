import { type Page, expect, test } from '@playwright/test';
import { BASE_URL } from './support/base-url.ts';
import { openApp } from './support/app.ts';
import { newImei, newMobile } from './support/customers.ts';
import { addPhone, readQr } from './support/lab.ts';
import { sign } from './support/signature.ts';
import { codeFor, messagesTo } from './support/messages.ts';
import { RETAILER } from './support/sign-in.ts';
import { SPOKEN, type Words, wordsOf } from './support/words.ts';

const MPIN = '2846';
/** ₹15,000, ₹3,000 down, 12 % flat on ₹12,000 for a year: ₹1,440 interest, ₹1,120 a month. */
const DEAL = { price: '15000', down: '3000', ratePercent: '12', tenure: 12, emiRupees: 1120, totalRupees: 16_440 };

/** Yearly rate at which the instalments are worth what is financed: found by halving, not by the product's own way. */
function aprPercent(financed: number, instalment: number, months: number): number {
  let [low, high] = [0, 1];
  for (let round = 0; round < 80; round += 1) {
    const rate = (low + high) / 2;
    const worth = (instalment * (1 - (1 + rate) ** -months)) / rate;
    if (worth > financed) low = rate;
    else high = rate;
  }
  return low * 1200;
}

const rupees = (value: number): string => `₹${value.toLocaleString('en-IN')}`;

async function pressPin(page: Page, pin: string): Promise<void> {
  for (const digit of pin) await page.getByRole('button', { name: digit, exact: true }).click();
}

/** Mobile → code from the SMS → first M-PIN → the shop's day. */
async function signInFirstTime(page: Page, t: Words, mobile: string): Promise<void> {
  await page.goto('/');
  await expect(page).toHaveURL(/\/login$/);
  const known = await messagesTo(mobile);
  await page.getByLabel(t('auth.mobile')).fill(mobile);
  await page.getByRole('button', { name: t('auth.send_code') }).click();
  const code = await codeFor(mobile, known);
  await page.getByLabel(t('auth.otp_label')).fill(code === '000000' ? '111111' : '000000');
  await expect(page.getByText(t('errors.OTP_INVALID'))).toBeVisible();
  await page.getByLabel(t('auth.otp_label')).fill(code);
  await expect(page.getByRole('heading', { name: t('auth.mpin_set') })).toBeVisible();
  await pressPin(page, MPIN);
  await expect(page.getByRole('heading', { name: t('auth.mpin_confirm') })).toBeVisible();
  await pressPin(page, MPIN);
  await expect(page).toHaveURL(/\/dashboard$/);
  await expect(page.getByText(t('dashboard.do_now'))).toBeVisible();
}

test('a phone is sold on EMI at the counter and sets itself up from the QR', async ({ browser }) => {
  test.setTimeout(120_000);
  const { page, context, t } = await openApp(browser, null, { language: SPOKEN });
  await signInFirstTime(page, t, RETAILER);

  await page.getByRole('link', { name: t('shell.add'), exact: true }).click();
  const next = () => page.getByRole('button', { name: t('common.continue') }).click();

  // The plan sold last is chosen; another is one press away.
  await page.getByRole('button', { name: t('add.plan_change') }).click();
  await page.getByRole('radio', { name: t('plan.DPC') }).check();
  await next();

  // Identity.
  const customerMobile = newMobile();
  await page.getByLabel(t('add.first_name')).fill('Prakash');
  await page.getByLabel(t('add.last_name')).fill('Gaikwad');
  await page.getByLabel(t('auth.mobile'), { exact: true }).fill(customerMobile);
  await next();

  // Device: one wrong digit is refused, the right one goes on.
  const imei = newImei();
  const wrong = imei.slice(0, 14) + String((Number(imei[14]) + 1) % 10);
  const imeiField = page.getByLabel(t('add.imei1'), { exact: true });
  await imeiField.fill(wrong);
  await page.getByLabel(t('add.brand')).fill('Redmi');
  await page.getByLabel(t('add.model')).fill('13C');
  await next();
  await expect(imeiField).toHaveAttribute('aria-invalid', 'true');
  await expect(page.getByText(t('field.imei'))).toBeVisible();
  await imeiField.fill(imei);
  await expect(page.getByText(t('add.imei_right'))).toBeVisible();
  await next();

  // EMI: the cost follows what is typed.
  await page.getByLabel(t('add.price')).fill(DEAL.price);
  await page.getByLabel(t('emi.down')).fill(DEAL.down);
  // The form begins with the terms of the last sale, whatever they were.
  await page.getByLabel(t('add.frequency')).selectOption('MONTHLY');
  await page.getByRole('button', { name: t('emi.method_FLAT'), exact: true }).click();
  await page.getByLabel(t('add.rate')).fill(DEAL.ratePercent);
  await page.getByRole('textbox', { name: t('add.tenure') }).fill(String(DEAL.tenure));
  await page.locator('[name="emi.fee"]').fill('');
  await page.locator('[name="emi.anchor_day"]').fill('');
  const preview = page.getByLabel(t('add.preview'));
  await expect(preview).toContainText(rupees(DEAL.totalRupees));
  await expect(preview).toContainText(String(DEAL.emiRupees.toLocaleString('en-IN')));
  const apr = await preview.getByText(/^\d+\.\d\d%$/).textContent();
  expect(Number.parseFloat(apr ?? '')).toBeCloseTo(aprPercent(12_000, DEAL.emiRupees, DEAL.tenure), 1);
  await next();

  // Consent and signature.
  await page.getByRole('button', { name: t('add.finish') }).click();
  await expect(page.getByText(t('field.consent'))).toBeVisible();
  const known = await messagesTo(customerMobile);
  await page.getByRole('checkbox', { name: t('consent.accept', { name: 'Prakash Gaikwad' }) }).check();
  await sign(page, t);
  await page.getByRole('button', { name: t('add.finish') }).click();
  await expect(page.getByText(t('add.code_or_later'))).toBeVisible();
  await page.getByLabel(t('auth.otp_label')).fill(await codeFor(customerMobile, known));
  await page.getByRole('button', { name: t('add.finish') }).click();

  // The QR: read from the screen's pixels by a phone's camera.
  const code = page.getByRole('img', { name: t('qr.alt') });
  await expect(code).toBeVisible({ timeout: 20_000 });
  const qr = await readQr(BASE_URL, await code.screenshot({ scale: 'device' }));
  const phone = await addPhone({ name: 'Prakash', imei, qr });
  expect(phone.is_enrolled).toBe(true);
  await expect(page.getByText(t('qr.connected'), { exact: true })).toBeVisible();
  await page.getByRole('link', { name: t('qr.see_customer') }).click();
  await expect(page.getByRole('heading', { name: /Prakash/ })).toBeVisible();
  await expect(page.getByText(t('device.online')).first()).toBeVisible();

  // Next time the M-PIN is enough.
  await page.getByRole('button', { name: t('shell.more') }).click();
  await page.getByRole('button', { name: t('shell.logout') }).click();
  await page
    .getByRole('dialog')
    .getByRole('button', { name: t('shell.logout') })
    .last()
    .click();
  await expect(page).toHaveURL(/\/login$/);
  await page.getByRole('link', { name: t('auth.continue_mpin') }).click();
  await pressPin(page, MPIN);
  await expect(page.getByText(t('dashboard.do_now'))).toBeVisible();
  await context.close();
});

test('the words of the main job are there in Hindi', async () => {
  const [english, hindi] = [await wordsOf('en'), await wordsOf('hn')];
  for (const key of ['shell.add', 'emi.collect', 'lock.locked', 'qr.connected', 'emi.receipt', 'add.finish'])
    expect(hindi(key), key).not.toBe(english(key));
});
