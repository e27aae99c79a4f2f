import { expect, test } from '@playwright/test';
import { formatInr } from '@kist/contract/money-text';
import { openApp } from './support/app.ts';
import { today } from './support/clock.ts';
import { sellPhone } from './support/customers.ts';
import { sellWeekly } from './support/shop.ts';
import { MINI_RETAILER, RETAILER, sessionOf } from './support/sign-in.ts';
import { SPOKEN } from './support/words.ts';

test('days past due at a glance: the stretches add up with what is overdue, and each opens its own list', async ({
  browser,
}) => {
  const language = SPOKEN;
  const shop = await sessionOf(RETAILER);
  const day = await shop.api.call('getDashboard');
  const late = day.days_past_due.filter(({ dpd }) => dpd !== '0');
  expect(late.reduce((sum, one) => sum + one.paise, 0)).toBe(day.overdue.paise);
  expect(late.reduce((sum, one) => sum + one.customers, 0)).toBe(day.overdue.customers);
  const { page, context, t } = await openApp(browser, shop, { language });
  await page.goto('/dashboard');
  const card = page.getByRole('region', { name: t('dpd.title') });
  // The picture says the same in words.
  const inWords = await card.getByRole('img').getAttribute('aria-label');
  for (const { dpd, customers } of day.days_past_due.filter((one) => one.customers > 0))
    expect(inWords).toContain(`${t(`dpd.${dpd}`)}: ${t('dashboard.customers', { count: customers })}`);
  for (const { dpd, customers } of day.days_past_due) {
    await card.getByRole('link', { name: t(`dpd.${dpd}`) }).click();
    await expect(page).toHaveURL(new RegExp(`dpd=${dpd}`));
    await expect(page.getByRole('banner').getByText(t('customers.count', { count: customers }))).toBeVisible();
    await expect(page.getByRole('button', { name: t(`dpd.${dpd}`), exact: true })).toHaveAttribute(
      'aria-pressed',
      'true',
    );
    await page.goBack();
  }
  await context.close();
});

test('the large figure of Home is what today’s EMIs still owe, and a day of the coming week opens its own EMIs', async ({
  browser,
}) => {
  const shop = await sessionOf(RETAILER);
  const { customerId } = await sellWeekly(shop, 'Yashoda');
  const day = await shop.api.call('getDashboard');
  const { page, context, t } = await openApp(browser, shop);
  await page.goto('/dashboard');
  const toCollect = page.getByRole('link', { name: t('dashboard.to_collect', { count: day.today.customers }) });
  await expect(toCollect).toContainText(formatInr(day.today.left_paise));
  await toCollect.click();
  await expect(page.getByRole('button', { name: t('dues.today'), pressed: true })).toContainText(
    String(day.today.customers),
  );
  const { next_due_on: dueOn } = (await shop.api.call('listCustomers', { query: { customer_id: customerId } }))
    .list[0]!;
  const row = day.upcoming.find(({ due_on }) => due_on === dueOn)!;
  await page.goto('/dashboard');
  await page.locator(`a[href$="bucket=week&on=${dueOn}"]`).click();
  const sum = `${t('dashboard.emis', { count: row.customers })} · ${formatInr(row.paise)}`;
  await expect(page.getByText(sum)).toBeVisible();
  await page.reload();
  await expect(page.getByText(sum)).toBeVisible();
  await expect(page.getByText('Yashoda', { exact: false })).toBeVisible();
  await context.close();
});

test('what came in opens its payments, of today and of two weeks, and they add up with what Home says', async ({
  browser,
}) => {
  const shop = await sessionOf(RETAILER);
  const { customerId } = await sellWeekly(shop, 'Revati');
  const { instalments } = await shop.api.call('getEmiDetails', { body: { customer_id: customerId } });
  const { receipt_no: receipt } = await shop.api.call('updateEmiStatus', {
    body: { instalment_id: instalments[0]!.instalment_id, amount: 150_00, method: 'UPI', reference: 'UPI-REVATI-1' },
  });
  const { today: day, collections } = await shop.api.call('getDashboard');
  const { page, context, t } = await openApp(browser, shop);
  await page.goto('/dashboard');
  await page.locator('main a[href="/collections"]').click();
  const main = page.locator('main');
  await expect(main.getByText(formatInr(day.collected_paise)).first()).toBeVisible();
  const row = main.getByRole('link').filter({ hasText: receipt! });
  await expect(row).toContainText('Revati');
  await expect(row).toContainText(`₹150`);
  await row.click();
  await expect(page).toHaveURL(new RegExp(`/view-emi-details/${customerId}`));
  await page.goto('/dashboard');
  await page.locator(`main a[href="/collections?days=${collections.length}"]`).click();
  const inAll = collections.reduce((sum, { paise }) => sum + paise, 0);
  await expect(main.getByText(formatInr(inAll)).first()).toBeVisible();
  await expect(page.getByRole('button', { name: t('collections.days', { count: 14 }), pressed: true })).toBeVisible();
  await context.close();
});

