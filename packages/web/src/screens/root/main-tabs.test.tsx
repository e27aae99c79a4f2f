// @vitest-environment jsdom
import { render, screen } from '@testing-library/react';
import { Provider } from 'react-redux';
import { MemoryRouter } from 'react-router';
import { afterEach, expect, it, vi } from 'vitest';
import { accessConfig } from '#web/state/main-slice.ts';
import { makeStore } from '#web/state/store.ts';
import { MainTabs } from './main-tabs.tsx';

afterEach(() => vi.unstubAllGlobals());

it.each([
  ['sell and read', { activate: '1', read: '1' }, ['shell.home', 'shell.customers', 'shell.add', 'shell.emis']],
  ['read but not sell', { activate: '0', read: '1' }, ['shell.home', 'shell.customers', 'shell.emis']],
  ['sell but not read', { activate: '1', read: '0' }, ['shell.home', 'shell.add']],
] as const)('who may %s has the tabs for it and no others', async (_who, may, tabs) => {
  localStorage.setItem('token', 'T');
  vi.stubGlobal('fetch', async (request: Request | string) => {
    if (typeof request === 'string') return new Response('', { status: 404 });
    const data = { user_type: 'miniretailer', feature_access: '1', lock_unlock: '1', active_deactive: may.activate };
    return Response.json({ status: 200, response: 'success', message: '', data });
  });
  const store = makeStore();
  store.dispatch(accessConfig({ lock: '1', unlock: '1', read: may.read, uninstall: '1' }));
  render(
    <Provider store={store}>
      <MemoryRouter>
        <MainTabs isRail={false} />
      </MemoryRouter>
    </Provider>,
  );
  await vi.waitFor(() => {
    const names = screen.getAllByRole('link').map(({ textContent }) => textContent);
    expect(names).toEqual(tabs);
  });
});

it('an administrator, who sees no customer, has home and the shops', async () => {
  localStorage.setItem('token', 'T');
  vi.stubGlobal('fetch', async (request: Request | string) => {
    if (typeof request === 'string') return new Response('', { status: 404 });
    const data = { user_type: 'admin', feature_access: '1', lock_unlock: '1', active_deactive: '1' };
    return Response.json({ status: 200, response: 'success', message: '', data });
  });
  const store = makeStore();
  store.dispatch(accessConfig({ lock: '1', unlock: '1', read: '1', uninstall: '1' }));
  render(
    <Provider store={store}>
      <MemoryRouter initialEntries={['/retailers']}>
        <MainTabs isRail={false} />
      </MemoryRouter>
    </Provider>,
  );
  await vi.waitFor(() => {
    const names = screen.getAllByRole('link').map(({ textContent }) => textContent);
    expect(names).toEqual(['shell.home', 'shell.my_shops']);
  });
  expect(screen.getByRole('link', { name: 'shell.my_shops' })).toHaveAttribute('aria-current', 'page');
});
