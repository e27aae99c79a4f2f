// @vitest-environment jsdom
import { render, screen } from '@testing-library/react';
import type { ComponentType } from 'react';
import { Provider } from 'react-redux';
import { createMemoryRouter, RouterProvider, useLocation } from 'react-router';
import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { Screen as Customer } from '#web/screens/customer-details/screen.tsx';
import { Screen as Home } from '#web/screens/dashboard/screen.tsx';
import { Screen as Dues } from '#web/screens/upcoming-emi/screen.tsx';
import { makeStore } from '#web/state/store.ts';

beforeEach(() => {
  localStorage.setItem('token', 'T');
  vi.stubGlobal('matchMedia', () => ({
    matches: false,
    addEventListener: () => undefined,
    removeEventListener: () => undefined,
  }));
  vi.stubGlobal('fetch', async (request: Request | string) => {
    // Nothing but who asks is known: search is there before anything else is.
    if (typeof request === 'string' || !/access/i.test(request.url)) return new Promise(() => undefined);
    const data = { user_type: 'retailer', feature_access: '1', first_name: 'Sunita', shop_name: 'Sunita Mobile' };
    return Response.json({ status: 200, response: 'success', message: '', data });
  });
});
afterEach(() => vi.unstubAllGlobals());

const List = () => <output>{JSON.stringify(useLocation().state)}</output>;
const open = (Screen: ComponentType) => {
  const router = createMemoryRouter(
    [
      { path: '/customers', Component: List },
      { path: '/:customer_id', Component: Screen },
    ],
    { initialEntries: ['/c'] },
  );
  render(
    <Provider store={makeStore()}>
      <RouterProvider router={router} />
    </Provider>,
  );
  return router;
};

it.each([
  ['Home', Home],
  ['the EMIs', Dues],
  ['a customer', Customer],
])('from %s a shop is at the search of its customers with one press, and types at once', async (_where, Screen) => {
  const router = open(Screen);
  (await screen.findByRole('button', { name: 'customers.search' })).click();
  expect(await screen.findByText('{"search":true}')).toBeVisible();
  expect(router.state.location.pathname).toBe('/customers');
});
