import { randomUUID } from 'node:crypto';
import { type Page, expect, test } from '@playwright/test';
import { LANGUAGES, LANGUAGE_TAGS } from '@kist/contract/codes';
import { type App, openApp } from './support/app.ts';
import { ARE_ALL_LOOKED_AT, faultsOf, faultsOfBoth, settled } from './support/axe.ts';
import { type Sold, newMobile, sellAndEnrol, sellPhone } from './support/customers.ts';
import { codeFor, messagesTo } from './support/messages.ts';
import { CUSTOMER, MINI_RETAILER, RETAILER, type SignedIn, sessionOf } from './support/sign-in.ts';

let shop: SignedIn;
let enrolled: Sold;
let waiting: Sold;
/** A shop below the one that looks. */
let below: string;
test.beforeAll(async () => {
  shop = await sessionOf(RETAILER);
  enrolled = await sellAndEnrol(shop.api, { firstName: 'Bhavna', lastName: 'Deshmukh' });
  waiting = await sellPhone(shop.api, { firstName: 'Harpreet', lastName: 'Singh' });
  below = (await shop.api.call('listUsers', { query: { state: 'active' } })).list[0]!.user_id;
});

/** Every route of the app inside the shell. */
const routes = (): string[] => [
  '/dashboard',
  '/customers',
  '/customers?search=nobody-of-this-name',
  `/customers/${enrolled.customerId}`,
  `/customer-navigate?customer_id=${waiting.customerId}`,
  '/add-customer',
  '/upcoming-emi',
  '/collections?days=14',
  `/view-emi-details/${enrolled.customerId}`,
  `/emi-details/${enrolled.customerId}`,
  `/emm-qr?customer_id=${waiting.customerId}`,
  `/signature?customer_id=${waiting.customerId}`,
  '/lock-rules',
  '/waiting',
  '/sessions',
  '/language',
  '/privacy-policy',
  '/signup-request',
  '/no-such-page',
];

/** Screens of now and then, looked at for barriers alone. */
const further = (): string[] => [
  '/retailers',
  `/retailers/${below}`,
  '/retailers/me',
  '/add-retailer',
  `/add-retailer?user_id=${below}`,
  `/customer-documents?customer_id=${waiting.customerId}`,
];

type Look = (page: Page) => Promise<string[]>;
async function check(app: App, paths: string[], look: Look): Promise<void> {
  const faults: Record<string, string[]> = {};
  for (const path of paths) {
    await settled(app.page, path);
    const found = await look(app.page);
    if (found.length > 0) faults[path] = found;
  }
  expect(faults).toEqual({});
}

// A language has no colours of its own: but where all ten are looked at, the dark is looked at once.
for (const [language, theme, look] of ARE_ALL_LOOKED_AT
  ? LANGUAGES.map((each) => [each, 'system', faultsOfBoth] as const)
  : ([
      ['en', 'system', faultsOfBoth],
      ['hn', 'light', faultsOf],
    ] as const))
  test(`no barrier on any screen, light or dark (axe, ${language})`, async ({ browser }) => {
    test.setTimeout(180_000);
    const looks = { language, theme };
    const app = await openApp(browser, shop, looks);
    await check(app, [...routes(), ...further()], look);
    expect(await app.page.evaluate(() => document.documentElement.lang)).toBe(LANGUAGE_TAGS[language]);
    await app.context.close();
    const own = await openApp(browser, await sessionOf(CUSTOMER), looks);
    await check(own, ['/my-emi', '/my-data'], look);
    await own.context.close();
    // A phone that signed in before is asked for its M-PIN.
    const outside = await openApp(browser, null, { ...looks, localStorage: { phone: '9000000099' } });
    await check(outside, ['/login', '/m-pin'], look);
    // Nobody's mobile is answered as everybody's, so no code goes out here.
    await settled(outside.page, '/login');
    await outside.page.getByLabel(outside.t('auth.mobile')).fill(newMobile());
    await outside.page.getByRole('button', { name: outside.t('auth.send_code') }).click();
    await expect(outside.page.getByLabel(outside.t('auth.otp_label'))).toBeVisible();
    expect(await look(outside.page)).toEqual([]);
    await outside.context.close();
  });

test('a barrier is seen whenever it is looked for, in a page that was looked at before and in another (axe)', async ({
  browser,
}) => {
  const page = await browser.newPage();
  const faint = async () => {
    const body = '<main><h1>Barriers</h1><p style="color: #bbb">faint</p></main>';
    await page.setContent(`<!doctype html><html lang="en"><title>Barriers</title><body>${body}</body></html>`);
  };
  const seen = async () => (await faultsOf(page)).map((fault) => fault.split(':')[0]);
  await faint();
  expect(await seen()).toEqual(['color-contrast']);
  await page.evaluate(() => document.querySelector('p')?.removeAttribute('style'));
  expect(await seen()).toEqual([]);
  await page.evaluate(() => document.querySelector('main')?.append(document.createElement('button')));
  expect(await seen()).toEqual(['button-name']);
  await page.goto('about:blank');
  await faint();
  expect(await seen()).toEqual(['color-contrast']);
  await page.close();
});

