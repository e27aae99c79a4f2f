import path from 'node:path';
import { type Browser, type Page, expect, test } from '@playwright/test';
import { type App, openApp } from '#e2e/support/app.ts';
import { RETAILER, type SignedIn, sessionOf } from '#e2e/support/sign-in.ts';
import { TEST_LANGUAGES, type TestLanguage } from '#e2e/support/words.ts';
import { behind } from './behind.ts';
import { type Cast, castOf } from './cast.ts';
import { inside } from './inside.ts';
import { lab, outside, visitors } from './outside.ts';
import { seldom } from './seldom.ts';

/** One picture: how to get there; the page is then as it should be photographed. */
export interface Scene {
  screen: string;
  state: string;
  open: (app: App, cast: Cast) => Promise<void>;
}

const SIZES = ['360x640', '820x1180', '1280x800'] as const;
const THEMES = ['light', 'dark'] as const;
const wanted = (process.env['KIST_SCREENS'] ?? 'all').split(' ');
const isWanted = (name: string, all: readonly string[]) =>
  wanted.includes(name) || !all.some((other) => wanted.includes(other));

const SCREENS = [...outside, ...lab, ...inside, ...behind, ...seldom, ...visitors.flatMap(({ scenes }) => scenes)].map(
  ({ screen }) => screen,
);

const viewportOf = (size: string) => {
  const [width = 360, height = 640] = size.split('x').map(Number);
  return { width, height };
};

/** Waits until fonts are there, then keeps the picture of the whole page: the window grows, so that bars stay at its edges. */
async function photograph(page: Page, file: string): Promise<void> {
  await page.evaluate(() => document.fonts.ready);
  const { width = 360, height = 640 } = page.viewportSize() ?? {};
  const tall = await page.evaluate(() => (document.querySelector('dialog[open]') ? 0 : document.body.scrollHeight));
  if (tall > height) await page.setViewportSize({ width, height: Math.min(tall, 4000) });
  await page.screenshot({ path: path.join('artifacts', 'screens', `${file}.png`), animations: 'disabled' });
}

/** Every picture is a first visit, and its news would stand before the screen's own lower end. */
async function closeNews({ page, t }: App): Promise<void> {
  const news = page.getByRole('status').filter({ hasText: t('shell.offline_ready') });
  const close = news.getByRole('button', { name: t('common.close') });
  if (await page.locator('dialog[open]').count()) return;
  if (await close.isVisible()) await close.click();
}

interface Look {
  size: string;
  theme: (typeof THEMES)[number];
  language: TestLanguage;
}

async function walk(browser: Browser, who: SignedIn | null, look: Look, scenes: readonly Scene[], cast: Cast) {
  const failed: string[] = [];
  for (const { screen, state, open } of scenes.filter((one) => isWanted(one.screen, SCREENS))) {
    const app = await openApp(browser, who, { ...look, viewport: viewportOf(look.size) });
    // What is not there is told, and the walk goes on.
    app.page.setDefaultTimeout(15_000);
    const file = [screen, state, look.size, look.theme, look.language].join('-');
    await open(app, cast).catch((error: Error) => failed.push(`${file}: ${error.message.split('\n')[0]}`));
    await closeNews(app);
    await photograph(app.page, file);
    await app.context.close();
  }
  expect(failed).toEqual([]);
}

let cast: Cast;
let shop: SignedIn;
test.beforeAll(async () => {
  test.setTimeout(300_000);
  shop = await sessionOf(RETAILER);
  cast = await castOf(shop);
});

for (const size of SIZES.filter((one) => isWanted(one, SIZES))) {
  for (const theme of THEMES.filter((one) => isWanted(one, THEMES))) {
    for (const language of TEST_LANGUAGES.filter((one) => isWanted(one, TEST_LANGUAGES))) {
      const look = { size, theme, language };
      test(`screens ${size} ${theme} ${language}`, async ({ browser }) => {
        test.setTimeout(900_000);
        await walk(browser, null, look, [...outside, ...lab], cast);
        await walk(browser, shop, look, [...inside, ...behind, ...seldom], cast);
        for (const { who, scenes } of visitors) await walk(browser, await sessionOf(who), look, scenes, cast);
      });
    }
  }
}
