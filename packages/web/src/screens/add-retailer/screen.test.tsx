// @vitest-environment jsdom
import { render, screen } from '@testing-library/react';
import { Provider } from 'react-redux';
import { MemoryRouter } from 'react-router';
import { afterEach, expect, it, vi } from 'vitest';
import { USER_ACCESS_WORDS } from '@kist/contract/access';
import { makeStore } from '#web/state/store.ts';
import { Screen } from './screen.tsx';

afterEach(() => vi.unstubAllGlobals());

function show(search: string, { active_deactive = '1', add_retailer = '0' }) {
  const asked: string[] = [];
  vi.stubGlobal('fetch', async (request: Request | string) => {
    if (typeof request === 'string') return new Response('', { status: 404 });
    const ok = (data: unknown) => Response.json({ status: 200, response: 'success', message: '', data });
    const words = Object.fromEntries(USER_ACCESS_WORDS.map((word) => [word, '1']));
    if (request.url.endsWith('/user_access'))
      return ok({ user_type: 'retailer', user_id: 'own', ...words, active_deactive });
    if (!request.url.includes('/get-details')) return ok([]);
    asked.push(new URL(request.url).search);
    return ok({
      user_id: 'm1',
      shop_name: 'Komal Mobile',
      first_name: 'Komal',
      last_name: 'Jadhav',
      mobile: '+919000000002',
      address: {},
      add_retailer,
      may: { edit: true, manage: true },
    });
  });
  render(
    <Provider store={makeStore()}>
      <MemoryRouter initialEntries={[`/add-retailer${search}`]}>
        <Screen />
      </MemoryRouter>
    </Provider>,
  );
  return asked;
}
const shopName = () => screen.findByRole('textbox', { name: /retailers.shop_name/ });

it('a new shop begins empty, and is a mini-retailer where one may add no other', async () => {
  show('', {});
  expect(await shopName()).toHaveValue('');
  expect(screen.queryByRole('radio')).toBeNull();
});

it('of which kind a new shop is, is asked of whoever may add both', async () => {
  show('', { add_retailer: '1' });
  expect(await screen.findByRole('radio', { name: 'retailers.kind_miniretailer' })).toBeChecked();
});

it('a shop that is there is changed, and its kind with it never', async () => {
  const asked = show('?user_id=m1', { add_retailer: '1' });
  expect(await shopName()).toHaveValue('Komal Mobile');
  expect(screen.queryByRole('radio')).toBeNull();
  expect(asked).toEqual(['?user_id=m1']);
  expect(screen.getByRole('link', { name: 'common.back' })).toHaveAttribute('href', '/retailers/m1');
});

it('whoever may add no shop is told so in the place of the form', async () => {
  show('', { active_deactive: '0' });
  expect(await screen.findByText('states.no_permission_title')).toBeInTheDocument();
  expect(screen.queryByRole('textbox')).toBeNull();
});

it('a shop’s own data may be corrected without the word that adds shops', async () => {
  show('?user_id=m1', { active_deactive: '0' });
  expect(await shopName()).toHaveValue('Komal Mobile');
  expect(screen.queryByText('states.no_permission_title')).toBeNull();
});
