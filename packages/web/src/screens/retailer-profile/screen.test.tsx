// @vitest-environment jsdom
import { act, render, screen } from '@testing-library/react';
import { Provider } from 'react-redux';
import { MemoryRouter, Route, Routes } from 'react-router';
import { afterEach, expect, it, vi } from 'vitest';
import { LOCK_ACCESS_WORDS, USER_ACCESS_WORDS } from '@kist/contract/access';
import { accessConfig } from '#web/state/main-slice.ts';
import { makeStore } from '#web/state/store.ts';
import { Screen } from './screen.tsx';

afterEach(() => vi.unstubAllGlobals());

const all = (words: readonly string[]) => Object.fromEntries(words.map((word) => [word, '1']));
/** Of a shop that may do all of it, as somebody who may not unlock reads it. */
async function show(may: { edit: boolean; manage: boolean }) {
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
  };
  const me = { user_type: 'retailer', user_id: 'own', ...all(USER_ACCESS_WORDS), active_deactive: '0' };
  vi.stubGlobal('fetch', async (request: Request | string) => {
    if (typeof request === 'string') return new Response('', { status: 404 });
    const data = new URL(request.url).pathname.endsWith('user_access') ? me : shop;
    return Response.json({ status: 200, response: 'success', message: '', data });
  });
  const store = makeStore();
  render(
    <Provider store={store}>
      <MemoryRouter initialEntries={['/retailers/m1']}>
        <Routes>
          <Route path="retailers/:user_id" element={<Screen />} />
        </Routes>
      </MemoryRouter>
    </Provider>,
  );
  act(() => void store.dispatch(accessConfig({ lock: '1', unlock: '0', read: '1', uninstall: '1' })));
  await screen.findByText('retailers.details');
}
const word = (name: string) => screen.getByRole('switch', { name: `retailers.word_${name}` });

it('what a shop may do is for who runs it to say, not for who may only correct its data', async () => {
  await show({ edit: true, manage: false });
  expect(screen.queryByRole('switch')).toBeNull();
});

it('nobody gives or takes a word that they have not themselves', async () => {
  await show({ edit: true, manage: true });
  expect(word('unlock')).toBeDisabled();
  expect(word('lock')).toBeEnabled();
  await vi.waitFor(() => expect(word('active_deactive')).toBeDisabled());
  expect(word('feature_access')).toBeEnabled();
});
