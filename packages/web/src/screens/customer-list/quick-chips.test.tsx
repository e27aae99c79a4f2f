// @vitest-environment jsdom
import { fireEvent, render, screen } from '@testing-library/react';
import { Provider } from 'react-redux';
import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { makeStore } from '#web/state/store.ts';
import type { Filters } from './filters.ts';
import { QuickChips } from './quick-chips.tsx';

const day = {
  statuses: { all: 90, '0': 10, '5': 15, '6': 16 },
  overdue: { customers: 20 },
  today: { customers: 21 },
  locked: 22,
  do_now: [],
};
let asked = 0;
beforeEach(() => {
  asked = 0;
  vi.stubGlobal('fetch', async (request: Request | string) => {
    if (typeof request === 'string') return new Response('', { status: 404 });
    asked += 1;
    const data = request.url.includes('upcoming_emi_counts') ? [{ bucket: 'week', customers: 31 }] : day;
    return Response.json({ status: 200, response: 'success', message: '', data });
  });
});
/** What one page asks is not counted as the next one's. */
afterEach(async () => {
  await vi.waitUntil(() => asked === 2);
  vi.unstubAllGlobals();
});

const changed: Filters[] = [];
function shown(filters: object) {
  changed.length = 0;
  render(
    <Provider store={makeStore()}>
      <QuickChips filters={filters as Filters} onFilters={(next) => changed.push(next)} />
    </Provider>,
  );
}
const press = (name: string) =>
  fireEvent.click(screen.getByRole('button', { name: new RegExp(`^customers.quick_${name}`) }));

it('a number stands on a quick filter where a press opens just as many', async () => {
  shown({ due: 'today', sort: 'due' });
  expect(await screen.findByRole('button', { name: /quick_overdue ?20/ })).toBeVisible();
  press('overdue');
  press('locked');
  expect(changed).toEqual([{ due: 'overdue', sort: 'overdue' }, { lock_status: '1' }]);
});

it('sorted by how long they are overdue the list is that of the overdue, and no number of another stands there', async () => {
  shown({ sort: 'overdue' });
  expect(await screen.findByRole('button', { name: /quick_overdue ?20/, pressed: true })).toBeVisible();
});

it('what is locked and sorted by how long it is overdue nobody has counted', async () => {
  shown({ lock_status: '1', sort: 'overdue' });
  await vi.waitFor(() => expect(asked).toBe(2));
  expect(screen.queryByRole('button', { name: /\d/ })).toBeNull();
});

it.each([
  [{ search: 'asha' }, { search: 'asha', due: 'overdue', sort: 'overdue' }],
  [{ plan_id: 7 }, { plan_id: 7, due: 'overdue', sort: 'overdue' }],
  [
    { dpd: '1_30', sort: 'name' },
    { dpd: '1_30', due: 'overdue', sort: 'overdue' },
  ],
  [
    { plan_id: 7, due: 'today', sort: 'due' },
    { plan_id: 7, due: 'overdue', sort: 'overdue' },
  ],
  [
    { status: '1', lock_status: '1' },
    { status: '1', due: 'overdue', sort: 'overdue' },
  ],
])(
  'beside %o nobody has counted what a press opens: no number stands there, and all else is kept',
  async (given, opened) => {
    shown(given);
    await vi.waitFor(() => expect(asked).toBe(2));
    await new Promise((done) => setTimeout(done, 20));
    expect(
      screen
        .getAllByRole('button')
        .map(({ textContent }) => textContent)
        .filter((words) => /\d/.test(words)),
    ).toEqual([]);
    press('overdue');
    expect(changed).toEqual([opened]);
  },
);

it('all customers are those of the search alone', () => {
  shown({ search: 'asha', plan_id: 7, due: 'overdue', sort: 'overdue' });
  press('all');
  expect(changed).toEqual([{ search: 'asha' }]);
});
