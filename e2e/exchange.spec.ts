import { type Page, expect, test } from '@playwright/test';
import { openApp } from './support/app.ts';
import { withCamera } from './support/camera.ts';
import { newImei, sellAndEnrol, sellPhone } from './support/customers.ts';
import { addPhone, press } from './support/lab.ts';
import { RETAILER, sessionOf } from './support/sign-in.ts';
import { SPOKEN } from './support/words.ts';

type Words = Awaited<ReturnType<typeof openApp>>['t'];

/** Fills the sheet in and sends it; it ends on the screen with the new phone's QR. */
async function fill(page: Page, t: Words, given: { imei: string; brand?: string; model?: string; reason: string }) {
  const imei = given.brand ? 'exchanging.imei_new' : 'exchanging.imei';
  const sheet = page.getByRole('dialog', { name: t('exchange.title') });
  await sheet.getByLabel(t(imei), { exact: true }).fill(given.imei);
  if (given.brand) await sheet.getByLabel(t('exchanging.brand')).fill(given.brand);
  if (given.model) await sheet.getByLabel(t('exchanging.model')).fill(given.model);
  await sheet.getByLabel(t('cancel.reason')).fill(given.reason);
  await sheet.getByRole('button', { name: t('exchange.title') }).click();
  await expect(page.getByText(t('exchanging.done'))).toBeVisible();
  await expect(page).toHaveURL(/emm-qr/);
}

test('a broken phone is exchanged: the old one is freed and let go, the new one is set up with its own QR', async ({
  browser,
}) => {
  const language = SPOKEN;
  const shop = await sessionOf(RETAILER);
  const sold = await sellAndEnrol(shop.api, { firstName: 'Sunil', lastName: 'Kale', language });
  const { customerId: customer_id } = sold;
  const profile = () => shop.api.call('getCustomerProfile', { query: { customer_id } });
  const owed = (await profile()).agreement;
  const { page, context, t } = await openApp(browser, shop, { language });
  await page.goto(`/customers/${customer_id}`);
  await page.getByRole('button', { name: t('exchange.title') }).click();
  const sheet = page.getByRole('dialog', { name: t('exchange.title') });
  await expect(sheet.getByText(t('exchanging.intro_EXCHANGED', { no: sold.agreementNo }))).toBeVisible();
  await expect(sheet.getByText(t('exchanging.old'))).toBeVisible();
  await expect(sheet.getByText(t('exchanging.consent'))).toBeVisible();
  // Not with a number that cannot be one, and not without a reason.
  await sheet.getByLabel(t('exchanging.imei_new'), { exact: true }).fill('356938035643808');
  await sheet.getByRole('button', { name: t('exchange.title') }).click();
  await expect(sheet.getByText(t('field.imei'))).toBeVisible();
  await expect(sheet.getByText(t('field.required')).first()).toBeVisible();
  const imei = newImei();
  await fill(page, t, { imei, brand: 'Vivo', model: 'Y28', reason: 'Display broken' });

  // The old phone hears of it; the new one is set up by what the screen shows.
  await press(sold.phone.id, 'contact');
  const { qr } = await shop.api.call('getCustomerQrCode', { query: { customer_id } });
  await addPhone({ name: 'Sunil Kale, new', imei, qr: qr ?? '' });
  await expect.poll(async () => (await profile()).customer.status).toBe(1);
  expect(await profile()).toMatchObject({
    device: { imei1: imei, released_at: null },
    lock: { level: 0, desired_level: 0 },
    consent_missing: ['signature', 'code'],
    exchanges: [{ imei1: sold.imei, was_set_up: true, reason: 'Display broken' }],
    agreement: { agreement_no: owed?.agreement_no, outstanding_paise: owed?.outstanding_paise, tenure: owed?.tenure },
  });
  const old = async () => (await shop.api.call('getDevice', { params: { device_id: sold.deviceId } })).device;
  expect((await old()).released_at).not.toBeNull();
  const { desired_revision } = await old();
  await expect.poll(async () => (await old()).reported_revision).toBe(desired_revision);

  await page.goto(`/customers/${customer_id}`);
  await expect(page.getByText(imei)).toBeVisible();
  await expect(page.getByText(t('exchange.past'))).toBeVisible();
  await expect(page.getByText(sold.imei)).toBeVisible();
  await context.close();
});

test('a wrong IMEI of a phone that is not set up is put right: no key more, and the right phone sets up', async ({
  browser,
}) => {
  const shop = await sessionOf(RETAILER);
  const sold = await sellPhone(shop.api, { firstName: 'Rekha', lastName: 'Pawar' });
  const { customerId: customer_id } = sold;
  const keys = async () => (await shop.api.call('getKeys')).reduce((sum, { paid, granted }) => sum + paid + granted, 0);
  const before = await keys();
  const { page, context, t } = await openApp(browser, shop);
  await page.goto(`/customer-navigate?customer_id=${customer_id}`);
  await page.getByRole('button', { name: t('exchange.title') }).click();
  const sheet = page.getByRole('dialog', { name: t('exchange.title') });
  await expect(sheet.getByText(t('exchanging.intro_CORRECTED'))).toBeVisible();
  await expect(sheet.getByText(t('exchanging.qr_new'))).toBeVisible();
  await expect(sheet.getByText(t('exchanging.key_KEPT'))).toBeVisible();
  const imei = newImei();
  await fill(page, t, { imei, reason: 'Typed wrongly' });
  expect(await keys()).toBe(before);
  const { qr } = await shop.api.call('getCustomerQrCode', { query: { customer_id } });
  await addPhone({ name: 'Rekha Pawar', imei, qr: qr ?? '' });
  const profile = () => shop.api.call('getCustomerProfile', { query: { customer_id } });
  await expect.poll(async () => (await profile()).customer.status).toBe(1);
  expect(await profile()).toMatchObject({ device: { imei1: imei }, consent_missing: [] });
  await context.close();
});

test('the number of the new phone is read by the camera, in the sheet that asks for it', async ({ browser }) => {
  const shop = await sessionOf(RETAILER);
  const { customerId } = await sellPhone(shop.api, { firstName: 'Lata', lastName: 'Gore' });
  const { page, context, t } = await openApp(browser, shop);
  const imei = newImei();
  await withCamera(page, imei);
  await page.goto(`/customer-navigate?customer_id=${customerId}`);
  await page.getByRole('button', { name: t('exchange.title') }).click();
  const sheet = page.getByRole('dialog', { name: t('exchange.title') });
  await sheet.getByRole('button', { name: t('add.scan_for', { field: t('exchanging.imei') }), exact: true }).click();
  await expect(sheet.getByLabel(t('exchanging.imei'), { exact: true })).toHaveValue(imei);
  await sheet.getByLabel(t('cancel.reason')).fill('Typed wrongly');
  await sheet.getByRole('button', { name: t('exchange.title') }).click();
  // Told beside the code, and on nothing that can be pressed or read by a camera.
  const told = page.getByText(t('exchanging.done'));
  await expect(told).toBeVisible();
  await expect(page.getByRole('img', { name: t('qr.alt') })).toBeVisible();
  const [words, code] = await Promise.all([
    told.boundingBox(),
    page.getByRole('img', { name: t('qr.alt') }).boundingBox(),
  ]);
  expect(words!.y + words!.height).toBeLessThanOrEqual(code!.y);
  await context.close();
});
