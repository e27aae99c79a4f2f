// @vitest-environment jsdom
import { fireEvent, render, screen } from '@testing-library/react';
import { Provider } from 'react-redux';
import { MemoryRouter } from 'react-router';
import { afterEach, expect, it, vi } from 'vitest';
import type { EmiDetails } from '@kist/contract/emi';
import { startI18n } from '#web/i18n/i18n.ts';
import { makeStore } from '#web/state/store.ts';
import { PaymentList } from './payment-list.tsx';

afterEach(() => vi.unstubAllGlobals());

const details = {
  agreement: {
    customer_id: 'c',
    first_name: 'Savita',
    last_name: 'More',
    mobile: '9',
    device: '',
    agreement_no: 'K-1',
  },
  payments: [
    {
      payment_id: 'p',
      state: 'posted',
      receipt_no: 'R-1',
      amount_paise: 1_000_00,
      paid_at: '2026-04-10T05:30:00Z',
      method: 'CASH',
      goes_to: 'dues',
      reference: '',
      allocations: [],
    },
  ],
} as unknown as EmiDetails;

it('a receipt that is given again goes to the customer in the customer’s language, and is printed in the shop’s', async () => {
  vi.stubGlobal('fetch', async (request: Request | string) => {
    if (typeof request === 'string')
      return Response.json({ common: { close: 'x' }, emi: { receipt: request.includes('mr') ? 'पावती' : 'Receipt' } });
    const data = request.url.includes('customer_id=') ? { customer: { language: 'mr' } } : { user_type: 'retailer' };
    return Response.json({ status: 200, response: 'success', message: '', data });
  });
  await startI18n();
  render(
    <Provider store={makeStore()}>
      <MemoryRouter>
        <PaymentList details={details} />
      </MemoryRouter>
    </Provider>,
  );
  fireEvent.click(screen.getByRole('button', { name: /1,000/ }));
  const words = () =>
    new URL(screen.getByRole('link', { name: 'common.whatsapp' }).getAttribute('href')!).searchParams.get('text');
  await vi.waitFor(() => expect(words()).toContain('पावती R-1'));
  expect(document.querySelector('.printed')).toHaveTextContent('Receipt R-1');
});
