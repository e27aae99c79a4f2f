// @vitest-environment jsdom
import { act, render, screen } from '@testing-library/react';
import { Provider } from 'react-redux';
import { MemoryRouter } from 'react-router';
import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import type { LockView } from '@kist/contract/customers';
import type { EmiDetails, Receipt } from '@kist/contract/emi';
import { api } from '#web/api/api.ts';
import { makeStore } from '#web/state/store.ts';
import { ReceiptSheet } from './receipt-sheet.tsx';

const underWay = (to: 'locked' | 'unlocked') => ({ to, state: 'QUEUED', since: '2026-04-10T05:30:00Z' });
let lock: Pick<LockView, 'lock_status' | 'pending'>;
beforeEach(() => {
  localStorage.setItem('token', 'T');
  vi.stubGlobal('fetch', async (request: Request | string) => {
    if (typeof request === 'string') return new Response('', { status: 404 });
    const isProfile = request.url.includes('customer_id=c');
    return Response.json({
      status: 200,
      response: 'success',
      message: '',
      data: isProfile ? { lock, customer: { language: 'en' } } : {},
    });
  });
});
afterEach(() => vi.unstubAllGlobals());

const receipt = {
  receipt_no: 'R-1',
  amount_paise: 1_000_00,
  paid_at: '2026-04-10T05:30:00Z',
  unlock: { command_id: 'u' },
  warnings: [],
  allocations: [],
  overdue_paise: 0,
  outstanding_paise: 0,
  overpaid: null,
  share_text: 'the message',
} as unknown as Receipt;
const details = {
  agreement: { customer_id: 'c', first_name: 'Savita', last_name: 'More', mobile: '', device: '', agreement_no: 'K-1' },
} as unknown as EmiDetails;

it('a receipt says that the phone is unlocked when the phone said so itself, and not while the unlock is under way', async () => {
  const store = makeStore();
  const learn = async (state: typeof lock) => {
    lock = state;
    await act(async () => {
      await store.dispatch(
        api.endpoints.read.initiate(
          { name: 'getCustomerProfile', input: { query: { customer_id: 'c' } } },
          { forceRefetch: true },
        ),
      );
    });
  };
  await learn({ lock_status: 1, pending: underWay('unlocked') });
  render(
    <Provider store={store}>
      <MemoryRouter>
        <ReceiptSheet receipt={receipt} details={details} onClose={() => undefined} />
      </MemoryRouter>
    </Provider>,
  );
  const words = () => screen.getByRole('status').textContent;
  expect(words()).toBe('emi.unlock_sent');
  await learn({ lock_status: 0, pending: underWay('locked') });
  expect(words()).toBe('emi.unlock_sent');
  await learn({ lock_status: 1, pending: null });
  expect(words()).toBe('emi.unlock_sent');
  await learn({ lock_status: 0, pending: null });
  expect(words()).toBe('emi.phone_unlocked');
});

it('what goes to the customer by WhatsApp is the receipt, line by line', () => {
  lock = { lock_status: 0, pending: null };
  render(
    <Provider store={makeStore()}>
      <MemoryRouter>
        <ReceiptSheet
          receipt={{ ...receipt, unlock: null, outstanding_paise: 2_000_00 }}
          details={details}
          onClose={() => undefined}
        />
      </MemoryRouter>
    </Provider>,
  );
  const href = new URL(screen.getByRole('link', { name: 'common.whatsapp' }).getAttribute('href')!);
  expect(href.searchParams.get('text')).toMatch(
    /emi\.receipt R-1\nemi\.amount: ₹1,000\nshell\.customer: Savita More\n.*emi\.still_left: ₹2,000/s,
  );
});
