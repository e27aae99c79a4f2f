// @vitest-environment jsdom
import { render, screen } from '@testing-library/react';
import { Provider } from 'react-redux';
import { createMemoryRouter, RouterProvider } from 'react-router';
import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { makeStore } from '#web/state/store.ts';
import { Screen } from './screen.tsx';

const PROFILE = {
  customer: {
    customer_id: 'c',
    status: 1,
    is_draft: false,
    plan_name: 'Secure',
    first_name: 'Venkatalakshmi',
    last_name: 'Subramaniam',
    mobile: '+919876543210',
    alternate_mobile: null,
    address: { line1: '', city: '', state: '', pincode: '' },
    created_at: '2026-01-02T05:30:00Z',
    added_by: 'Komal',
  },
  erasure: null,
  consent_missing: [],
  device: null,
  exchanges: [],
  lost_reports: [],
  disputes: [],
  agreement: null,
  lock: null,
  lock_timeline: null,
  override: null,
  security: null,
  edit_actions: [],
  steps: [],
};
beforeEach(() => {
  vi.stubGlobal('matchMedia', () => ({
    matches: false,
    addEventListener: () => undefined,
    removeEventListener: () => undefined,
  }));
  vi.stubGlobal('fetch', async (request: Request | string) => {
    if (typeof request === 'string') return new Response('', { status: 404 });
    const data = /profile/i.test(request.url) ? PROFILE : { user_type: 'retailer', feature_access: '1' };
    return Response.json({ status: 200, response: 'success', message: '', data });
  });
});
afterEach(() => vi.unstubAllGlobals());

it('a customer’s own page says the whole name, however long, at its top and in the window’s title', async () => {
  const router = createMemoryRouter([{ path: '/customers/:customer_id', element: <Screen /> }], {
    initialEntries: ['/customers/c'],
  });
  render(
    <Provider store={makeStore()}>
      <RouterProvider router={router} />
    </Provider>,
  );
  expect(await screen.findByRole('heading', { level: 1, name: 'Venkatalakshmi Subramaniam' })).toBeVisible();
  expect(document.title).toContain('Venkatalakshmi Subramaniam');
});
