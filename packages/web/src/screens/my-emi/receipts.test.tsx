// @vitest-environment jsdom
import { fireEvent, render, screen, within } from '@testing-library/react';
import { Provider } from 'react-redux';
import { expect, it, vi } from 'vitest';
import type { EmiDetails } from '@kist/contract/emi';
import { makeStore } from '#web/state/store.ts';
import { Receipts } from './receipts.tsx';

const payment = (receipt_no: string, amount_paise: number) => ({
  payment_id: receipt_no,
  receipt_no,
  amount_paise,
  state: 'posted',
  goes_to: 'agreement',
  paid_at: '2026-03-13T08:00:00Z',
  method: 'UPI',
  reference: '',
  allocations: [],
});
const details = {
  agreement: {
    first_name: 'Asha',
    last_name: '',
    device: 'Redmi',
    agreement_no: 'K1',
    mobile: '+919812345678',
    outstanding_paise: 5_000_00,
  },
  payments: [payment('R2', 1_200_00), payment('R1', 1_100_00)],
} as unknown as EmiDetails;

it('a customer shares the own receipt with whomever, the picture first; it names the shop, and the newest says what is left', () => {
  vi.stubGlobal('fetch', async () => new Response('', { status: 404 }));
  render(
    <Provider store={makeStore()}>
      <Receipts details={details} shop="Asha Mobiles" />
    </Provider>,
  );
  fireEvent.click(screen.getByRole('button', { name: /R2/ }));
  const sheet = screen.getByRole('dialog');
  expect(within(sheet).getByText('Asha Mobiles')).toBeInTheDocument();
  expect(within(sheet).getByText('₹5,000')).toBeInTheDocument();
  const link = within(sheet).getByRole('link', { name: /common\.whatsapp/ });
  const href = new URL(link.getAttribute('href')!);
  expect(href.origin + href.pathname).toBe('https://wa.me/');
  expect(href.searchParams.get('text')).toMatch(
    /^Asha Mobiles\nemi\.receipt R2\n.*shell\.customer: Asha\n.*emi\.still_left: ₹5,000$/s,
  );
  const picture = within(sheet).getByRole('button', { name: 'emi.picture' });
  expect(picture.compareDocumentPosition(link)).toBe(Node.DOCUMENT_POSITION_FOLLOWING);
  fireEvent.click(within(sheet).getByRole('button', { name: 'common.close' }));
  fireEvent.click(screen.getByRole('button', { name: /R1/ }));
  expect(within(screen.getByRole('dialog')).queryByText('₹5,000')).toBeNull();
});
