// @vitest-environment jsdom
import { act, cleanup, render, screen } from '@testing-library/react';
import { Provider } from 'react-redux';
import { MemoryRouter, Route, Routes } from 'react-router';
import { afterEach, expect, it, vi } from 'vitest';
import { LOCK_ACCESS_WORDS, USER_ACCESS_WORDS } from '@kist/contract/access';
import { accessConfig } from '#web/state/main-slice.ts';
import { makeStore } from '#web/state/store.ts';
import { Screen } from './screen.tsx';

afterEach(() => vi.unstubAllGlobals());

const figures = {
  customers: 0,
  installed: 0,
  overdue: 0,
  outstanding_paise: 0,
  collected_today_paise: 0,
  collected_month_paise: 0,
  keys_left: 0,
  keys: [],
  mini_retailers: 0,
};
const all = (words: readonly string[]) => Object.fromEntries(words.map((word) => [word, '1']));
/** Of a shop that may do all of it, as somebody who may not unlock reads it. @returns what was asked for, as it goes on */
async function show(may: { edit: boolean; manage: boolean }, more: object = {}, at = '/retailers/m1') {
  const asked: string[] = [];
  const shop = {
    user_id: 'm1',
    shop_name: 'Komal Mobile',
    first_name: 'Komal',
    last_name: 'Jadhav',
    mobile: '+919000000002',
    address: {},
    created_at: '2026-03-01T10:00:00.000Z',
    is_active: true,
    figures: null,
    user_access: all(USER_ACCESS_WORDS),
    lock_access: all(LOCK_ACCESS_WORDS),
    may,
    ...more,
  };
  const me = { user_type: 'retailer', user_id: 'own', ...all(USER_ACCESS_WORDS), active_deactive: '0' };
  vi.stubGlobal('fetch', async (request: Request | string) => {
    if (typeof request === 'string') return new Response('', { status: 404 });
    const { pathname, search } = new URL(request.url);
    if (pathname.endsWith('getRetailerProfile')) asked.push(search);
    const others: Record<string, unknown> = { user_access: me, getBalanceTypesWithScheme: [] };
    const data = others[pathname.split('/').at(-1)!] ?? shop;
    return Response.json({ status: 200, response: 'success', message: '', data });
  });
  const store = makeStore();
  render(
    <Provider store={store}>
      <MemoryRouter initialEntries={[at]}>
        <Routes>
          <Route path="retailers/:user_id" element={<Screen />} />
        </Routes>
      </MemoryRouter>
    </Provider>,
  );
  act(() => void store.dispatch(accessConfig({ lock: '1', unlock: '0', read: '1', uninstall: '1' })));
  await screen.findByText('retailers.details');
  return asked;
}
const word = (name: string) => screen.getByRole('switch', { name: `retailers.word_${name}` });

it('what a shop may do is for who runs it to say, not for who may only correct its data', async () => {
  await show({ edit: true, manage: false }, { figures: { ...figures, customers: 7 } });
  expect(screen.queryByRole('switch')).toBeNull();
  expect(screen.queryByRole('button', { name: 'retailers.pass_on' })).toBeNull();
  expect(screen.queryByRole('button', { name: 'retailers.suspend' })).toBeNull();
});

it('nobody gives or takes a word that they have not themselves', async () => {
  await show({ edit: true, manage: true });
  expect(word('unlock')).toBeDisabled();
  expect(word('lock')).toBeEnabled();
  await vi.waitFor(() => expect(word('active_deactive')).toBeDisabled());
  expect(word('feature_access')).toBeEnabled();
});

it('whoever may neither change a shop nor run it sees what it is, and no button that would be refused', async () => {
  await show({ edit: false, manage: false }, { figures: { ...figures, customers: 7 } });
  expect(screen.queryByRole('button', { name: 'retailers.edit' })).toBeNull();
  expect(screen.queryByText('retailers.qr')).toBeNull();
  expect(screen.queryByRole('button', { name: 'retailers.suspend' })).toBeNull();
  expect(screen.queryByRole('button', { name: 'retailers.pass_on' })).toBeNull();
});

it('whoever runs it may suspend it and pass its customers on; of one that is suspended it is said why', async () => {
  await show({ edit: true, manage: true }, { figures: { ...figures, customers: 7 } });
  expect(screen.getByRole('button', { name: 'retailers.edit' })).toBeVisible();
  expect(screen.getByRole('button', { name: 'retailers.suspend' })).toBeVisible();
  expect(screen.getByRole('button', { name: 'retailers.pass_on' })).toBeVisible();
  expect(screen.queryByRole('button', { name: 'retailers.activate' })).toBeNull();
  cleanup();
  await show({ edit: true, manage: true }, { is_active: false, suspend_reason: 'Keys not paid' });
  expect(screen.getByText('Keys not paid')).toBeVisible();
  expect(screen.getByRole('button', { name: 'retailers.activate' })).toBeVisible();
  expect(screen.queryByRole('button', { name: 'retailers.suspend' })).toBeNull();
});

it('a shop that was added after midnight was added on that day, which in UTC is still the one before', async () => {
  await show({ edit: true, manage: true }, { created_at: '2026-02-28T19:30:00.000Z' });
  expect(screen.getByText('01-03-2026')).toBeVisible();
});

it('one’s own shop is asked for without a name, has nobody to call, and leads home; another leads back to the shops', async () => {
  const asked = await show({ edit: true, manage: false }, {}, '/retailers/me');
  expect(asked).toContain('');
  expect(screen.queryByRole('link', { name: 'common.call' })).toBeNull();
  expect(screen.getByRole('link', { name: 'common.back' })).toHaveAttribute('href', '/dashboard');
  cleanup();
  expect(await show({ edit: true, manage: false })).toContain('?user_id=m1');
  expect(screen.getByRole('link', { name: 'common.call' })).toHaveAttribute('href', 'tel:+919000000002');
  expect(screen.getByRole('link', { name: 'common.back' })).toHaveAttribute('href', '/retailers');
});
