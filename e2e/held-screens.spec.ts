import { type Page, expect, test } from '@playwright/test';
import { LANGUAGES } from '@kist/contract/codes';
import { demoCall } from './support/base-url.ts';

test.use({ viewport: { width: 320, height: 640 } });

for (const language of LANGUAGES) {
  test(`every restricted screen has the emergency call in sight, at any size of text (${language})`, async ({
    page,
  }) => {
    const { names } = await demoCall<{ names: string[] }>('GET', '/lab/screens');
    expect(names.length).toBeGreaterThan(10);
    for (const name of names) {
      await page.goto(`/lab/screen?name=${name}&language=${language}&text=100`);
      for (const text of ['100', '200']) {
        // As the page itself is written at this size.
        await page.evaluate((size) => (document.querySelector('.screen')!.className = `screen text-${size}`), text);
        const seen = await page.locator('.emergency').evaluateAll((buttons) =>
          buttons.map((button) => {
            const { left, top, right, bottom, height } = button.getBoundingClientRect();
            const isInside = left >= 0 && top >= 0 && right <= innerWidth && bottom <= innerHeight;
            // Touched in the middle and near each corner, it is the button that is touched.
            const isFree = [0.1, 0.5, 0.9].every((x) =>
              [0.2, 0.5, 0.8].every((y) => {
                const at = document.elementFromPoint(left + (right - left) * x, top + (bottom - top) * y);
                return at !== null && button.contains(at);
              }),
            );
            const isWhole = button.scrollWidth <= button.clientWidth && button.scrollHeight <= button.clientHeight;
            return { isInside, isFree, isWhole, isLarge: height >= 36, has112: button.textContent?.includes('112') };
          }),
        );
        expect(seen, `${name} at ${text} %`).toEqual([
          { isInside: true, isFree: true, isWhole: true, isLarge: true, has112: true },
        ]);
        expect(await cutBoxes(page), `${name} at ${text} %: nothing stands outside to the right`).toEqual([]);
      }
    }
  });

  test(`from the first reminder on its holder reaches "paid" and "wrong", at any size of text (${language})`, async ({
    page,
  }) => {
    const { reminders } = await demoCall<{ reminders: string[] }>('GET', '/lab/screens');
    expect(reminders.length).toBeGreaterThan(1);
    for (const name of [...reminders, 'apps', 'kiosk'])
      for (const text of ['100', '200']) {
        await page.goto(`/lab/screen?name=${name}&language=${language}&text=${text}`);
        const buttons = page.locator('.pair button');
        await expect(buttons, `${name} at ${text} %`).toHaveCount(2);
        for (const button of await buttons.all()) {
          await button.scrollIntoViewIfNeeded();
          // Playwright touches it where it stands, and fails where something else would be touched.
          await button.click({ trial: true });
          const isWhole = await button.evaluate(
            ({ scrollWidth, clientWidth, scrollHeight, clientHeight }) =>
              scrollWidth <= clientWidth && scrollHeight <= clientHeight && clientHeight >= 36,
          );
          expect(isWhole, `${name} at ${text} %`).toBe(true);
        }
        expect(await cutBoxes(page), `${name} at ${text} %: nothing stands outside to the right`).toEqual([]);
      }
  });
}

/** What is wider than its place. */
const cutBoxes = (page: Page): Promise<string[]> =>
  page
    .locator('.held, .launcher, .sheet, .card, .cards')
    .evaluateAll((boxes) => boxes.filter((box) => box.scrollWidth > box.clientWidth).map((box) => box.className));
