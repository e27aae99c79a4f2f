import { expect, test } from '@playwright/test';
import { openApp } from './support/app.ts';
import { CUSTOMER, RETAILER, sessionOf } from './support/sign-in.ts';
import { SPOKEN } from './support/words.ts';

const ANSWER = 'The receipt is of another month';

test('a customer complains about one EMI, the shop answers on the customer’s page, the customer reads it and takes it further', async ({
  browser,
}) => {
  const language = SPOKEN;
  const session = await sessionOf(CUSTOMER);
  const customer = await openApp(browser, session, { language });
  const { page: own, t: tOwn } = customer;
  await own.goto('/my-emi');
  await own.getByRole('button', { name: tOwn('dispute.start_own') }).click();
  const asking = own.getByRole('dialog', { name: tOwn('dispute.start_own') });
  const words = 'I paid at the counter';
  const which = asking.getByLabel(tOwn('dispute.which'));
  await expect(which).toBeVisible();
  await which.selectOption({ index: (await which.locator('option').count()) - 1 });
  await asking.getByRole('button', { name: tOwn('common.save') }).click();
  await expect(asking.getByText(tOwn('field.required'))).toBeVisible();
  await asking.getByLabel(tOwn('dispute.text_own')).fill(words);
  await asking.getByRole('button', { name: tOwn('common.save') }).click();
  const ownCard = own.getByRole('region', { name: tOwn('dispute.open') }).filter({ hasText: words });
  await expect(ownCard).toContainText(tOwn('dispute.state_open'));
  await expect(ownCard).toContainText(tOwn('dispute.no_lock'));
  const { customer_id: customerId } = await session.api.call('getUserAccess');

  const { page, context, t } = await openApp(browser, await sessionOf(RETAILER), { language });
  await page.goto(`/customers/${customerId}`);
  const card = page.getByRole('region', { name: t('dispute.open') }).filter({ hasText: words });
  await card.getByRole('button', { name: t('dispute.close') }).click();
  const sheet = page.getByRole('dialog', { name: t('dispute.close') });
  await sheet.getByRole('button', { name: t('common.save') }).click();
  await expect(sheet.getByText(t('field.required'))).toBeVisible();
  await sheet.getByLabel(t('dispute.outcome')).fill(ANSWER);
  await sheet.getByRole('button', { name: t('common.save') }).click();
  await expect(page.getByText(t('dispute.closed'))).toBeVisible();
  await expect(card).toContainText(t('dispute.state_answered'));
  await expect(card.getByRole('button', { name: t('dispute.close') })).toHaveCount(0);

  await own.reload();
  await expect(ownCard).toContainText(ANSWER);
  await ownCard.getByRole('button', { name: tOwn('dispute.further') }).click();
  const further = own.getByRole('dialog', { name: tOwn('dispute.further') });
  await further.getByLabel(tOwn('dispute.further_text')).fill('It is of this one, see the date');
  await further.getByRole('button', { name: tOwn('common.save') }).click();
  await expect(ownCard).toContainText(tOwn('dispute.state_escalated'));
  await customer.context.close();
  await context.close();
});
