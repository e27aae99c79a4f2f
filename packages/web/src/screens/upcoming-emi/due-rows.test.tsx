// @vitest-environment jsdom
import { act, cleanup, fireEvent, render, screen, within } from '@testing-library/react';
import { Provider } from 'react-redux';
import { MemoryRouter } from 'react-router';
import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { outbox } from '#web/offline/app-outbox.ts';
import { endSession } from '#web/state/session.ts';
import { makeStore } from '#web/state/store.ts';
import { DueRows } from './due-rows.tsx';

const DAYS = ['2026-12-21', '2026-12-22', '2026-12-22', '2026-12-23'];
/** Two pages of two: the second goes on with the day that the first ends with. */
const due = (at: number) => ({
  customer_id: `c${at}`,
  first_name: `Name${at}`,
  last_name: '',
  mobile: '',
  device: '',
  instalment_no: 7,
  instalment_place: 1,
  left_paise: 500_00,
  due_on: DAYS[at],
  days_past_due: 0,
  reminded_at: null,
});
/** Whose next EMI comes first is not who is late for longest. */
const lateBy = (request: Request) => {
  const late = [
    { ...due(0), next_due_on: '2026-10-03', days_past_due: 5 },
    { ...due(1), next_due_on: '2026-10-01', days_past_due: 9 },
    { ...due(2), next_due_on: '2026-10-02', days_past_due: 40 },
  ].map((row) => ({
    ...row,
    overdue_paise: 500_00,
    reminded_at: row.customer_id === 'c1' ? '2026-03-09T12:00:00Z' : null,
  }));
  const sort = new URL(request.url).searchParams.get('sort');
  if (sort === 'overdue') return late.toSorted((a, b) => b.days_past_due - a.days_past_due);
  return late.toSorted((a, b) => a.next_due_on.localeCompare(b.next_due_on));
};
/** The end came into sight, as a busy phone says it: together with the moment before. */
let seen: (() => void) | undefined;
let isWide = false;
beforeEach(() => {
  isWide = false;
  const media = { addEventListener: () => undefined, removeEventListener: () => undefined };
  vi.stubGlobal('matchMedia', () => Object.defineProperty({ ...media }, 'matches', { get: () => isWide }));
  vi.stubGlobal(
    'IntersectionObserver',
    class {
      constructor(tell: (entries: { isIntersecting: boolean }[]) => void) {
        seen = () => tell([{ isIntersecting: false }, { isIntersecting: true }]);
      }
      observe() {}
      disconnect() {}
    },
  );
  vi.stubGlobal('fetch', async (request: Request) => {
    if (request.url.endsWith('/get_emi_details')) {
      const data = { agreement: { overdue_paise: 500_00 }, instalments: [], payments: [] };
      return Response.json({ status: 200, response: 'success', message: '', data });
    }
    if (new URL(request.url).searchParams.get('due') === 'overdue') {
      const data = { list: lateBy(request), total: 3, page: 1, page_size: 30 };
      return Response.json({ status: 200, response: 'success', message: '', data });
    }
    const page = Number(new URL(request.url).searchParams.get('page'));
    const data = { list: [due(page * 2 - 2), due(page * 2 - 1)], total: 34, page, page_size: 30 };
    return Response.json({ status: 200, response: 'success', message: '', data });
  });
});
afterEach(() => {
  // What is drawn last still looks for the page's end.
  cleanup();
  endSession();
  vi.unstubAllGlobals();
});

it('a day has its date above it once, also where its EMIs go on on the next page', async () => {
  render(
    <Provider store={makeStore()}>
      <MemoryRouter>
        <DueRows bucket="month" sum={{ customers: 34, paise: 0 }} onCollect={() => undefined} />
      </MemoryRouter>
    </Provider>,
  );
  await screen.findByText('Name1');
  act(() => seen?.());
  await screen.findByText('Name3');
  expect(screen.getAllByRole('heading', { level: 2 }).map(({ textContent }) => textContent)).toHaveLength(3);
});

