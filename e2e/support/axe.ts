import { type Page, expect } from '@playwright/test';
import axe, { type RunOptions } from 'axe-core';

/** `npm run barriers` looks at every screen and sheet in all ten languages, which takes half an hour; every run looks at two. */
export const ARE_ALL_LOOKED_AT = process.env['KIST_A11Y'] === 'all';

const RULES = ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa'];

/** The screen is drawn and nothing loads any more. */
export async function settled(page: Page, path: string): Promise<void> {
  await page.goto(path);
  await expect(page.locator('h1').first()).toBeVisible();
  await expect(page.locator('[aria-busy=true]')).toHaveCount(0);
  await expect(page.locator('main .animate-pulse')).toHaveCount(0);
}

/** Every barrier on the page as it stands. */
export const faultsOf = (page: Page): Promise<string[]> => found(page, { type: 'tag', values: RULES });

/** What hangs on colours: all that is otherwise in the dark than in the light, and no otherwise in another language. */
const ofColours = (page: Page): Promise<string[]> =>
  found(page, { type: 'rule', values: ['color-contrast', 'link-in-text-block'] });

/** Words that cannot be read on their ground. */
export const unreadableOn = (page: Page): Promise<string[]> =>
  found(page, { type: 'rule', values: ['color-contrast'] });

/** In one go, without a blank page more for what would come from frames: the app has none. What looks is half a megabyte, and goes into each document once. */
async function found(page: Page, runOnly: NonNullable<RunOptions['runOnly']>): Promise<string[]> {
  expect(page.frames()).toHaveLength(1);
  if (!(await page.evaluate(() => 'axe' in window))) await page.evaluate(axe.source);
  const options: RunOptions = { runOnly, resultTypes: ['violations'] };
  return page.evaluate(async (asked) => {
    const { axe: there } = window as unknown as { axe: typeof axe };
    const { violations } = await there.run(document, asked);
    return violations.flatMap(({ id, nodes }) =>
      nodes.map((node) => `${id}: ${node.target.join(' ')} ${node.any[0]?.message ?? ''}`),
    );
  }, options);
}

/** Every barrier in the light and in the dark, of an app that follows the phone (`theme: 'system'`). */
export async function faultsOfBoth(page: Page): Promise<string[]> {
  const faults: string[] = [];
  for (const [colorScheme, look] of [
    ['dark', ofColours],
    ['light', faultsOf],
  ] as const) {
    await page.emulateMedia({ colorScheme });
    await expect
      .poll(() => page.evaluate(() => document.documentElement.classList.contains('dark')))
      .toBe(colorScheme === 'dark');
    faults.push(...(await look(page)).map((fault) => `${colorScheme}: ${fault}`));
  }
  return faults;
}
