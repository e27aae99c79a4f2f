// @vitest-environment jsdom
import { render, screen, waitFor } from '@testing-library/react';
import { Provider } from 'react-redux';
import { MemoryRouter } from 'react-router';
import { afterEach, beforeAll, beforeEach, expect, it, vi } from 'vitest';
import { startI18n } from '#web/i18n/i18n.ts';
import { makeStore } from '#web/state/store.ts';
import { Screen } from './screen.tsx';

let asked: string[] = [];
const UNREAD = Array.from({ length: 3 }, () => ({ read_at: null }));
/** What comes late waits for its words; every word is its key here. */
const words = async () => Response.json({ common: { close: 'common.close' } });
beforeAll(async () => {
  vi.stubGlobal('fetch', words);
  await startI18n();
});
beforeEach(() => {
  asked = [];
  localStorage.setItem('token', 'T');
  vi.stubGlobal('fetch', async (request: Request | string) => {
    if (typeof request === 'string') return words();
    const { pathname, search } = new URL(request.url);
    asked.push(pathname + search);
    const answers: Record<string, object> = {
      '/api/user/user_access': { user_type: 'admin', first_name: 'Meera', shop_name: '' },
      '/api/waiting': { list: [], total: 0, page: 1, page_size: 50 },
      '/api/notifications': {
        list: [...UNREAD, { read_at: '2026-03-10T08:00:00Z' }],
        total: 4,
        page: 1,
        page_size: 100,
      },
    };
    const data = answers[pathname];
    return data
      ? Response.json({ status: 200, response: 'success', message: '', data })
      : Response.json({ status: 403, response: 'error', message: '', code: 'FORBIDDEN' }, { status: 403 });
  });
});
afterEach(() => vi.unstubAllGlobals());

it('the administrator’s bell counts what is unread, without the day of a shop', async () => {
  render(
    <Provider store={makeStore()}>
      <MemoryRouter>
        <Screen />
      </MemoryRouter>
    </Provider>,
  );
  await waitFor(() => expect(screen.getByRole('button', { name: 'bell.title 3' })).toBeInTheDocument());
  expect(asked).toContain('/api/notifications?page=1&page_size=100');
});

it('the administrator’s home says what is to be decided there, asks for no day of a shop and leads to no customer', async () => {
  render(
    <Provider store={makeStore()}>
      <MemoryRouter>
        <Screen />
      </MemoryRouter>
    </Provider>,
  );
  expect(await screen.findByText('waiting.admin', {}, { timeout: 4000 })).toBeInTheDocument();
  expect(await screen.findByText('waiting.none')).toBeInTheDocument();
  expect(screen.queryByText('states.no_permission_title')).toBeNull();
  expect(screen.queryByRole('button', { name: 'customers.search' })).toBeNull();
  expect(asked.some((url) => url.includes('dashboard'))).toBe(false);
});