test('money received says whose till holds what, of each shop too; from a payment one comes back to the day', async ({
  browser,
}) => {
  const [shop, mini] = [await sessionOf(RETAILER), await sessionOf(MINI_RETAILER)];
  const { customerId } = await sellWeekly(mini, 'Tarabai');
  const { instalments } = await mini.api.call('getEmiDetails', { body: { customer_id: customerId } });
  const { receipt_no: receipt } = await mini.api.call('updateEmiStatus', {
    body: { instalment_id: instalments[0]!.instalment_id, amount: 120_00, method: 'CASH', reference: '' },
  });
  const sellerId = mini.grant.user_id;
  const { takers } = await shop.api.call('listCollections');
  const theirs = takers.find(({ user_id }) => user_id === sellerId)!;
  expect(theirs.cash_paise).toBeGreaterThanOrEqual(120_00);
  const { page, context, t } = await openApp(browser, shop);
  await page.goto('/collections');
  await expect(page.getByRole('group', { name: t('collections.takers') })).toContainText(
    `${t('emi.pay_CASH')} ${formatInr(theirs.cash_paise)}`,
  );
  await page.getByLabel(t('collections.sold_by'), { exact: true }).selectOption(sellerId);
  await expect(page).toHaveURL(new RegExp(`sold_by=${sellerId}`));
  await page.locator('main').getByRole('link').filter({ hasText: receipt! }).click();
  await expect(page).toHaveURL(new RegExp(`/view-emi-details/${customerId}`));
  await page.reload();
  await page.getByRole('link', { name: t('common.back'), exact: true }).click();
  await expect(page).toHaveURL(new RegExp(`/collections\\?sold_by=${sellerId}`));
  await page.goto('/collections?on=2026-02-31');
  await expect(page.getByRole('status').filter({ hasText: t('collections.no_day') })).toBeVisible();
  await expect(page.getByLabel(t('collections.day'), { exact: true })).toHaveValue(await today());
  await context.close();
});

test('whose birthday is today is wished in their own language, by one press into WhatsApp', async ({ browser }) => {
  const shop = await sessionOf(RETAILER);
  // Whatever day another test moved the clock to. A leap year, for one of 29 February.
  const birthOn = `1992${(await today()).slice(4)}`;
  const { customerId } = await sellPhone(shop.api, { firstName: 'Jhanvi', lastName: 'Pawar', birthOn });
  const { birthdays } = await shop.api.call('getDashboard');
  const one = birthdays.find(({ customer_id }) => customer_id === customerId);
  const { page, context, t } = await openApp(browser, shop);
  await page.goto('/dashboard');
  const wish = page.getByRole('link', { name: new RegExp(`^${t('dashboard.wish')} ${one!.first_name.slice(0, 10)}`) });
  const href = new URL((await wish.first().getAttribute('href'))!);
  expect(href.origin + href.pathname).toBe(`https://wa.me/${one!.mobile.slice(1)}`);
  expect(href.searchParams.get('text')).toBe(one!.greeting);
  await context.close();
});

test('before all are reminded one reads the very words, how many get them which way, and who is left out and why', async ({
  browser,
}) => {
  const shop = await sessionOf(RETAILER);
  const preview = await shop.api.call('previewEmiAlert', { body: { filter: { due: 'overdue' } } });
  expect(preview.reminded).toBeGreaterThan(1);
  const { page, context, t } = await openApp(browser, shop);
  await page.goto('/upcoming-emi?bucket=overdue');
  await page.getByRole('button', { name: t('dues.remind_all', { count: preview.total }) }).click();
  const sheet = page.getByRole('dialog');
  for (const { text, sms } of preview.texts) {
    await expect(sheet.getByText(text)).toBeVisible();
    await expect(sheet.getByText(t('dues.by_sms', { n: sms })).first()).toBeVisible();
  }
  for (const { code, customers } of preview.left_out) {
    await sheet.getByText(t(`dues.out_${code}`)).click();
    await expect(sheet.getByText(customers[0]!.name).first()).toBeVisible();
  }
  await sheet.getByRole('button', { name: t('dues.remind_now', { count: preview.reminded }) }).click();
  await expect(sheet).toBeHidden();
  const after = await shop.api.call('previewEmiAlert', { body: { filter: { due: 'overdue' } } });
  expect(after.reminded).toBe(0);
  expect(after.left_out.find(({ code }) => code === 'REMINDED_ALREADY')?.count).toBeGreaterThanOrEqual(
    preview.reminded,
  );
  await context.close();
});
