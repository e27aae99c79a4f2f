import AxeBuilder from '@axe-core/playwright';
import { type Page, expect, test } from '@playwright/test';
import { PHONE, openApp } from './support/app.ts';
import { BASE_URL } from './support/base-url.ts';
import { newMobile } from './support/customers.ts';
import { TEST_LANGUAGES } from './support/words.ts';

/** Opens login and holds all code of the app back. @returns lets it come */
async function openWithoutCode(page: Page): Promise<() => void> {
  let release = (): void => undefined;
  const isReleased = new Promise<void>((resolve) => (release = resolve));
  await page.route('**/assets/*.js', async (route) => {
    await isReleased;
    await route.continue();
  });
  await page.goto('/login', { waitUntil: 'commit' });
  await expect(page.locator('#front input')).toBeVisible();
  return release;
}

const appIsThere = (page: Page) => expect(page.locator('#front')).toHaveCount(0);

for (const language of TEST_LANGUAGES)
  test(`digits typed before the app's code has come stay in the field, with the caret among them (${language})`, async ({
    browser,
  }) => {
    const { page, context, t } = await openApp(browser, null, { language });
    const release = await openWithoutCode(page);
    await page.getByLabel(t('auth.mobile')).click();
    await page.keyboard.type('987654');
    await page.keyboard.press('ArrowLeft');
    release();
    await appIsThere(page);
    await expect(page.getByLabel(t('auth.mobile'))).toBeFocused();
    await page.keyboard.type('0');
    await expect(page.getByLabel(t('auth.mobile'))).toHaveValue('9876504');
    await context.close();
  });

test("a code asked for before the app's code has come is sent once it is there", async ({ browser }) => {
  const { page, context, t } = await openApp(browser, null);
  const release = await openWithoutCode(page);
  const asked: string[] = [];
  page.on('request', (request) => request.url().includes('loginWithOtp') && asked.push(request.url()));
  await page.getByLabel(t('auth.mobile')).fill(`+91 ${newMobile()}`);
  await page.getByRole('button', { name: t('auth.send_code') }).dblclick();
  await expect(page).toHaveURL(/\/login$/);
  release();
  await expect(page.getByLabel(t('auth.otp_label'))).toBeVisible();
  expect(asked).toHaveLength(1);
  await context.close();
});

test("a wrong number sent before the app's code has come is told, and stays to be mended", async ({ browser }) => {
  const { page, context, t } = await openApp(browser, null);
  const release = await openWithoutCode(page);
  await page.getByLabel(t('auth.mobile')).fill('12345');
  await page.keyboard.press('Enter');
  release();
  await expect(page.getByText(t('field.mobile'))).toBeVisible();
  await expect(page.getByLabel(t('auth.mobile'))).toHaveValue('12345');
  await context.close();
});

for (const isEarly of [true, false])
  test(`a second code asked too soon leads to the one on its way, and the seconds count down (${isEarly ? 'before' : 'after'} the app's code has come)`, async ({
    browser,
  }) => {
    // A worker that took over meanwhile would bring the code past the test's hand.
    const { page, context, t } = await openApp(browser, null, { hasWorker: false });
    const mobile = newMobile();
    await page.goto('/login');
    await page.getByLabel(t('auth.mobile')).fill(mobile);
    await page.getByRole('button', { name: t('auth.send_code') }).click();
    await expect(page.getByLabel(t('auth.otp_label'))).toBeVisible();
    await page.clock.install();
    const release = await openWithoutCode(page);
    if (!isEarly) {
      release();
      await appIsThere(page);
    }
    await page.getByLabel(t('auth.mobile')).fill(mobile);
    await page.keyboard.press('Enter');
    release();
    await expect(page.getByLabel(t('auth.otp_label'))).toBeVisible();
    await expect(page.getByText(new RegExp(t('auth.resend_in', { seconds: '\\d+' })))).toBeVisible();
    await page.clock.fastForward(60_000);
    await expect(page.getByRole('button', { name: t('auth.resend') })).toBeVisible();
    await context.close();
  });

for (const path of ['/login', '/customers'])
  test(`a first file of the app that is gone: ${path} says so and is loaded anew`, async ({ browser }) => {
    const { page, context, t } = await openApp(browser, null, { language: 'hn', hasWorker: false });
    await page.route('**/assets/*.js', (route) => route.fulfill({ status: 404 }));
    await page.goto(path);
    const told = page.getByRole('alert');
    await expect(told).toContainText(t('states.error_title'));
    await expect(told).toContainText(t('states.unexpected_body'));
    await expect(page.locator('#front, #shell')).toHaveCount(0);
    await page.unroute('**/assets/*.js');
    await told.getByRole('button', { name: t('shell.reload') }).click();
    await expect(page.getByLabel(t('auth.mobile'))).toBeVisible();
    await appIsThere(page);
    await context.close();
  });

