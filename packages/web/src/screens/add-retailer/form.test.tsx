// @vitest-environment jsdom
import { fireEvent, render, screen, waitFor } from '@testing-library/react';
import { Provider } from 'react-redux';
import { MemoryRouter, useLocation } from 'react-router';
import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import type { CallReply } from '#web/api/calls.ts';
import { makeStore } from '#web/state/store.ts';
import { ShopForm } from './form.tsx';

const shop = (shop_name: string, last_name = 'Jadhav') =>
  ({
    user_id: 'm1',
    shop_name,
    first_name: 'Komal',
    last_name,
    mobile: '+919000000002',
    address: {},
    may: { edit: true, manage: true },
  }) as unknown as CallReply<'getUserDetails'>;
beforeEach(() => {
  vi.stubGlobal('fetch', async (request: Request | string) => {
    if (typeof request === 'string') return new Response('', { status: 404 });
    const data = request.method === 'GET' ? [] : { user_id: 'm1' };
    return Response.json({ status: 200, response: 'success', message: '', data });
  });
});
afterEach(() => vi.unstubAllGlobals());

function Path() {
  return <p>{useLocation().pathname}</p>;
}
/** The form, which stays on a slow line until what comes after it is there. */
const form = (of: CallReply<'getUserDetails'>, store: ReturnType<typeof makeStore>) => (
  <Provider store={store}>
    <MemoryRouter initialEntries={['/edit']}>
      <Path />
      <ShopForm shop={of} mayAddBeside={false} />
    </MemoryRouter>
  </Provider>
);
const field = (name: string) => screen.getByRole('textbox', { name: new RegExp(name) });

it('what was saved stands there until the shop’s page is, never what stood before it', async () => {
  render(form(shop('Komal Mobile'), makeStore()));
  fireEvent.change(field('retailers.shop_name'), { target: { value: 'Komal Gallery' } });
  fireEvent.click(screen.getByRole('button', { name: 'common.save' }));
  await waitFor(() => expect(screen.queryByText('/edit')).toBeNull());
  expect(field('retailers.shop_name')).toHaveValue('Komal Gallery');
});

it('a form that is opened before the newer answer is there takes it up, and sends no older one back', async () => {
  const store = makeStore();
  const { rerender } = render(form(shop('Komal Mobile'), store));
  fireEvent.change(field('add.last_name'), { target: { value: 'Kale' } });
  rerender(form(shop('Komal Gallery'), store));
  expect(field('retailers.shop_name')).toHaveValue('Komal Gallery');
  expect(field('add.last_name')).toHaveValue('Kale');
});