test('no barrier in the sheets over a screen (axe)', async ({ browser }) => {
  const untold = await sellPhone(shop.api, { firstName: 'Tara', lastName: 'Rao', isCodeLeft: true });
  const { page, context, t } = await openApp(browser, shop);
  await settled(page, `/view-emi-details/${enrolled.customerId}`);
  await page.getByRole('button', { name: t('emi.collect'), exact: true }).click();
  expect(await faultsOf(page)).toEqual([]);
  await settled(page, `/customers/${enrolled.customerId}`);
  await page.getByRole('button', { name: t('lock.lock'), exact: true }).click();
  await expect(page.locator('[data-rule]')).toBeVisible();
  expect(await faultsOf(page)).toEqual([]);
  await settled(page, `/customer-navigate?customer_id=${untold.customerId}`);
  await page.getByRole('button', { name: t('consent.collect') }).click();
  await expect(page.getByRole('dialog').getByRole('button', { name: t('consent.send_code') })).toBeVisible();
  expect(await faultsOf(page)).toEqual([]);
  await settled(page, '/dashboard');
  await page.getByRole('button', { name: t('shell.more') }).click();
  await expect(page.getByText(t('shell.logout'))).toBeVisible();
  expect(await faultsOf(page)).toEqual([]);
  await context.close();
});

test('login to dashboard by keyboard alone', async ({ browser }) => {
  const { page, context, t } = await openApp(browser, null);
  const known = await messagesTo(MINI_RETAILER);
  await page.goto('/login');
  await expect(page.getByLabel(t('auth.mobile'))).toBeVisible();
  await tabTo(page, t('auth.mobile'));
  await page.keyboard.type('12');
  await page.keyboard.press('Enter');
  await expect(page.getByText(t('field.mobile'))).toBeVisible();
  await expect(page.getByLabel(t('auth.mobile'))).toHaveAttribute('aria-invalid', 'true');
  await tabTo(page, t('auth.send_code'));
  const ring = await page.evaluate(() => {
    const style = getComputedStyle(document.activeElement!);
    return style.outlineStyle !== 'none' && Number.parseFloat(style.outlineWidth) >= 2;
  });
  expect(ring).toBe(true);
  await page.keyboard.press('Shift+Tab');
  await page.keyboard.press('Control+A');
  await page.keyboard.type(MINI_RETAILER);
  await page.keyboard.press('Enter');

  // The code's field has the focus already, and its last digit sends it.
  await expect(page.getByLabel(t('auth.otp_label'))).toBeFocused();
  await page.keyboard.type(await codeFor(MINI_RETAILER, known));
  for (const title of ['auth.mpin_set', 'auth.mpin_confirm'] as const) {
    await expect(page.getByRole('heading', { name: t(title) })).toBeVisible();
    // The field takes the keyboard at once; the pad's keys can be reached as well.
    await expect(page.getByLabel(t(title))).toBeFocused();
    await page.keyboard.type('39');
    for (const digit of '17') {
      await tabTo(page, digit);
      await page.keyboard.press('Enter');
    }
  }
  await expect(page).toHaveURL(/\/dashboard$/);
  await expect(page.getByText(t('dashboard.do_now'))).toBeVisible();
  await context.close();
});

/** Presses Tab until what has the focus is called so. */
async function tabTo(page: Page, name: string): Promise<void> {
  for (let press = 0; press < 20; press += 1) {
    await page.keyboard.press('Tab');
    const label = await page.evaluate(() => {
      const at = document.activeElement as HTMLInputElement | null;
      return at && at !== document.body
        ? `${at.labels?.[0]?.textContent ?? ''} ${at.textContent ?? ''} ${at.getAttribute('aria-label') ?? ''}`
        : '';
    });
    if (label.includes(name)) return;
  }
  throw new Error(`the keyboard does not reach ${name}`);
}

test('going to another screen moves the focus there and names it', async ({ browser }) => {
  const { page, context, t } = await openApp(browser, shop);
  await settled(page, '/dashboard');
  await page.getByRole('link', { name: t('shell.customers'), exact: true }).click();
  await expect(page).toHaveURL(/\/customers/);
  await expect
    .poll(() =>
      page.evaluate(
        () => document.activeElement?.closest('main, header, h1') !== null && document.activeElement !== document.body,
      ),
    )
    .toBe(true);
  await expect(page).toHaveTitle(new RegExp(t('customers.title')));
  await context.close();
});