it('of what is overdue the longest late comes first', async () => {
  render(
    <Provider store={makeStore()}>
      <MemoryRouter>
        <DueRows bucket="overdue" sum={{ customers: 3, paise: 0 }} onCollect={() => undefined} />
      </MemoryRouter>
    </Provider>,
  );
  await screen.findByText('Name2');
  expect(screen.getAllByText(/^Name\d$/).map(({ textContent }) => textContent)).toEqual(['Name2', 'Name1', 'Name0']);
});

/** Takes money of a customer without a network; as the server refuses it later, where it does. */
async function taken(paise: number, isRefused = false) {
  const online = fetch;
  localStorage.setItem('user_id', 'sunita');
  vi.stubGlobal('fetch', async () => {
    throw new TypeError('Failed to fetch');
  });
  const call = { name: 'updateEmiStatus', input: { body: { instalment_id: 'i', amount: paise } }, label: '' } as const;
  await outbox.put({ ...call, about: 'c1', paise });
  const failure = { status: 409, response: 'failure', code: 'STATE_CONFLICT', message: '' };
  vi.stubGlobal('fetch', async () => Response.json(failure, { status: 409 }));
  if (isRefused) await outbox.replay(true);
  vi.stubGlobal('fetch', online);
}
const dropAll = async () => {
  for (const { id } of outbox.entries()) await outbox.discard(id);
};
const show = (bucket: 'overdue' | 'month', onRemind?: (id: string) => void) =>
  render(
    <Provider store={makeStore()}>
      <MemoryRouter>
        <DueRows bucket={bucket} sum={{ customers: 3, paise: 0 }} onCollect={() => undefined} onRemind={onRemind} />
      </MemoryRouter>
    </Provider>,
  );

it.each(['overdue', 'month'] as const)(
  'money that waits to be sent stands in its customer’s row of %s and in no other, and its amount is not offered again there',
  async (bucket) => {
    await taken(500_00);
    show(bucket);
    const row = (await screen.findByText('Name1')).closest('div')!;
    expect(within(row).getByText('₹500 · shell.not_sent')).toBeVisible();
    expect(within(row).getByRole('button', { name: /emi\.collect/ })).not.toHaveTextContent('500');
    expect(row.querySelector('a')).toHaveTextContent('₹500');
    expect(screen.getAllByText(/shell\.not_sent/)).toHaveLength(1);
    const other = screen.getByText('Name0').closest('div')!;
    expect(within(other).getByRole('button', { name: /emi\.collect/ })).toHaveTextContent('500');
    await dropAll();
  },
);

it('money that the server refused stands in the row too', async () => {
  await taken(500_00, true);
  show('overdue');
  expect(await screen.findByText('₹500 · shell.outbox_failed')).toBeVisible();
  await dropAll();
});

it('by columns it stands there too', async () => {
  isWide = true;
  await taken(500_00);
  show('overdue');
  const row = (await screen.findByText('Name1')).closest('tr')!;
  expect(within(row).getByText('₹500 · shell.not_sent')).toBeVisible();
  await dropAll();
});

it('a row of what is overdue says when its customer was reminded last, beside how late it is', async () => {
  show('overdue');
  const row = (await screen.findByText('Name1')).closest('div')!;
  expect(within(row).getByText('dues.reminded')).toBeVisible();
  expect(within(row).getByText('customers.late')).toBeVisible();
  expect(screen.getAllByText('dues.reminded')).toHaveLength(1);
});

it.each(['overdue', 'month'] as const)('from a row of %s its customer is reminded, by who may', async (bucket) => {
  const onRemind = vi.fn<(id: string) => void>();
  const { unmount } = show(bucket, onRemind);
  fireEvent.click(await screen.findByRole('button', { name: 'emi.remind Name1' }));
  expect(onRemind.mock.calls).toEqual([['c1']]);
  unmount();
  show(bucket);
  await screen.findByText('Name1');
  expect(screen.queryByRole('button', { name: /emi\.remind/ })).toBeNull();
});
