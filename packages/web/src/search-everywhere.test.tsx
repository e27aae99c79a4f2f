// @vitest-environment jsdom
import { act, render, screen } from '@testing-library/react';
import type { ComponentType } from 'react';
import { Provider } from 'react-redux';
import { createMemoryRouter, RouterProvider, useLocation } from 'react-router';
import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { Screen as Collections } from '#web/screens/collections/screen.tsx';
import { Screen as Customer } from '#web/screens/customer-details/screen.tsx';
import { Screen as Documents } from '#web/screens/customer-documents/screen.tsx';
import { Screen as Steps } from '#web/screens/customer-navigate/screen.tsx';
import { Screen as Home } from '#web/screens/dashboard/screen.tsx';
import { Screen as Terms } from '#web/screens/emi-details/screen.tsx';
import { Screen as Code } from '#web/screens/emm-qr/screen.tsx';
import { Screen as Language } from '#web/screens/language/screen.tsx';
import { Screen as LockRules } from '#web/screens/lock-rules/screen.tsx';
import { Screen as Shops } from '#web/screens/retailer-list/screen.tsx';
import { Screen as Shop } from '#web/screens/retailer-profile/screen.tsx';
import { Screen as Sessions } from '#web/screens/sessions/screen.tsx';
import { Screen as Dues } from '#web/screens/upcoming-emi/screen.tsx';
import { Screen as Waiting } from '#web/screens/waiting/screen.tsx';
import { accessConfig } from '#web/state/main-slice.ts';
import { makeStore } from '#web/state/store.ts';

let userType = 'retailer';
beforeEach(() => {
  userType = 'retailer';
  localStorage.setItem('token', 'T');
  vi.stubGlobal('matchMedia', () => ({
    matches: false,
    addEventListener: () => undefined,
    removeEventListener: () => undefined,
  }));
  vi.stubGlobal('fetch', async (request: Request | string) => {
    if (typeof request === 'string') return new Response('', { status: 404 });
    // Nothing but who asks is known: search is there before anything else is.
    if (!/user_access/.test(request.url)) return new Promise(() => undefined);
    const data = { user_type: userType, feature_access: '1', first_name: 'Sunita', shop_name: 'Sunita Mobile' };
    return Response.json({ status: 200, response: 'success', message: '', data });
  });
});
afterEach(() => vi.unstubAllGlobals());

const List = () => <output>{JSON.stringify(useLocation().state)}</output>;
const open = (Screen: ComponentType, store = makeStore()) => {
  const router = createMemoryRouter(
    [
      { path: '/customers', Component: List },
      { path: '/:customer_id', Component: Screen },
    ],
    { initialEntries: ['/c?customer_id=c'] },
  );
  render(
    <Provider store={store}>
      <RouterProvider router={router} />
    </Provider>,
  );
  return router;
};

it.each([
  ['Home', Home],
  ['the EMIs', Dues],
  ['what came in', Collections],
  ['a customer', Customer],
  ['a customer without a phone', Steps],
  ['the papers of a customer', Documents],
  ['other EMIs', Terms],
  ['the rules for locking', LockRules],
  ['the shops', Shops],
  ['a shop', Shop],
  ['one’s own phones', Sessions],
  ['what waits for a second person', Waiting],
  ['the languages', Language],
  ['the code of a phone', Code],
])('from %s a shop is at the search of its customers with one press, and types at once', async (_where, Screen) => {
  const router = open(Screen);
  (await screen.findByRole('button', { name: 'customers.search' })).click();
  expect(await screen.findByText('{"search":true}')).toBeVisible();
  expect(router.state.location.pathname).toBe('/customers');
});

const search = () => screen.queryByRole('button', { name: 'customers.search' });

it.each([
  ['sessions', Sessions],
  ['a language', Language],
])('a customer, who has %s too, has nobody to search for', async (_what, Screen) => {
  userType = 'customer';
  const store = makeStore();
  open(Screen, store);
  await vi.waitFor(() => expect(JSON.stringify(store.getState())).toContain('"user_type":"customer"'));
  expect(search()).toBeNull();
});

it.each([
  ['one’s own phones', Sessions],
  ['the languages', Language],
  ['the code of a phone', Code],
  ['a shop', Shop],
])('%s offers no search to whoever may not see customers', async (_where, Screen) => {
  const store = makeStore();
  open(Screen, store);
  expect(await screen.findByRole('button', { name: 'customers.search' })).toBeVisible();
  act(() => void store.dispatch(accessConfig({ lock: '1', unlock: '1', read: '0', uninstall: '1' })));
  expect(search()).toBeNull();
});
