// @vitest-environment jsdom
import { act, fireEvent, render, screen, within } from '@testing-library/react';
import { Provider } from 'react-redux';
import { createMemoryRouter, RouterProvider, useLocation } from 'react-router';
import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { shopToday } from '#web/i18n/formats.ts';
import { makeStore } from '#web/state/store.ts';
import { addDays } from '@kist/contract/dates';
import { formatWholeDay } from './days.ts';
import { Screen } from './screen.tsx';

const TODAY = shopToday();
const PAYMENTS = 31;
const METHODS = [
  { method: 'CASH', payments: 30, paise: 3_000_00 },
  { method: 'UPI', payments: 1, paise: 250_00 },
];
const OWN = {
  user_id: 'me',
  name: 'Ravi',
  shop_name: 'Ravi Mobile',
  payments: 30,
  paise: 3_000_00,
  cash_paise: 3_000_00,
};
const OTHER = { user_id: 'm1', name: 'Komal', shop_name: '', payments: 1, paise: 250_00, cash_paise: 0 };
const MINI = '0199aaaa-0000-7000-8000-000000000001';
const payment = (no: number, paid_on: string) => ({
  payment_id: `p${no}`,
  customer_id: `c${no}`,
  first_name: `Asha${no}`,
  last_name: 'Devi',
  device: 'Vivo Y18',
  receipt_no: `R/${no}`,
  amount_paise: 100_00 + no,
  method: 'CASH',
  paid_on,
  paid_at: `${paid_on}T10:30:00+05:30`,
  recorded_by: 'Ravi',
});

let asked: string[] = [];
let seen: (() => void)[] = [];
let userType = 'retailer';
let takers: object[] | undefined;
beforeEach(() => {
  [asked, seen] = [[], []];
  [userType, takers] = ['retailer', [OWN]];
  localStorage.setItem('token', 'T');
  vi.stubGlobal(
    'IntersectionObserver',
    class {
      constructor(heard: (seen: { isIntersecting: boolean }[]) => void) {
        seen.push(() => heard([{ isIntersecting: true }]));
      }
      observe() {}
      disconnect() {}
    },
  );
  vi.stubGlobal('fetch', async (request: Request | string) => {
    if (typeof request === 'string') return new Response('', { status: 404 });
    const { pathname, searchParams } = new URL(request.url);
    const ok = (data: unknown) => Response.json({ status: 200, response: 'success', message: '', data });
    if (pathname.endsWith('/api/user'))
      return ok({ list: [{ user_id: MINI, shop_name: 'Komal Gallery', mobile: '' }], total: 1 });
    if (!pathname.endsWith('/collections')) return ok({ user_type: userType, user_id: 'me', feature_access: '1' });
    const [on, days, page] = ['on', 'days', 'page'].map((name) => searchParams.get(name)!);
    const seller = searchParams.get('retailer_id') ?? searchParams.get('user_type');
    asked.push([on, days, page, seller].filter(Boolean).join(' '));
    const isEmpty = on === addDays(TODAY, -1);
    const numbers = isEmpty
      ? []
      : Array.from({ length: page === '1' ? 30 : 1 }, (_, at) => at + 30 * (Number(page) - 1));
    return ok({
      list: numbers.map((no) => payment(no, Number(days) > 1 && no > 20 ? addDays(TODAY, -1) : TODAY)),
      total: isEmpty ? 0 : PAYMENTS,
      page: Number(page),
      page_size: 30,
      from: addDays(on as never, 1 - Number(days)),
      to: on,
      paise: isEmpty ? 0 : 3_250_00,
      methods: isEmpty ? [] : METHODS,
      takers: isEmpty ? [] : takers,
    });
  });
});
afterEach(() => vi.unstubAllGlobals());

const Opened = () => <output>{JSON.stringify(useLocation().state)}</output>;
function show(search = '') {
  const router = createMemoryRouter(
    [
      { path: '/collections', Component: Screen },
      { path: '/view-emi-details/:customer_id', Component: Opened },
    ],
    { initialEntries: [`/collections${search}`] },
  );
  render(
    <Provider store={makeStore()}>
      <RouterProvider router={router} />
    </Provider>,
  );
  return router;
}
const day = () => screen.getByLabelText('collections.day');
const rows = () =>
  screen.queryAllByRole('link').filter((one) => one.getAttribute('href')?.startsWith('/view-emi-details/'));
const SLOW = { timeout: 4000 };

it('a day says what came in, by how, and each payment, which opens the EMIs of whoever paid', async () => {
  show();
  expect(await screen.findByText('3,250', { exact: false }, SLOW)).toBeVisible();
  expect(screen.getByText('emi.pay_CASH · 30').closest('div')).toHaveTextContent('₹3,000');
  expect(screen.getByText('emi.pay_UPI · 1').closest('div')).toHaveTextContent('₹250');
  expect(rows()).toHaveLength(30);
  expect(rows()[0]).toHaveAttribute('href', '/view-emi-details/c0');
  for (const words of ['Vivo Y18 · R/0 · Ravi', '₹100']) expect(rows()[0]).toHaveTextContent(words);
  expect(within(rows()[0]!).getByText('R/0'), 'a receipt’s number stays in one piece').toHaveClass('inline-block');
  expect(screen.getByText(new RegExp(`^${formatWholeDay(TODAY)} · `)), 'the day has its year').toBeVisible();
  expect(screen.getByText('collections.about')).toBeVisible();
  expect(screen.queryByText('collections.takers'), 'who took all of it alone is told nothing twice').toBeNull();
  expect(asked, 'sums and rows come with one answer').toEqual([`${TODAY} 1 1`]);
});

