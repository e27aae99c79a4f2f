import AxeBuilder from '@axe-core/playwright';
import { type Page, expect } from '@playwright/test';

const RULES = ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa'];

/** The screen is drawn and nothing loads any more. */
export async function settled(page: Page, path: string): Promise<void> {
  await page.goto(path);
  await expect(page.locator('h1').first()).toBeVisible();
  await expect(page.locator('[aria-busy=true]')).toHaveCount(0);
  await expect(page.locator('main .animate-pulse')).toHaveCount(0);
}

/** Every barrier on the page as it stands. In one go, without a blank page more for what would come from frames: the app has none. */
export async function faultsOf(page: Page): Promise<string[]> {
  expect(page.frames()).toHaveLength(1);
  const { violations } = await new AxeBuilder({ page }).setLegacyMode().withTags(RULES).analyze();
  return violations.flatMap(({ id, nodes }) =>
    nodes.map((node) => `${id}: ${node.target.join(' ')} ${node.any[0]?.message ?? ''}`),
  );
}

/** Every barrier in the light and in the dark, of an app that follows the phone (`theme: 'system'`). */
export async function faultsOfBoth(page: Page): Promise<string[]> {
  const faults: string[] = [];
  for (const colorScheme of ['light', 'dark'] as const) {
    await page.emulateMedia({ colorScheme });
    await expect
      .poll(() => page.evaluate(() => document.documentElement.classList.contains('dark')))
      .toBe(colorScheme === 'dark');
    faults.push(...(await faultsOf(page)).map((fault) => `${colorScheme}: ${fault}`));
  }
  return faults;
}
