// @vitest-environment jsdom
import { cleanup, fireEvent, render, screen, waitFor } from '@testing-library/react';
import i18next from 'i18next';
import { initReactI18next } from 'react-i18next';
import { Provider } from 'react-redux';
import { MemoryRouter } from 'react-router';
import { afterEach, beforeAll, beforeEach, expect, it, vi } from 'vitest';
import { api } from '#web/api/api.ts';
import { Screen as Customers } from '#web/screens/customer-list/screen.tsx';
import { Screen as Shops } from '#web/screens/retailer-list/screen.tsx';
import { endSession } from '#web/state/session.ts';
import { appStore } from '#web/state/store.ts';

const SOME = 2;
const ALL = 417;
const day = { statuses: {}, overdue: { customers: 20 }, today: { customers: 21 }, locked: 22, do_now: [] };
let answerSome: (() => void) | undefined;
beforeAll(async () => {
  // Nothing is laid out here, and rows near the screen ask what scrolls and how wide it is.
  Object.defineProperty(document, 'scrollingElement', { value: document.documentElement });
  document.defaultView!.ResizeObserver = ResizeObserver;
  const words = { customers: { count: '{{count}} of them' }, retailers: { count: '{{count}} of them' } };
  await i18next.use(initReactI18next).init({ lng: 'en', resources: { en: { translation: words } } });
});
beforeEach(() => {
  localStorage.setItem('token', 'T');
  const success = (data: object) => Response.json({ status: 200, response: 'success', message: '', data });
  const row = { customer_id: 'c-1', user_id: 'u-1', first_name: 'Meena', last_name: '', days_past_due: 0 };
  vi.stubGlobal('fetch', async (asked: Request | string) => {
    if (typeof asked === 'string') return new Response('', { status: 404 });
    const { pathname, searchParams } = new URL(asked.url);
    if (pathname.endsWith('keygen_dashboardV1')) return success(day);
    if (!searchParams.has('page')) return success([]);
    const isAll = !searchParams.has('due') && searchParams.get('state') !== 'suspended';
    if (!isAll) await new Promise<void>((resolve) => (answerSome = resolve));
    return success({ list: [row], total: isAll ? ALL : SOME, page: 1, page_size: 20 });
  });
});
afterEach(() => {
  // Before the answers go: what stands on a page asks for them again.
  cleanup();
  answerSome = undefined;
  endSession();
  appStore.dispatch(api.util.resetApiState());
  vi.unstubAllGlobals();
});

it.each([
  ['customers', Customers, /customers.quick_overdue/],
  ['shops', Shops, /retailers.suspended/],
])('above the list of %s never stands how many another filter found', async (_list, Screen, filter) => {
  render(
    <Provider store={appStore}>
      <MemoryRouter>
        <Screen />
      </MemoryRouter>
    </Provider>,
  );
  const banner = await screen.findByRole('banner');
  await waitFor(() => expect(banner).toHaveTextContent(`${ALL} of them`));
  fireEvent.click(screen.getByRole('button', { name: filter }));
  await waitFor(() => expect(answerSome).toBeDefined());
  expect(banner).not.toHaveTextContent('of them');
  answerSome!();
  await waitFor(() => expect(banner).toHaveTextContent(`${SOME} of them`));
});
