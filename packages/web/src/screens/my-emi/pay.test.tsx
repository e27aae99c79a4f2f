// @vitest-environment jsdom
import { fireEvent, render, screen } from '@testing-library/react';
import { Provider } from 'react-redux';
import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import type { EmiDetails } from '@kist/contract/emi';
import type { PayTo } from '@kist/contract/pay-to';
import { makeStore } from '#web/state/store.ts';
import { Pay } from './pay.tsx';

const details = {
  agreement: { customer_id: 'c', overdue_paise: 0 },
  instalments: [{ left_paise: 1_120_00 }],
  payments: [],
} as unknown as EmiDetails;
const pay = { shop: 'Sunita Mobile', upi_id: 'sunita@upi', amount_paise: 1_120_00, agreement_no: '20-1' } as PayTo;

// jsdom opens no app.
const stay = (event: Event) => event.preventDefault();
beforeEach(() => {
  window.addEventListener('click', stay);
  vi.stubGlobal('fetch', async () => new Response('', { status: 404 }));
});
afterEach(() => {
  window.removeEventListener('click', stay);
  vi.unstubAllGlobals();
});

it('each press of the UPI link is a transfer of its own: no reference is given to a UPI app twice', () => {
  render(
    <Provider store={makeStore()}>
      <Pay details={details} pay={pay} />
    </Provider>,
  );
  const given = [1, 2, 3].map(() => {
    const link = screen.getByRole('link', { name: /mine\.pay_upi/ });
    const reference = new URL(link.getAttribute('href')!).searchParams.get('tr');
    fireEvent.click(link);
    return reference;
  });
  expect(given).not.toContain(null);
  expect(new Set(given).size).toBe(3);
});
