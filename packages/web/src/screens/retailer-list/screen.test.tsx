// @vitest-environment jsdom
import { render, screen, waitFor } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { Provider } from 'react-redux';
import { MemoryRouter, useLocation } from 'react-router';
import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { USER_ACCESS_WORDS } from '@kist/contract/access';
import { api } from '#web/api/api.ts';
import { endSession } from '#web/state/session.ts';
import { appStore } from '#web/state/store.ts';
import { Screen } from './screen.tsx';

let mayAdd = true;
let asked: Record<string, string>[] = [];
beforeEach(() => {
  [mayAdd, asked] = [true, []];
  localStorage.setItem('token', 'T');
  vi.stubGlobal('fetch', async (request: Request | string) => {
    if (typeof request === 'string') return new Response('', { status: 404 });
    const { pathname, searchParams } = new URL(request.url);
    const ok = (data: unknown) => Response.json({ status: 200, response: 'success', message: '', data });
    if (pathname.endsWith('/user_access')) {
      const words = Object.fromEntries(USER_ACCESS_WORDS.map((word) => [word, '1']));
      return ok({ user_type: 'retailer', user_id: 'own', ...words, active_deactive: mayAdd ? '1' : '0' });
    }
    asked.push(Object.fromEntries(searchParams));
    return ok({ list: [], total: 0, page: 1, page_size: 20 });
  });
});
afterEach(() => {
  endSession();
  appStore.dispatch(api.util.resetApiState());
  vi.unstubAllGlobals();
});

function Address() {
  const { pathname, search } = useLocation();
  return <p data-testid="address">{pathname + search}</p>;
}
async function show(search = '') {
  render(
    <Provider store={appStore}>
      <MemoryRouter initialEntries={[`/retailers${search}`]}>
        <Address />
        <Screen />
      </MemoryRouter>
    </Provider>,
  );
  await waitFor(() => expect(screen.queryByText('states.loading')).toBeNull());
}
const address = () => screen.getByTestId('address').textContent;
const press = (name: string) => userEvent.click(screen.getByRole('button', { name }));

it('which shops are shown stands in the address, what was typed beside it; all of them is the bare address', async () => {
  await show('?search=Pune');
  await press('retailers.suspended');
  expect(address()).toBe('/retailers?search=Pune&state=suspended');
  expect(screen.getByRole('button', { name: 'retailers.suspended' })).toHaveAttribute('aria-pressed', 'true');
  await waitFor(() => expect(asked.at(-1)).toMatchObject({ search: 'Pune', state: 'suspended' }));
  await press('common.all');
  expect(address()).toBe('/retailers?search=Pune');
  await userEvent.clear(screen.getByRole('searchbox'));
  await waitFor(() => expect(address()).toBe('/retailers'));
});

it('what is typed is searched among the shops that are shown', async () => {
  await show('?state=active');
  await userEvent.type(screen.getByRole('searchbox'), ' komal ');
  await waitFor(() => expect(address()).toBe('/retailers?search=komal&state=active'));
  await waitFor(() => expect(asked.at(-1)).toMatchObject({ search: 'komal', state: 'active' }));
});

it('without a shop the first one is to be added; of a filter that finds none that is said, also when all are shown again', async () => {
  await show();
  expect(await screen.findByText('retailers.empty_title')).toBeInTheDocument();
  expect(screen.getByRole('link', { name: 'retailers.add' })).toHaveAttribute('href', '/add-retailer');
  await press('retailers.active');
  expect(await screen.findByText('states.no_result_title')).toBeInTheDocument();
  await press('common.all');
  expect(await screen.findByText('retailers.empty_title')).toBeInTheDocument();
});

it('whoever may add no shop is offered none', async () => {
  mayAdd = false;
  await show();
  expect(await screen.findByText('retailers.empty_title')).toBeInTheDocument();
  await waitFor(() => expect(screen.queryByRole('button', { name: 'retailers.add' })).toBeNull());
  expect(screen.queryByRole('link', { name: 'retailers.add' })).toBeNull();
});
