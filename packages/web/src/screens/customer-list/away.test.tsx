// @vitest-environment jsdom
import { cleanup, fireEvent, render, screen, waitFor } from '@testing-library/react';
import { Provider } from 'react-redux';
import { MemoryRouter } from 'react-router';
import { afterEach, beforeAll, beforeEach, expect, it, vi } from 'vitest';
import { api } from '#web/api/api.ts';
import { endSession } from '#web/state/session.ts';
import { appStore } from '#web/state/store.ts';
import { Screen } from './screen.tsx';

const SLOW = { timeout: 4000 };
const DAY = { statuses: {}, overdue: {}, today: {}, do_now: [] };
const rowOf = (first_name: string, mobile: string) => ({
  customer_id: first_name,
  first_name,
  last_name: '',
  mobile,
  status: 1,
  device: 'Redmi 13C',
  days_past_due: 0,
  overdue_paise: 0,
  next_due_on: null,
});
beforeAll(() => {
  // Nothing is laid out here, and rows near the screen ask what scrolls and how wide it is.
  Object.defineProperty(document, 'scrollingElement', { value: document.documentElement });
  document.defaultView!.ResizeObserver = ResizeObserver;
});
beforeEach(() => {
  localStorage.setItem('token', 'T');
  localStorage.setItem('user_id', 'sunita');
  const list = [rowOf('Savita', '+919876543210'), rowOf('Irfan', '+919000000002')];
  vi.stubGlobal('fetch', async (asked: Request | string) => {
    if (typeof asked === 'string') return new Response('', { status: 404 });
    const { pathname, searchParams } = new URL(asked.url);
    const page = searchParams.has('page') ? { list, total: 417, page: 1, page_size: 20 } : [];
    const data = pathname.endsWith('keygen_dashboardV1') ? DAY : page;
    return Response.json({ status: 200, response: 'success', message: '', data });
  });
});
afterEach(() => {
  cleanup();
  endSession();
  appStore.dispatch(api.util.resetApiState());
  vi.unstubAllGlobals();
});

it('a search without a network looks among the customers of this phone and says so, also where nobody is found', async () => {
  render(
    <Provider store={appStore}>
      <MemoryRouter>
        <Screen />
      </MemoryRouter>
    </Provider>,
  );
  await screen.findByRole('searchbox', {}, SLOW);
  await screen.findByText('customers.more', {}, SLOW);
  expect(screen.queryByText('states.searched_here')).toBeNull();
  vi.stubGlobal('fetch', async () => {
    throw new TypeError('Failed to fetch');
  });
  const type = (value: string) => fireEvent.change(screen.getByRole('searchbox'), { target: { value } });
  type('98765 43210');
  expect(await screen.findByText('states.searched_here', {}, SLOW)).toBeVisible();
  await waitFor(() => expect(screen.getByText('customers.end')).toBeVisible(), SLOW);
  expect(screen.queryByText('states.offline_title')).toBeNull();
  type('Rekha');
  expect(await screen.findByText('states.no_result_title', {}, SLOW)).toBeVisible();
  expect(screen.getByText('states.searched_here')).toBeVisible();
  expect(
    screen.queryByText('states.no_result_body'),
    'a name that sounds alike is not found here: no spelling is to blame',
  ).toBeNull();
});
