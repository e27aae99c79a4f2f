// @vitest-environment jsdom
import { act, render, screen } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { Provider } from 'react-redux';
import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { accessConfig } from '#web/state/main-slice.ts';
import { makeStore } from '#web/state/store.ts';
import type { Filters } from './filters.ts';
import { SellerFields } from './seller-fields.tsx';

const SLOW = { timeout: 4000 };
const shops = Array.from({ length: 130 }, (_, at) => ({
  user_id: `s${at}`,
  shop_name: `Shop ${at}`,
  mobile: `+9190000${String(at).padStart(5, '0')}`,
}));
const searches: string[] = [];
beforeEach(() => {
  searches.length = 0;
  vi.stubGlobal('fetch', async (request: Request) => {
    const { pathname, searchParams } = new URL(request.url);
    const answer = (data: unknown) => Response.json({ status: 200, response: 'success', message: '', data });
    if (pathname.endsWith('/user_access')) return answer({ user_type: 'retailer', user_id: 'own' });
    if (pathname.endsWith('/get-details'))
      return answer(shops.find((shop) => shop.user_id === searchParams.get('user_id')));
    if (!pathname.endsWith('/api/user')) return answer([]);
    const search = (searchParams.get('search') ?? '').toLowerCase();
    searches.push(search);
    const found = shops.filter((shop) => `${shop.shop_name} ${shop.mobile}`.toLowerCase().includes(search));
    return answer({ list: found.slice(0, Number(searchParams.get('page_size'))), total: found.length });
  });
});
afterEach(() => vi.unstubAllGlobals());

function draw(draft: Filters) {
  const onDraft = vi.fn<(change: Partial<Filters>) => void>();
  render(
    <Provider store={makeStore()}>
      <SellerFields draft={draft} onDraft={onDraft} />
    </Provider>,
  );
  return onDraft;
}

it.each([
  ['its name', 'shop 129'],
  ['its number', '9000000129'],
])('a shop beyond the first hundred is found by %s', async (_, typed) => {
  const onDraft = draw({});
  const box = await screen.findByRole('searchbox', {}, SLOW);
  expect(screen.queryByRole('option', { name: 'Shop 129' })).toBeNull();
  await userEvent.click(box);
  await userEvent.paste(typed);
  await screen.findByRole('option', { name: 'Shop 129' }, SLOW);
  await userEvent.selectOptions(screen.getByLabelText('customers.added_by'), 's129');
  expect(onDraft).toHaveBeenCalledWith({
    user_type: undefined,
    retailer_id: 's129',
    user_id: undefined,
    account_id: undefined,
  });
  expect(searches).toEqual(['', typed]);
});

it('one that stands chosen by its address has its name, on whatever page it is', async () => {
  draw({ retailer_id: 's129' });
  await screen.findByRole('option', { name: 'Shop 129' }, SLOW);
  expect(screen.getByLabelText('customers.added_by')).toHaveValue('s129');
});

it('all mini-retailers together can be chosen whatever is searched', async () => {
  const onDraft = draw({});
  await userEvent.click(await screen.findByRole('searchbox', {}, SLOW));
  await userEvent.paste('nobody');
  expect(await screen.findByText('states.no_result_title', {}, SLOW)).toBeInTheDocument();
  await userEvent.selectOptions(screen.getByLabelText('customers.added_by'), 'miniretailer');
  expect(onDraft.mock.lastCall?.[0]).toMatchObject({ user_type: 'miniretailer', retailer_id: undefined });
});

it('who may not see customers is told of no shop', async () => {
  const store = makeStore();
  act(() => void store.dispatch(accessConfig({ lock: '1', unlock: '1', read: '0', uninstall: '1' })));
  render(
    <Provider store={store}>
      <SellerFields draft={{}} onDraft={() => undefined} />
    </Provider>,
  );
  await act(() => new Promise((resolve) => setTimeout(resolve, 300)));
  expect(searches).toEqual([]);
});
