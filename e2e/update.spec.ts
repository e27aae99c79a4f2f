import { type Route, expect, test } from '@playwright/test';
import { openApp } from './support/app.ts';
import { NEWER_MARK, deploy } from './support/newer-build.ts';
import { RETAILER, sessionOf } from './support/sign-in.ts';

/** The app looks for a newer build by itself this often. */
const LOOK_MINUTES = 15;

for (const visit of ['first', 'later'] as const)
  test(`a newer build is offered, takes over when Reload is pressed and never by itself (${visit} visit)`, async ({
    browser,
  }) => {
    const shop = await sessionOf(RETAILER);
    const { origin, release, close } = await deploy();
    const { page, context, t } = await openApp(browser, shop, { origin });
    await page.clock.install();
    await page.goto('/add-customer');
    await expect(page.getByText(t('shell.offline_ready'))).toBeVisible();
    await page.getByRole('button', { name: t('common.close') }).click();
    if (visit === 'later') await page.reload();
    await page.getByLabel(t('add.first_name')).fill('Sangeeta');

    release();
    await page.clock.fastForward((LOOK_MINUTES + 1) * 60_000);
    await expect(page.getByText(t('shell.update'))).toBeVisible();
    // What is being typed is not taken away, however long the offer stands.
    await page.clock.fastForward(3_600_000);
    await expect(page.getByText(t('shell.update'))).toBeVisible();
    await expect(page.getByLabel(t('add.first_name'))).toHaveValue('Sangeeta');
    await expect(page.locator(NEWER_MARK)).toHaveCount(0);

    await page.getByRole('button', { name: t('shell.reload') }).click();
    await expect(page.locator(NEWER_MARK)).toHaveCount(1);
    await expect(page.getByLabel(t('add.first_name'))).toHaveValue('Sangeeta');
    await expect(page.getByText(t('shell.update'))).toHaveCount(0);
    await context.close();
    close();
  });

/** The server's own answer, but that it speaks with apps of another age. */
async function tooNew(route: Route): Promise<void> {
  const answer = await route.fetch();
  const body = (await answer.json()) as { data: object };
  await route.fulfill({ response: answer, json: { ...body, data: { ...body.data, min_app_version: '99.0.0' } } });
}

test('an app that its server is too new for says so everywhere, and takes the newer build with the form in it', async ({
  browser,
}) => {
  const { origin, release, close } = await deploy();
  const { page, context, t } = await openApp(browser, await sessionOf(RETAILER), { origin });
  await page.goto('/add-customer');
  await expect(page.getByText(t('shell.offline_ready'))).toBeVisible();
  await expect(page.getByText(t('shell.too_old'))).toHaveCount(0);

  release();
  await context.route('**/api/config/get_app_configs', tooNew);
  await page.reload();
  await expect(page.getByRole('alert').filter({ hasText: t('shell.too_old') })).toBeVisible();
  await page.getByLabel(t('add.first_name')).fill('Sangeeta');
  await page.getByLabel(t('add.last_name')).fill('Pawar');
  await expect(page.locator(NEWER_MARK)).toHaveCount(0);
  await page
    .getByRole('alert')
    .locator('..')
    .getByRole('button', { name: t('shell.reload') })
    .click();
  await expect(page.locator(NEWER_MARK)).toHaveCount(1);
  await expect(page.getByLabel(t('add.first_name'))).toHaveValue('Sangeeta');
  await expect(page.getByLabel(t('add.last_name'))).toHaveValue('Pawar');
  // The app asks for it again and again: an answer that is under way when the page goes is nobody's fault.
  await context.unrouteAll({ behavior: 'ignoreErrors' });
  await context.close();

  // Whoever is not signed in is told too.
  const outside = await openApp(browser, null, { origin });
  await outside.context.route('**/api/config/get_app_configs', tooNew);
  await outside.page.goto('/login');
  await expect(outside.page.getByText(t('shell.too_old'))).toBeVisible();
  await outside.context.unrouteAll({ behavior: 'ignoreErrors' });
  await outside.context.close();
  close();
});

test('what is kept for offline names no organisation: manifest and icons come from the server', async ({ browser }) => {
  const { page, context } = await openApp(browser, await sessionOf(RETAILER));
  await page.goto('/dashboard');
  await page.evaluate(() => navigator.serviceWorker.ready);
  const keptUrls = () =>
    page.evaluate(async () => {
      const names = await caches.keys();
      const kept = await Promise.all(names.map(async (name) => (await caches.open(name)).keys()));
      return kept.flat().map((request) => new URL(request.url).pathname);
    });
  await expect.poll(keptUrls).toContain('/index.html');
  expect((await keptUrls()).filter((path) => /manifest|icons/.test(path))).toEqual([]);
  await context.close();
});
