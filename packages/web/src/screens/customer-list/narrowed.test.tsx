// @vitest-environment jsdom
import { render, screen } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { Provider } from 'react-redux';
import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { makeStore } from '#web/state/store.ts';
import type { Filters } from './filters.ts';
import { NarrowedChips } from './narrowed.tsx';
import { SellerFields } from './seller-fields.tsx';

beforeEach(() => {
  vi.stubGlobal('fetch', async (request: Request) => {
    const { pathname } = new URL(request.url);
    const answer = (data: unknown) => Response.json({ status: 200, response: 'success', message: '', data });
    if (pathname.endsWith('/user_access'))
      return answer({ user_type: 'retailer', user_id: 'own', feature_access: '1' });
    if (pathname.endsWith('/get-details')) return answer({ user_id: 'm1', shop_name: 'Komal', first_name: 'K' });
    if (pathname.endsWith('/api/products'))
      return answer([
        { plan_id: 5, name: 'Old Secure', is_on_sale: false },
        { plan_id: 7, name: 'Secure', is_on_sale: true },
      ]);
    return answer({ list: [{ user_id: 'm1', shop_name: 'Komal' }], total: 1 });
  });
});
afterEach(() => vi.unstubAllGlobals());

function shown(node: React.ReactNode) {
  render(<Provider store={makeStore()}>{node}</Provider>);
}

it('says what a link narrowed the list by, and a press takes away that alone', async () => {
  const given = { retailer_id: 'm1', app_type: 8, serial_number: 'F4X9', deviceQuery: 'Vivo', status: '1' } as Filters;
  const changed: Filters[] = [];
  shown(<NarrowedChips filters={given} onFilters={(next) => changed.push(next)} />);
  await userEvent.click(await screen.findByRole('button', { name: /Komal/ }));
  await userEvent.click(screen.getByRole('button', { name: 'plan.ANTIHACKING' }));
  await userEvent.click(screen.getByRole('button', { name: 'F4X9' }));
  await userEvent.click(screen.getByRole('button', { name: 'Vivo' }));
  const { retailer_id, app_type, serial_number, deviceQuery, ...status } = given;
  expect(changed).toEqual([
    { ...status, app_type, serial_number, deviceQuery },
    { ...status, retailer_id, serial_number, deviceQuery },
    { ...status, retailer_id, app_type, deviceQuery },
    { ...status, retailer_id, app_type, serial_number },
  ]);
});

it('several filters together are each said, and each goes alone', async () => {
  const given = {
    status: '1',
    lock_status: '1',
    due: 'overdue',
    sort: 'overdue',
    plan_id: 7,
    from: '2026-11-01',
  } as unknown as Filters;
  const changed: Filters[] = [];
  shown(<NarrowedChips filters={given} onFilters={(next) => changed.push(next)} />);
  expect(await screen.findByRole('button', { name: 'customers.plan Secure' })).toBeVisible();
  expect(screen.getByRole('button', { name: /^customers.from .*2026/ })).toBeVisible();
  expect(screen.getByRole('button', { name: 'lock.locked' })).toBeVisible();
  expect(screen.getByRole('button', { name: 'status.s1' })).toBeVisible();
  await userEvent.click(screen.getByRole('button', { name: 'customers.quick_overdue' }));
  expect(changed).toEqual([{ status: '1', lock_status: '1', plan_id: 7, from: '2026-11-01' }]);
});

it('a span of days says which end is which, and each end goes alone', async () => {
  const changed: Filters[] = [];
  const given = { from: '2026-11-01', to: '2026-11-20' } as Filters;
  shown(<NarrowedChips filters={given} onFilters={(next) => changed.push(next)} />);
  await userEvent.click(screen.getByRole('button', { name: /^customers.from .*1/ }));
  await userEvent.click(screen.getByRole('button', { name: /^customers.to .*20/ }));
  expect(changed).toEqual([{ to: '2026-11-20' }, { from: '2026-11-01' }]);
});

it.each<[Filters, RegExp]>([
  [{ account_id: 'm1', retailer_id: 'm1' } as Filters, /Komal/],
  [{ account_id: 'm1' } as Filters, /Komal/],
  [{ dpd: '1_30', sort: 'overdue' } as Filters, /^dpd\./],
  [{ todo: 'overdue', sort: 'overdue' } as Filters, /^dashboard\.do_overdue/],
])('what %o narrowed goes with one press, whatever it was called and how it was ordered', async (given, words) => {
  const changed: Filters[] = [];
  shown(<NarrowedChips filters={given} onFilters={(next) => changed.push(next)} />);
  await userEvent.click(await screen.findByRole('button', { name: words }));
  expect(changed).toEqual([{}]);
});

it.each([
  [{ due: 'open', sort: 'due' }, 'dashboard.outstanding'],
  [{ todo: 'call_before_lock' }, 'dashboard.do_call_before_lock'],
])('a figure of Home opens a list that says what it is: %o', (given, words) => {
  shown(<NarrowedChips filters={given as Filters} onFilters={() => undefined} />);
  expect(screen.getByRole('button', { name: words })).toBeVisible();
});

it('a quick filter that stands alone says itself', () => {
  shown(<NarrowedChips filters={{ due: 'overdue', sort: 'overdue' }} onFilters={() => undefined} />);
  expect(screen.queryByRole('button')).toBeNull();
});

it('one shop is chosen like every shop of a type, and each takes the place of the other', async () => {
  const changed: Partial<Filters>[] = [];
  shown(<SellerFields draft={{ user_type: 'miniretailer' } as Filters} onDraft={(next) => changed.push(next)} />);
  await screen.findByRole('option', { name: 'Komal' });
  const soldBy = screen.getByRole('combobox', { name: 'customers.added_by' });
  expect(soldBy).toHaveValue('miniretailer');
  await userEvent.selectOptions(soldBy, 'm1');
  await userEvent.selectOptions(soldBy, 'retailer');
  // Strictly: a name that is not told stays, and the list is then of another shop than the one that was chosen.
  expect(changed).toStrictEqual([
    { user_type: undefined, retailer_id: 'm1', user_id: undefined, account_id: undefined },
    { user_type: 'retailer', retailer_id: undefined, user_id: undefined, account_id: undefined },
  ]);
});

it('customers of a plan that is not sold any more can be asked for, behind those on sale', async () => {
  const changed: Partial<Filters>[] = [];
  shown(<SellerFields draft={{}} onDraft={(next) => changed.push(next)} />);
  const past = await screen.findByRole('option', { name: 'customers.plan_past' });
  const plan = screen.getByRole('combobox', { name: 'customers.plan' });
  expect([...plan.querySelectorAll('option')].map(({ value }) => value)).toEqual(['', '7', '5']);
  await userEvent.selectOptions(plan, past);
  expect(changed).toStrictEqual([{ plan_id: '5', product_id: undefined }]);
});

it('a list of a plan that is not sold any more is called by its name', async () => {
  shown(<NarrowedChips filters={{ plan_id: 5 } as Filters} onFilters={() => undefined} />);
  expect(await screen.findByRole('button', { name: 'customers.plan Old Secure' })).toBeVisible();
});
