// @vitest-environment jsdom
import { cleanup, render, screen } from '@testing-library/react';
import { Provider } from 'react-redux';
import { MemoryRouter } from 'react-router';
import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { api } from '#web/api/api.ts';
import { endSession } from '#web/state/session.ts';
import { appStore } from '#web/state/store.ts';
import { Screen } from './screen.tsx';

const SLOW = { timeout: 4000 };
let isAway = false;
beforeEach(() => {
  isAway = false;
  localStorage.setItem('token', 'T');
  localStorage.setItem('user_id', 'sunita');
  vi.spyOn(navigator, 'onLine', 'get').mockImplementation(() => !isAway);
  vi.stubGlobal('fetch', async (asked: Request | string) => {
    if (typeof asked === 'string') return new Response('', { status: 404 });
    // The day never comes: only who asks is known before the network goes.
    if (isAway || !asked.url.endsWith('user_access')) throw new TypeError('Failed to fetch');
    const data = { user_type: 'retailer', user_id: 'sunita', first_name: 'Sunita', shop_name: 'Sunita Mobile' };
    return Response.json({ status: 200, response: 'success', message: '', data });
  });
});
afterEach(() => {
  cleanup();
  endSession();
  appStore.dispatch(api.util.resetApiState());
  vi.unstubAllGlobals();
  vi.restoreAllMocks();
});

const open = () =>
  render(
    <Provider store={appStore}>
      <MemoryRouter>
        <Screen />
      </MemoryRouter>
    </Provider>,
  );

it('without a network Home, whose day was never read, speaks of no facts of then', async () => {
  open();
  await screen.findByText('Sunita Mobile', {}, SLOW);
  cleanup();
  appStore.dispatch(api.util.resetApiState());
  isAway = true;
  open();
  expect(await screen.findByText('states.offline_title', {}, SLOW)).toBeVisible();
  expect(screen.getByText('Sunita Mobile'), 'who asks was kept').toBeVisible();
  expect(screen.queryByText('states.kept')).toBeNull();
});
