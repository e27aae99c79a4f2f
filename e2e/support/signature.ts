import { type Page, expect } from '@playwright/test';
import type { Words } from './words.ts';

/** Signs by finger: the paper takes the whole screen, one stroke, done. */
export async function sign(page: Page, t: Words): Promise<void> {
  await page.getByRole('button', { name: t('signature.pad_empty') }).click();
  const pad = page.getByRole('img', { name: t('signature.pad_empty') });
  await expect(pad).toBeInViewport({ ratio: 1 });
  const box = (await pad.boundingBox())!;
  // On a screen that stays upright the paper lies a quarter of a turn to the right.
  const isTurned = box.height > box.width;
  const at = (x: number, y: number) =>
    isTurned
      ? ([box.x + box.width * (1 - y), box.y + box.height * x] as const)
      : ([box.x + box.width * x, box.y + box.height * y] as const);
  await page.mouse.move(...at(0.2, 0.6));
  await page.mouse.down();
  for (const [x, y] of [
    [0.3, 0.3],
    [0.4, 0.7],
    [0.5, 0.35],
    [0.65, 0.65],
    [0.8, 0.5],
  ] as const)
    await page.mouse.move(...at(x, y), { steps: 4 });
  await page.mouse.up();
  await expect(page.getByRole('img', { name: t('signature.pad_signed') })).toBeVisible();
  await page.getByRole('button', { name: t('signature.done') }).click();
  await expect(page.getByRole('button', { name: t('signature.pad_signed') })).toBeVisible();
}
