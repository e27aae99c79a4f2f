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

test('where the browser turns no screen the box lies down by itself, and what is drawn in it stands upright in the picture', async ({
  browser,
}) => {
  const shop = await sessionOf(RETAILER);
  const { customerId } = await sellPhone(shop.api, { firstName: 'Tara', lastName: 'Rane' });
  const { page, context, t } = await openApp(browser, shop);
  await context.addInitScript(() => Object.defineProperty(ScreenOrientation.prototype, 'lock', { value: undefined }));
  await page.goto(`/signature?customer_id=${customerId}`);
  await page.getByRole('button', { name: new RegExp(`^(${t('signature.new')}|${t('signature.replace')})$`) }).click();
  await page.getByRole('button', { name: t('signature.pad_empty') }).click();
  const empty = page.getByRole('img', { name: t('signature.pad_empty') });
  await expect(empty).toBeInViewport({ ratio: 1 });
  for (const name of [t('common.clear'), t('signature.done')])
    await expect(page.getByRole('button', { name, exact: true })).toBeInViewport({ ratio: 1 });
  const box = (await empty.boundingBox())!;
  expect(box.height).toBeGreaterThan(500);
  expect(box.height).toBeGreaterThan(2 * box.width);

  // Down the screen is along the line: from the left of the paper to its right, a third of its height from above.
  const x = box.x + box.width * (2 / 3);
  await page.mouse.move(x, box.y + box.height * 0.2);
  await page.mouse.down();
  await page.mouse.move(x, box.y + box.height * 0.8, { steps: 20 });
  await page.mouse.up();
  const signed = page.getByRole('img', { name: t('signature.pad_signed') });
  await expect(signed).toBeVisible();
  const ink = await signed.evaluate((element) => {
    const canvas = element as HTMLCanvasElement;
    const { width, height } = canvas;
    const { data } = canvas.getContext('2d')!.getImageData(0, 0, width, height);
    const inked = Array.from({ length: width * height }, (_, at) => at).filter((at) => data[at * 4]! < 128);
    const xs = inked.map((at) => (at % width) / width);
    const ys = inked.map((at) => Math.floor(at / width) / height);
    return [xs, ys].map((all) => [all.reduce((a, b) => Math.min(a, b)), all.reduce((a, b) => Math.max(a, b))]);
  });
  const [[left, right], [top, bottom]] = ink as [[number, number], [number, number]];
  expect(left).toBeCloseTo(0.2, 1);
  expect(right).toBeCloseTo(0.8, 1);
  expect(top).toBeCloseTo(1 / 3, 1);
  expect(bottom).toBeCloseTo(1 / 3, 1);

  // Whoever turns the phone after all has a paper that lies straight.
  await page.setViewportSize({ width: 640, height: 360 });
  await expect.poll(async () => ((await signed.boundingBox()) ?? box).height).toBeLessThan(360);
  await expect(signed).toBeInViewport({ ratio: 1 });
  await context.close();
});
