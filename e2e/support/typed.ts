import { type Page, expect } from '@playwright/test';

/** The app waits for a pause in the typing before it keeps what was typed. */
const PAUSE_MS = 500;

/** Waits until what was typed into a form is kept on the disk, which takes a busy machine longer than any pause. */
export async function typedIsKept(page: Page): Promise<void> {
  await page.waitForTimeout(PAUSE_MS);
  await expect.poll(() => page.evaluate(countDrafts), { timeout: 20_000 }).toBeGreaterThan(0);
}

/** Runs in the page. To open a store that is not there would make an empty one. */
async function countDrafts(): Promise<number> {
  if (!(await indexedDB.databases()).some(({ name }) => name === 'shop')) return 0;
  return new Promise((resolve, reject) => {
    const opened = indexedDB.open('shop');
    opened.onerror = () => reject(opened.error ?? new Error('the shop was not opened'));
    opened.onsuccess = () => {
      const counted = opened.result.transaction('drafts').objectStore('drafts').count();
      counted.onsuccess = () => {
        opened.result.close();
        resolve(counted.result);
      };
    };
  });
}
