// @vitest-environment jsdom
import { act, render, screen } from '@testing-library/react';
import { Provider } from 'react-redux';
import { MemoryRouter } from 'react-router';
import { afterEach, beforeEach, expect, it, vi } from 'vitest';
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
  ].map((row) => ({ ...row, overdue_paise: 500_00 }));
  const sort = new URL(request.url).searchParams.get('sort');
  if (sort === 'overdue') return late.toSorted((a, b) => b.days_past_due - a.days_past_due);
  return late.toSorted((a, b) => a.next_due_on.localeCompare(b.next_due_on));
};
/** The end came into sight, as a busy phone says it: together with the moment before. */
let seen: (() => void) | undefined;
beforeEach(() => {
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
    if (new URL(request.url).searchParams.get('due') === 'overdue') {
      const data = { list: lateBy(request), total: 3, page: 1, page_size: 30 };
      return Response.json({ status: 200, response: 'success', message: '', data });
    }
    const page = Number(new URL(request.url).searchParams.get('page'));
    const data = { list: [due(page * 2 - 2), due(page * 2 - 1)], total: 34, page, page_size: 30 };
    return Response.json({ status: 200, response: 'success', message: '', data });
  });
});
afterEach(() => vi.unstubAllGlobals());

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
