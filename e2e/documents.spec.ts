import { type Page, expect, test } from '@playwright/test';
import { openApp } from './support/app.ts';
import { faultsOf } from './support/axe.ts';
import { sellPhone } from './support/customers.ts';
import { regainNetwork } from './support/network.ts';
import { cardPicture } from './support/picture.ts';
import { MINI_RETAILER, RETAILER, sessionOf } from './support/sign-in.ts';
import { SPOKEN, type Words } from './support/words.ts';

const card = { name: 'IMG_2041.png', mimeType: 'image/png', buffer: cardPicture() };

/** The sheet of one place, opened from the list. */
async function openPlace(page: Page, title: string) {
  await page.getByRole('button', { name: title }).click();
  return page.getByRole('dialog', { name: title });
}
const frontOf = (t: Words) => `${t('my_data.type.aadhaar')} · ${t('documents.front')}`;

/** Colours of the picture that is shown, at these shares of it. */
const coloursAt = (page: Page, places: readonly (readonly [number, number])[]) =>
  page
    .getByRole('dialog')
    .locator('img')
    .evaluate(async (image, asked) => {
      const shown = image as HTMLImageElement;
      await shown.decode();
      const canvas = document.createElement('canvas');
      canvas.width = shown.naturalWidth;
      canvas.height = shown.naturalHeight;
      const pen = canvas.getContext('2d')!;
      pen.drawImage(shown, 0, 0);
      const at = asked.map(([x, y]) => {
        const [red = 0, green = 0, blue = 0] = pen.getImageData(x * canvas.width, y * canvas.height, 1, 1).data;
        return red + green + blue < 40 ? 'black' : red > green + 60 ? 'red' : 'paper';
      });
      return { size: [canvas.width, canvas.height], at };
    }, places);

test('an Aadhaar is photographed, its number painted over by a finger, kept, looked at and replaced', async ({
  browser,
}) => {
  const language = SPOKEN;
  const shop = await sessionOf(RETAILER);
  const { customerId } = await sellPhone(shop.api, { firstName: 'Anita', lastName: 'Jadhav', language });
  const { page, context, t } = await openApp(browser, shop, { language });
  await page.goto(`/customer-navigate?customer_id=${customerId}`);
  await page.getByRole('link', { name: t('customer.documents'), exact: true }).click();
  await expect(page.getByRole('heading', { name: t('documents.title') })).toBeVisible();
  expect(await faultsOf(page)).toEqual([]);

  const sheet = await openPlace(page, frontOf(t));
  await expect(sheet.getByText(t('documents.needs_internet'))).toBeVisible();
  await sheet.locator('[data-pick=camera]').setInputFiles(card);
  await expect(sheet.getByText(t('documents.hide_aadhaar'))).toBeVisible();
  expect(await faultsOf(page)).toEqual([]);
  const box = (await sheet.getByRole('img', { name: t('documents.picture') }).boundingBox())!;
  const at = (x: number, y: number) => [box.x + box.width * x, box.y + box.height * y] as const;
  await page.mouse.move(...at(0.2, 0.58));
  await page.mouse.down();
  await page.mouse.move(...at(0.4, 0.65), { steps: 4 });
  await page.mouse.move(...at(0.6, 0.72), { steps: 4 });
  await page.mouse.up();
  const painted = sheet.getByRole('button', { name: t('documents.box', { no: 1 }) });
  await expect(painted).toHaveCSS('background-color', 'rgb(0, 0, 0)');
  await sheet.getByRole('button', { name: t('documents.save') }).click();
  await expect(page.getByText(t('documents.saved'), { exact: true })).toBeVisible();
  await expect(sheet.getByRole('img', { name: frontOf(t) })).toBeVisible();
  const kept = await coloursAt(page, [
    [0.4, 0.65],
    [0.72, 0.65],
    [0.1, 0.1],
  ]);
  expect(kept).toEqual({ size: [1200, 750], at: ['black', 'red', 'paper'] });
  expect(await faultsOf(page)).toEqual([]);

  // Another in its place, with nothing painted over: its number is asked after, then the place.
  await sheet.locator('[data-pick=file]').setInputFiles(card);
  await sheet.getByRole('button', { name: t('documents.save') }).click();
  const bare = page.getByRole('dialog', { name: t('documents.hidden_ask') });
  await expect(bare).toBeVisible();
  expect(await faultsOf(page)).toEqual([]);
  await bare.getByRole('button', { name: t('documents.hidden_already') }).click();
  const asked = page.getByRole('dialog', { name: t('documents.replace_ask') });
  await expect(asked).toBeVisible();
  expect(await faultsOf(page)).toEqual([]);
  await asked.getByRole('button', { name: t('retailers.replace'), exact: true }).click();
  await expect(page.getByText(t('documents.saved'), { exact: true })).toBeVisible();
  await expect.poll(async () => (await coloursAt(page, [[0.4, 0.65]])).at).toEqual(['red']);
  const listed = await shop.api.call('getCustomerDocuments', { query: { customer_id: customerId } });
  expect(listed.filter(({ document_type: type }) => type === 'aadhaar')).toHaveLength(1);
  await page.keyboard.press('Escape');
  await expect(page.getByRole('dialog')).toBeHidden();
  await expect(page.getByRole('button', { name: frontOf(t) })).not.toContainText(t('documents.none'));
  await context.close();
});