it('the next page comes below the first as one comes near its end', async () => {
  show();
  await screen.findByText('R/0', {}, SLOW);
  act(() => seen.at(-1)!());
  await screen.findByText('R/30', {}, SLOW);
  expect(rows()).toHaveLength(PAYMENTS);
});

it('a day that the end of a page cuts has one heading, and what follows stands below it', async () => {
  show('?days=14');
  await screen.findByText('R/0', {}, SLOW);
  act(() => seen.at(-1)!());
  await screen.findByText('R/30', {}, SLOW);
  const cut = formatWholeDay(addDays(TODAY, -1));
  expect(screen.getAllByRole('heading', { level: 2 }).map((one) => one.textContent)).toEqual(
    expect.arrayContaining([formatWholeDay(TODAY), cut]),
  );
  expect(screen.getAllByRole('heading', { name: cut })).toHaveLength(1);
  expect(screen.getAllByRole('region', { name: cut })).toHaveLength(1);
  expect(asked, 'and no page is asked for twice').toEqual([`${TODAY} 14 1`, `${TODAY} 14 2`]);
});

it('one steps from day to day, not beyond today; a day without money says so', async () => {
  show();
  await screen.findByText('R/0', {}, SLOW);
  const after = screen.getByRole('button', { name: 'collections.day_after' });
  expect(after).toBeDisabled();
  expect(after, 'and it looks so').toHaveClass('disabled:opacity-50');
  fireEvent.click(screen.getByRole('button', { name: 'collections.day_before' }));
  expect(await screen.findByText('collections.none', {}, SLOW)).toBeVisible();
  expect(day()).toHaveValue(addDays(TODAY, -1));
  fireEvent.click(screen.getByRole('button', { name: 'collections.day_after' }));
  await screen.findByText('R/0', {}, SLOW);
});

it('a day is typed or picked; what is half typed asks for nothing, and is gone with the focus', async () => {
  show();
  await screen.findByText('R/0', {}, SLOW);
  fireEvent.change(day(), { target: { value: '0202-01-05' } });
  expect(day()).toHaveValue('0202-01-05');
  fireEvent.blur(day());
  expect(day()).toHaveValue(TODAY);
  fireEvent.change(day(), { target: { value: '2026-01-05' } });
  expect(day()).toHaveValue('2026-01-05');
  await vi.waitFor(() => expect(asked).toEqual([`${TODAY} 1 1`, '2026-01-05 1 1']));
});

it('what another took is told apart, with the cash that lies in each till', async () => {
  takers = [OWN, OTHER];
  show();
  const group = within(await screen.findByRole('group', { name: 'collections.takers' }, SLOW));
  expect(group.getByText('Ravi Mobile').closest('div')).toHaveTextContent(
    /Ravi Mobile.*Ravi · collections\.payments.*₹3,000.*emi\.pay_CASH ₹3,000/,
  );
  expect(group.getByText('Komal').closest('div')).toHaveTextContent(/₹250.*emi\.pay_CASH ₹0/);
});

it('what an older build kept on the phone, without takers, is shown as it is', async () => {
  takers = undefined;
  show();
  expect(await screen.findByText('R/0', {}, SLOW)).toBeVisible();
  expect(screen.queryByText('collections.takers')).toBeNull();
});

it('a retailer narrows it to sales of one shop or of a kind; the address keeps it from day to day', async () => {
  const router = show(`?sold_by=${MINI}`);
  const field = await screen.findByLabelText('collections.sold_by', {}, SLOW);
  await vi.waitFor(() => expect(field).toHaveValue(MINI));
  fireEvent.click(screen.getByRole('button', { name: 'collections.day_before' }));
  await vi.waitFor(() => expect(asked).toEqual([`${TODAY} 1 1 ${MINI}`, `${addDays(TODAY, -1)} 1 1 ${MINI}`]));
  fireEvent.change(field, { target: { value: 'miniretailer' } });
  await vi.waitFor(() => expect(asked.at(-1)).toBe(`${addDays(TODAY, -1)} 1 1 miniretailer`));
  fireEvent.change(field, { target: { value: '' } });
  await vi.waitFor(() => expect(router.state.location.search).toBe(`?on=${addDays(TODAY, -1)}`));
});

it('a mini-retailer, who has one shop, is offered no choice of shops', async () => {
  userType = 'miniretailer';
  show();
  await screen.findByText('R/0', {}, SLOW);
  expect(screen.queryByLabelText('collections.sold_by')).toBeNull();
});

it('a payment’s page is told which days it was opened from', async () => {
  show('?days=14');
  fireEvent.click((await screen.findByText('R/0', {}, SLOW)).closest('a')!);
  expect(await screen.findByText('{"cameFrom":"/collections?days=14"}')).toBeVisible();
});

it('two weeks stand day by day; an address that asks for what is not shows today', async () => {
  show('?days=14');
  expect(await screen.findByRole('heading', { name: formatWholeDay(addDays(TODAY, -1)) }, SLOW)).toBeVisible();
  expect(asked[0]).toBe(`${TODAY} 14 1`);
  fireEvent.click(screen.getByRole('button', { name: 'collections.days', pressed: true }));
  await vi.waitFor(() => expect(asked.at(-1)).toBe(`${TODAY} 1 1`));
});

it.each([
  ['?on=2999-01-01', true],
  ['?on=2026-02-31', true],
  ['?on=1999-12-31', true],
  ['?on=yesterday', true],
  ['?days=1000', false],
  ['?days=x', false],
  ['?sold_by=nobody', false],
])('“%s” is today alone, which is said of a day that cannot be shown: %s', async (search, isSaid) => {
  show(search);
  await screen.findByText('R/0', {}, SLOW);
  expect(asked).toEqual([`${TODAY} 1 1`]);
  expect(screen.queryAllByText('collections.no_day')).toHaveLength(isSaid ? 1 : 0);
});