test('a first file that no way leads to, and no words either: a button all the same', async ({ browser }) => {
  const { page, context } = await openApp(browser, null, { hasWorker: false });
  await page.route(/\/(assets|locales)\//, (route) => route.abort());
  await page.goto('/login');
  await expect(page.getByRole('alert').getByRole('button')).toHaveText('↻ Reload');
  await context.close();
});

test('a phone that signed in before is offered its M-PIN, and no field flashes up first', async ({ browser }) => {
  const { page, context } = await openApp(browser, null, { localStorage: { phone: '9000000099', mpin: '1' } });
  await page.route('**/assets/*.js', () => undefined);
  await page.goto('/login', { waitUntil: 'commit' });
  await expect(page.locator('#front h1')).toBeVisible();
  await expect(page.locator('#front input')).toBeHidden();
  await context.close();
});

test('the page comes with its organisation: the seal shows its initials before any code of the app, and keeps them', async ({
  browser,
}) => {
  const { page, context } = await openApp(browser, null, { hasWorker: false });
  const release = await openWithoutCode(page);
  const seal = page.locator('#front i');
  await expect(seal).toHaveCSS('background-image', 'none');
  await expect(seal).toHaveText(/^[A-Z]{1,2}$/);
  const known = (await seal.textContent())!;
  release();
  await appIsThere(page);
  await expect(page.locator('main')).toContainText(new RegExp(`^${known}`));
  await expect(page.locator('main img')).toHaveCount(0);
  await context.close();
});

test("until the organisation is known its seal shows the app's icon, then its own: it is never empty", async ({
  browser,
}) => {
  const { page, context } = await openApp(browser, null, { hasWorker: false });
  // A page from somewhere that knows no organisations: as it is built.
  await page.route('**/login', async (route) => {
    const response = await route.fetch();
    const body = (await response.text()).replace(/<meta name="brand" content="[^"]*"/, '<meta name="brand" content=""');
    await route.fulfill({ response, body });
  });
  let answer = (): void => undefined;
  const isAnswered = new Promise<void>((resolve) => (answer = resolve));
  await page.route(/get_org_app_config/, async (route) => {
    await isAnswered;
    await route.continue();
  });
  const release = await openWithoutCode(page);
  const seal = page.locator('#front i');
  await expect(seal).toHaveCSS('background-image', /icon\.svg/);
  release();
  await appIsThere(page);
  const icon = page.locator('main img');
  await expect(icon).toHaveAttribute('src', '/icons/icon.svg');
  expect(await icon.evaluate((image: HTMLImageElement) => image.naturalWidth)).toBeGreaterThan(0);
  answer();
  await expect(page.locator('main')).toContainText(/^[A-Z]{1,2}/);
  await expect(icon).toHaveCount(0);
  await openWithoutCode(page);
  // Known now: another organisation's page never flashes the app's icon.
  await expect(seal).toHaveCSS('background-image', 'none');
  await context.close();
});

for (const { theme, viewport } of [
  { theme: 'light', viewport: PHONE },
  { theme: 'dark', viewport: PHONE },
  { theme: 'light', viewport: { width: 1280, height: 800 } },
] as const)
  test(`the login that stands before the app's code has come looks and reads like the app's own (${theme}, ${viewport.width} wide)`, async ({
    browser,
  }) => {
    const { page, context, t } = await openApp(browser, null, { language: 'hn', theme, viewport });
    const release = await openWithoutCode(page);
    const parts = () =>
      Promise.all(
        [
          page.locator('h1').first(),
          page.getByLabel(t('auth.mobile')),
          page.getByRole('button', { name: t('auth.send_code') }),
        ].map((part) => part.boundingBox()),
      );
    const { violations } = await new AxeBuilder({ page })
      .withTags(['wcag2a', 'wcag2aa', 'wcag21aa', 'wcag22aa'])
      .analyze();
    expect(violations.map(({ id }) => id)).toEqual([]);
    const before = await parts();
    release();
    await appIsThere(page);
    // Nothing jumps from under the thumb: a pixel for rounding.
    for (const [at, box] of (await parts()).entries())
      for (const side of ['x', 'y', 'width', 'height'] as const)
        expect(Math.abs(box![side] - before[at]![side]), `${side} of part ${at}`).toBeLessThanOrEqual(1);
    await context.close();
  });

test('cookies that nobody can read do not keep the page blank', async ({ browser }) => {
  const { page, context, t } = await openApp(browser, null);
  for (const [name, value] of [
    ['i18next', '%'],
    ['theme', '%E0'],
    ['org', '%'],
  ] as const)
    await context.addCookies([{ name, value, url: BASE_URL }]);
  await page.goto('/login');
  await appIsThere(page);
  await expect(page.getByLabel(t('auth.mobile'))).toBeVisible();
  await context.close();
});
