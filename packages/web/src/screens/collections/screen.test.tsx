// @vitest-environment jsdom
import { act, fireEvent, render, screen, within } from '@testing-library/react';
import { Provider } from 'react-redux';
import { MemoryRouter } from 'react-router';
import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { formatDay, shopToday } from '#web/i18n/formats.ts';
import { makeStore } from '#web/state/store.ts';
import { addDays } from '@kist/contract/dates';
import { Screen } from './screen.tsx';

const TODAY = shopToday();
const PAYMENTS = 31;
const METHODS = [
  { method: 'CASH', payments: 30, paise: 3_000_00 },
  { method: 'UPI', payments: 1, paise: 250_00 },
];
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
beforeEach(() => {
  [asked, seen] = [[], []];
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
    if (!pathname.endsWith('/collections')) return ok({ user_type: 'retailer', feature_access: '1' });
    const [on, days, page] = ['on', 'days', 'page'].map((name) => searchParams.get(name)!);
    asked.push(`${on} ${days} ${page}`);
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
    });
  });
});
afterEach(() => vi.unstubAllGlobals());

const show = (search = '') =>
  render(
    <Provider store={makeStore()}>
      <MemoryRouter initialEntries={[`/collections${search}`]}>
        <Screen />
      </MemoryRouter>
    </Provider>,
  );
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
  for (const words of ['Vivo Y18 · R/0 · Ravi', '₹100'])
    expect(within(rows()[0]!).getByText(words, { exact: false })).toBeVisible();
  expect(asked, 'sums and rows come with one answer').toEqual([`${TODAY} 1 1`]);
});

it('the next page comes below the first as one comes near its end', async () => {
  show();
  await screen.findByText('Vivo Y18 · R/0 · Ravi', {}, SLOW);
  act(() => seen.at(-1)!());
  await screen.findByText('Vivo Y18 · R/30 · Ravi', {}, SLOW);
  expect(rows()).toHaveLength(PAYMENTS);
});

it('one steps from day to day, not beyond today; a day without money says so', async () => {
  show();
  await screen.findByText('Vivo Y18 · R/0 · Ravi', {}, SLOW);
  const after = screen.getByRole('button', { name: 'collections.day_after' });
  expect(after).toBeDisabled();
  expect(after, 'and it looks so').toHaveClass('disabled:opacity-50');
  fireEvent.click(screen.getByRole('button', { name: 'collections.day_before' }));
  expect(await screen.findByText('collections.none', {}, SLOW)).toBeVisible();
  expect(screen.getByRole('button', { name: formatDay(addDays(TODAY, -1)) })).toHaveAttribute('aria-pressed', 'true');
  fireEvent.click(screen.getByRole('button', { name: 'collections.day_after' }));
  await screen.findByText('Vivo Y18 · R/0 · Ravi', {}, SLOW);
});

it('two weeks stand day by day; an address that asks for what is not shows today', async () => {
  show('?days=14');
  expect(await screen.findByRole('heading', { name: formatDay(addDays(TODAY, -1)) }, SLOW)).toBeVisible();
  expect(asked[0]).toBe(`${TODAY} 14 1`);
  fireEvent.click(screen.getByRole('button', { name: formatDay(TODAY) }));
  await vi.waitFor(() => expect(asked.at(-1)).toBe(`${TODAY} 1 1`));
});

it.each(['?on=2999-01-01', '?on=yesterday', '?days=1000', '?days=x'])('“%s” is today alone', async (search) => {
  show(search);
  await screen.findByText('Vivo Y18 · R/0 · Ravi', {}, SLOW);
  expect(asked).toEqual([`${TODAY} 1 1`]);
});
