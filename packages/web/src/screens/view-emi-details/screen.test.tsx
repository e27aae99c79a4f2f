// @vitest-environment jsdom
import { render, screen } from '@testing-library/react';
import { Provider } from 'react-redux';
import { MemoryRouter, Route, Routes } from 'react-router';
import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { makeStore } from '#web/state/store.ts';
import { Screen } from './screen.tsx';

/** One payment that the customer says was made, and one late fee that shall be given up. */
const details = {
  agreement: {
    customer_id: 'c',
    first_name: 'Savita',
    last_name: 'More',
    mobile: '+919812345678',
    agreement_no: '20-1',
    state: 'active',
    overdue_paise: 0,
    penal_left_paise: 0,
    outstanding_paise: 1_120_00,
    next_due_on: '2026-04-10',
    paid_count: 0,
    tenure: 1,
  },
  instalments: [
    {
      instalment_id: 'i1',
      no: 1,
      place: 1,
      state: 'upcoming',
      left_paise: 1_120_00,
      total_paise: 1_120_00,
      principal_paise: 1_000_00,
      interest_paise: 120_00,
      fee_paise: 0,
      penal_paise: 0,
      due_on: '2026-04-10',
    },
  ],
  payments: [
    {
      payment_id: 'said',
      state: 'claimed',
      goes_to: 'dues',
      amount_paise: 50_00,
      method: 'UPI',
      reference: '4123',
      paid_at: '2026-04-09T05:30:00Z',
    },
  ],
  charges: [
    {
      charge_id: 'f',
      charged_on: '2026-03-04',
      instalment_place: 1,
      asked: { waiver_id: 'w', amount_paise: 70_00, reason: 'was ill', asked_by: 'Ravi', is_own: false },
    },
  ],
  chargeable: null,
};

let userType = 'retailer';
beforeEach(() => {
  localStorage.setItem('token', 'T');
  vi.stubGlobal('fetch', async (request: Request | string) => {
    if (typeof request === 'string') return new Response('', { status: 404 });
    const data = request.url.endsWith('get_emi_details') ? details : { user_type: userType, feature_access: '1' };
    return Response.json({ status: 200, response: 'success', message: '', data });
  });
});
afterEach(() => vi.unstubAllGlobals());

const open = (state?: object) =>
  render(
    <Provider store={makeStore()}>
      <MemoryRouter initialEntries={[{ pathname: '/c', state }]}>
        <Routes>
          <Route path="/:customer_id" element={<Screen />} />
        </Routes>
      </MemoryRouter>
    </Provider>,
  );
const back = () => screen.getByRole('link', { name: 'common.back' });
const answers = () => screen.queryAllByRole('button', { name: /emi\.claim_(yes|no)|penalty\.refuse/ });

it('what waits for the shop’s word is answered by the shop, never by the customer who said it', async () => {
  userType = 'retailer';
  const { unmount } = open();
  await screen.findByRole('button', { name: 'emi.collect' });
  expect(answers()).toHaveLength(3);
  unmount();

  userType = 'customer';
  open();
  await screen.findByRole('button', { name: 'emi.i_paid' });
  await screen.findByText('emi.next_on');
  expect(answers()).toEqual([]);
});

it('the way back is the day of payments that it was opened from, and the customer’s page from anywhere else', async () => {
  userType = 'retailer';
  const { unmount } = open({ cameFrom: '/collections?on=2026-04-09' });
  await screen.findByRole('button', { name: 'emi.collect' });
  expect(back()).toHaveAttribute('href', '/collections?on=2026-04-09');
  unmount();

  open();
  await screen.findByRole('button', { name: 'emi.collect' });
  expect(back()).toHaveAttribute('href', '/customers/c');
});