/** Below this a word of a title is broken into letters. */
const TITLE_PX = 120;
/** Narrowest title, and what share of the screen the header that stays takes. */
const headerOf = (page: Page) =>
  page.evaluate(() => ({
    title: document.getElementById('screen-title')?.getBoundingClientRect().width ?? Infinity,
    share: (document.querySelector('header')?.getBoundingClientRect().height ?? 0) / window.innerHeight,
  }));

/** What of the page reaches beyond the screen, and neither scrolls by itself nor can be brought into sight. */
const cutOff = (page: Page) =>
  page.evaluate(() =>
    [...document.querySelectorAll<HTMLElement>('main *')]
      .filter(
        (one) => one.getBoundingClientRect().right > window.innerWidth + 1 && one.getBoundingClientRect().width > 2,
      )
      .filter((one) => {
        for (let at: Element | null = one; at; at = at.parentElement)
          if (['auto', 'scroll'].includes(getComputedStyle(at).overflowX)) return false;
        return true;
      })
      .map((one) => `${one.tagName} ${one.textContent.slice(0, 30)}`)
      .slice(0, 3),
  );

/** Words that run out of what is pressed, and names of the bar's places that end in dots. */
const spilled = (page: Page) =>
  page.evaluate(() => {
    const out = [...document.querySelectorAll<HTMLElement>('main button, main a')].filter(
      (one) => one.scrollWidth > one.clientWidth + 1 && one.clientWidth > 0,
    );
    const cut = [...document.querySelectorAll<HTMLElement>('nav span')].filter(
      (one) => one.scrollWidth > one.clientWidth && one.clientWidth > 0,
    );
    return [...out, ...cut].map((one) => one.textContent.slice(0, 30));
  });

/** By how much the page is wider than the screen. Asked again while it takes on its width, for what is cut off stays cut off. */
async function wider(page: Page): Promise<number> {
  let over = 0;
  for (let look = 0; look < 20; look += 1) {
    over = await page.evaluate(() => document.documentElement.scrollWidth - document.documentElement.clientWidth);
    if (over <= 0) return 0;
    await page.waitForTimeout(150);
  }
  return over;
}

test('at 320 px, and with text twice as large, nothing is cut off to the side', async ({ browser }) => {
  test.setTimeout(300_000);
  const wide: Record<string, number> = {};
  const { page, context } = await openApp(browser, shop, { language: 'hn', viewport: { width: 320, height: 640 } });
  for (const path of routes()) {
    await page.setViewportSize({ width: 320, height: 640 });
    await settled(page, path);
    const small = await wider(page);
    if (small > 0) wide[`320 px ${path}`] = small;
    await page.setViewportSize({ width: 360, height: 640 });
    await page.evaluate(() => (document.documentElement.style.fontSize = '32px'));
    const large = await wider(page);
    if (large > 0) wide[`200 % ${path}`] = large;
    for (const what of await cutOff(page)) wide[`200 % ${path}, cut off: ${what}`] = 1;
    const letters = await page.evaluate(() => Number.parseFloat(getComputedStyle(document.body).fontSize));
    if (letters !== 30) wide[`200 % ${path}, letters`] = letters;
    const { title, share } = await headerOf(page);
    if (title < TITLE_PX) wide[`200 % ${path}, width of the title`] = title;
    if (share > 0.6) wide[`200 % ${path}, height of the header`] = share;
  }
  await context.close();
  for (const language of ['hn', 'tg', 'bd'] as const) {
    const narrow = await openApp(browser, shop, { language, viewport: { width: 320, height: 640 } });
    for (const path of ['/dashboard', '/upcoming-emi']) {
      await settled(narrow.page, path);
      await narrow.page.evaluate(() => (document.documentElement.style.fontSize = '32px'));
      for (const what of await spilled(narrow.page)) wide[`200 % at 320 px ${language} ${path}, runs out: ${what}`] = 1;
    }
    await narrow.context.close();
  }
  const own = await sessionOf(CUSTOMER);
  const claim = { payment_id: randomUUID(), amount: 77_00, method: 'UPI' as const, reference: '', again: true };
  await own.api.call('claimPayment', { body: claim });
  for (const width of [360, 320]) {
    const { page, context } = await openApp(browser, own, { language: 'hn', viewport: { width, height: 640 } });
    await settled(page, '/my-emi');
    await page.evaluate(() => (document.documentElement.style.fontSize = '32px'));
    const over = await wider(page);
    if (over > 0) wide[`200 % my-emi ${width}`] = over;
    // A row of receipts with a letter a line is a tower.
    const tower = await page.evaluate(() =>
      Math.max(0, ...[...document.querySelectorAll('[role=group] button .block')].map((one) => one.clientHeight)),
    );
    if (tower > 200) wide[`200 % my-emi ${width}, lines of a row`] = tower;
    await context.close();
  }
  expect(wide).toEqual({});
});
