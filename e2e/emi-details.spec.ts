import { type Page, expect, test } from '@playwright/test';
import { openApp } from './support/app.ts';
import { sellAndEnrol } from './support/customers.ts';
import { codeFor, messagesTo } from './support/messages.ts';
import { RETAILER, sessionOf } from './support/sign-in.ts';
import { TEST_LANGUAGES, type Words } from './support/words.ts';

/** The numbers of the EMIs as the screen counts them: what each row begins with. */
const numbersOn = async (page: Page, t: Words): Promise<string[]> => {
  const rows = await page
    .getByRole('group', { name: t('emi.schedule') })
    .locator('> div')
    .allInnerTexts();
  return rows.map((text) => text.split('\n')[0]!.trim());
};

for (const language of TEST_LANGUAGES)
  test(`EMIs are changed: shown first, agreed to by the customer’s OTP where more falls due, and counted from 1 after it (${language})`, async ({
    browser,
  }) => {
    const shop = await sessionOf(RETAILER);
    const sold = await sellAndEnrol(shop.api, { firstName: 'Nirmala', lastName: 'Kamble', language });
    const { customerId: customer_id, mobile } = sold;
    const details = () => shop.api.call('getEmiDetails', { body: { customer_id } });
    const [first] = (await details()).instalments;
    await shop.api.call('updateEmiStatus', {
      body: { instalment_id: first!.instalment_id, amount: 500_00, method: 'CASH' },
    });
    const { page, context, t } = await openApp(browser, shop, { language });
    const tenure = page.getByLabel(t('emi_edit.tenure'), { exact: true }).and(page.getByRole('textbox'));
    const reason = page.getByLabel(t('cancel.reason'));
    const figures = page.getByRole('row', { name: new RegExp(`^${t('emi.one_emi')} `) });

    // By the button of the customer's page. As they stand there is nothing to change, which is said.
    await page.goto(`/customers/${customer_id}`);
    await page.getByRole('link', { name: t('emi_edit.title') }).click();
    await expect(tenure).toHaveValue('3');
    await expect(page.getByText(t('emi_edit.same'))).toBeVisible();
    await page.getByRole('button', { name: t('emi_edit.save') }).click();
    await expect(page.getByText(t('field.required'))).toBeVisible();
    await reason.fill('Pays less a week');
    await page.getByRole('button', { name: t('emi_edit.save') }).click();
    await expect(page.getByText(t('errors.SCHEDULE_UNCHANGED'))).toBeVisible();

    // Less a week asks nobody.
    await tenure.fill('6');
    await expect(figures).toContainText('₹250');
    await reason.fill('Pays less a week');
    const before = await messagesTo(mobile);
    await page.getByRole('button', { name: t('emi_edit.save') }).click();
    await expect(page).toHaveURL(/view-emi-details/);
    await expect.poll(() => numbersOn(page, t)).toEqual(['1', '2', '3', '4', '5', '6', '7']);
    await expect.poll(async () => (await messagesTo(mobile)).length).toBe(before.length + 1);

    // Sooner is more on some day: the customer's own OTP, about these very terms.
    await page.goto(`/emi-details/${customer_id}`);
    await tenure.fill('2');
    await expect(figures).toContainText('₹750');
    await expect(page.getByText(t('emi_edit.needs_code'))).toBeVisible();
    await expect(page.getByRole('button', { name: t('emi_edit.save') })).toHaveCount(0);
    await reason.fill('Wants to be done sooner');
    const known = await messagesTo(mobile);
    await page.getByRole('button', { name: t('consent.send_code') }).click();
    const code = await codeFor(mobile, known);
    await page.getByLabel(t('auth.otp_label')).fill(code === '111111' ? '222222' : '111111');
    await expect(page.getByText(t('errors.OTP_INVALID'))).toBeVisible();
    expect((await details()).instalments).toHaveLength(7);
    await page.getByLabel(t('auth.otp_label')).fill(code);
    await expect(page).toHaveURL(/view-emi-details/);
    await expect.poll(() => numbersOn(page, t)).toEqual(['1', '2', '3']);
    expect((await details()).instalments.map(({ no, total_paise }) => [no, total_paise])).toEqual([
      [1, 500_00],
      [11, 750_00],
      [12, 750_00],
    ]);
    await context.close();
  });
