import { expect, test } from '@playwright/test';
import { openApp } from './support/app.ts';
import { daysFrom, today } from './support/clock.ts';
import { expectLevel, getPhone } from './support/lab.ts';
import { sellDueTomorrow } from './support/shop.ts';
import { RETAILER, sessionOf } from './support/sign-in.ts';

test('the lab jumps to the next due date, the next notice and the next lock of a phone, and says where there is none', async ({
  browser,
}) => {
  test.setTimeout(180_000);
  const { phone } = await sellDueTomorrow(await sessionOf(RETAILER), 'Chandrakant');
  const dueOn = daysFrom(await today(), 1);
  const { page, context } = await openApp(browser, null);
  await page.goto(`/lab?phone=${phone.id}`);
  // Whose phone it is stands above its switches.
  await expect(page.getByRole('heading', { name: phone.name })).toBeVisible();
  const to = (what: 'due' | 'notice' | 'lock') => page.locator(`button[data-ahead="${what}"]`);
  const jump = async (what: 'due' | 'notice' | 'lock') => {
    const at = (await to(what).getAttribute('data-to'))!;
    await to(what).click();
    await expect
      .poll(async () => Date.parse((await getPhone(phone.id)).managed!.trusted_time), { timeout: 90_000 })
      .toBeGreaterThanOrEqual(Date.parse(at));
  };
  await jump('due');
  expect(await today()).toBe(dueOn);
  await expect(to('due')).toHaveCount(0);
  await jump('notice');
  expect(await today()).toBe(daysFrom(dueOn, 1));
  await jump('lock');
  await expectLevel(phone.id, 3, 30_000);
  await context.close();
});
