// @vitest-environment jsdom
import { act, render, renderHook, screen } from '@testing-library/react';
import { Provider } from 'react-redux';
import { createMemoryRouter, RouterProvider } from 'react-router';
import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { NAMELESS } from '@kist/contract/erased';
import { makeStore } from '#web/state/store.ts';
import { useTyped } from '#web/state/typed.ts';
import { Screen } from './screen.tsx';

const profileOf = (status: number) => ({
  customer: {
    customer_id: 'c',
    status,
    is_draft: false,
    plan_name: 'Secure',
    first_name: NAMELESS,
    last_name: '',
    mobile: '',
    alternate_mobile: null,
    address: { line1: '', city: '', state: '', pincode: '' },
    created_at: '2026-01-02T05:30:00Z',
    added_by: 'Komal',
  },
  erasure: { erased_at: '2026-03-04T05:30:00Z', evidence_until: '2029-03-04', books_until: '2034-03-31' },
  device: {
    device_id: 'd',
    brand: 'Vivo',
    model: 'Y28',
    imei1: '490154203237518',
    released_at: '2026-03-01T00:00:00Z',
  },
  agreement: {
    agreement_no: '20-00001',
    state: 'completed',
    tenure: 2,
    paid_count: 2,
    outstanding_paise: 0,
    overdue_paise: 0,
    next_due_on: null,
    next_due_paise: 0,
    segments: ['paid', 'paid'],
  },
  lock: null,
  lock_timeline: null,
  security: null,
  edit_actions: [],
  steps: [],
});
let status = 2;
let lock: object | null = null;
beforeEach(() => {
  vi.stubGlobal('matchMedia', () => ({
    matches: false,
    addEventListener: () => undefined,
    removeEventListener: () => undefined,
  }));
  vi.stubGlobal('fetch', async (request: Request | string) => {
    if (typeof request === 'string') return new Response('', { status: 404 });
    const access = { user_type: 'retailer', feature_access: '1', active_deactive: '1', lock_unlock: '1' };
    const data = /profile/i.test(request.url) ? { ...profileOf(status), lock } : access;
    return Response.json({ status: 200, response: 'success', message: '', data });
  });
});
afterEach(() => vi.unstubAllGlobals());

function at(path: string) {
  const router = createMemoryRouter([{ path: '/customers/:customer_id', element: <Screen /> }], {
    initialEntries: [path],
  });
  render(
    <Provider store={makeStore()}>
      <RouterProvider router={router} />
    </Provider>,
  );
}

/** But for the search, which is for somebody else. */
const offered = () =>
  screen.queryAllByRole('button').filter((button) => button.getAttribute('aria-label') !== 'customers.search');

it.each([2, 0])(
  'the page of somebody who was erased (status %i) says so and offers nothing but the EMIs',
  async (now) => {
    status = now;
    at('/customers/c');
    expect(await screen.findByText('erase.on')).toBeVisible();
    expect(screen.getByText('erase.stays')).toBeVisible();
    expect(screen.getByRole('heading', { level: 1 })).toHaveTextContent('customers.erased');
    expect(screen.getByText('20-00001')).toBeVisible();
    expect(offered()).toEqual([]);
    expect(screen.getAllByRole('link').map((link) => link.getAttribute('href'))).toEqual([
      '/customers',
      '/view-emi-details/c',
    ]);
  },
);

it('a phone that has not said that it is free is told of there too', async () => {
  status = 2;
  const pending = { to: 'unlocked', state: 'QUEUED', since: '2026-03-01T00:00:00Z' };
  lock = {
    lock_status: 1,
    level: 3,
    desired_level: 0,
    pending,
    confirmed_at: null,
    strength: 'enforced',
    silent_since: null,
    cause: null,
  };
  at('/customers/c');
  expect(await screen.findByText('lock.pending_unlocked')).toBeVisible();
  expect(offered()).toEqual([]);
  lock = null;
});

it('what was typed about somebody who was erased is forgotten once their page says so', async () => {
  const sheet = () => renderHook(() => useTyped<{ reason: string }>('hold/c')).result;
  const { current } = sheet();
  act(() => current[1]({ reason: 'In hospital' }));
  expect(sheet().current[0]).toEqual({ reason: 'In hospital' });
  at('/customers/c');
  await screen.findByText('erase.on');
  expect(sheet().current[0]).toEqual({});
});