test('without a finger: boxes and corners by the keyboard', async ({ browser }) => {
  const shop = await sessionOf(RETAILER);
  const { customerId } = await sellPhone(shop.api, { firstName: 'Imran', lastName: 'Shaikh' });
  const { page, context, t } = await openApp(browser, shop);
  await page.goto(`/customer-documents?customer_id=${customerId}&document_type=aadhaar&image_name=front`);
  const sheet = page.getByRole('dialog', { name: frontOf(t) });
  await sheet.locator('[data-pick=file]').setInputFiles(card);
  const boxNo = (no: number) => sheet.getByRole('button', { name: t('documents.box', { no }) });
  await sheet.getByRole('button', { name: t('documents.add_box') }).click();
  await sheet.getByRole('button', { name: t('documents.add_box') }).click();
  await boxNo(2).focus();
  await page.keyboard.press('Delete');
  await expect(boxNo(2)).toHaveCount(0);
  await boxNo(1).focus();
  for (let press = 0; press < 3; press += 1) await page.keyboard.press('Shift+ArrowLeft');
  await sheet.getByRole('tab', { name: t('documents.hide') }).focus();
  await page.keyboard.press('ArrowRight');
  await sheet.getByRole('button', { name: t('documents.corner_nw') }).focus();
  for (let press = 0; press < 10; press += 1) await page.keyboard.press('Shift+ArrowDown');
  expect(await faultsOf(page)).toEqual([]);
  await sheet.getByRole('button', { name: t('documents.save') }).click();
  await expect(page.getByText(t('documents.saved'), { exact: true })).toBeVisible();
  // The upper half is cut away; the box, 0.25 … 0.65 wide and moved left by 0.15, lies from 0.1 to 0.5.
  const kept = await coloursAt(page, [
    [0.3, 0.3],
    [0.7, 0.3],
  ]);
  expect(kept).toEqual({ size: [1200, 375], at: ['black', 'red'] });
  await context.close();
});

test('without a network the picture stays on this phone, and is sent when it is there again', async ({ browser }) => {
  const shop = await sessionOf(RETAILER);
  const { customerId } = await sellPhone(shop.api, { firstName: 'Leela', lastName: 'Nair' });
  const { page, context, t } = await openApp(browser, shop);
  await page.goto(`/customer-documents?customer_id=${customerId}&document_type=photo`);
  const title = t('my_data.type.photo');
  const sheet = page.getByRole('dialog', { name: title });
  await expect(sheet.getByText(t('documents.needs_internet'))).toBeVisible();
  await sheet.locator('[data-pick=camera]').setInputFiles(card);
  await context.setOffline(true);
  await sheet.getByRole('button', { name: t('documents.save') }).click();
  await expect(sheet.getByText(t('shell.saved_offline'))).toBeVisible();
  expect(await faultsOf(page)).toEqual([]);
  await page.keyboard.press('Escape');
  // Whoever looks at the list, or at what waits, sees it too; log-out would ask.
  await expect(page.getByRole('button', { name: `${title} ${t('shell.not_sent')}` })).toBeVisible();
  await page.getByRole('button', { name: new RegExp(t('shell.queued', { count: 1 })) }).click();
  await expect(page.getByRole('dialog', { name: t('shell.outbox') })).toContainText(`${title}, Leela Nair`);
  await page.keyboard.press('Escape');
  // It goes by itself.
  await regainNetwork(page);
  await expect(page.getByText(t('shell.not_sent'))).toHaveCount(0);
  const again = await openPlace(page, title);
  await expect(again.getByRole('img', { name: title })).toBeVisible();
  await context.close();
});

test('what is no picture says so with the sentence of the specification, and nothing is sent', async ({ browser }) => {
  const shop = await sessionOf(RETAILER);
  const { customerId } = await sellPhone(shop.api, { firstName: 'Vijay', lastName: 'Kulkarni' });
  const { page, context, t } = await openApp(browser, shop);
  await page.goto(`/customer-documents?customer_id=${customerId}&document_type=invoice`);
  const sheet = page.getByRole('dialog', { name: t('my_data.type.invoice') });
  const pdf = { name: 'bill.jpg', mimeType: 'image/jpeg', buffer: Buffer.from('%PDF-1.7 not a picture') };
  await sheet.locator('[data-pick=file]').setInputFiles(pdf);
  await expect(page.getByText('Error loading image')).toBeVisible();
  await expect(sheet.getByText(t('documents.none'))).toBeVisible();
  await context.close();
});

test('a shop beside finds neither the customer’s documents nor the witness’s screen of an organisation that asks for none', async ({
  browser,
}) => {
  const [shop, mini] = [await sessionOf(RETAILER), await sessionOf(MINI_RETAILER)];
  const { customerId } = await sellPhone(shop.api, { firstName: 'Rohan', lastName: 'Patil' });
  const other = await openApp(browser, mini);
  await other.page.goto(`/customer-documents?customer_id=${customerId}`);
  await expect(other.page.getByText(other.t('states.not_found'), { exact: true })).toBeVisible();
  await other.context.close();
  const { page, context, t } = await openApp(browser, shop);
  await page.goto(`/witness-signature?customer_id=${customerId}`);
  await expect(page.getByText(t('documents.no_witness'), { exact: true })).toBeVisible();
  expect(await faultsOf(page)).toEqual([]);
  await context.close();
});
