// @vitest-environment jsdom
import { renderHook, waitFor } from '@testing-library/react';
import { Provider } from 'react-redux';
import { afterEach, expect, it, vi } from 'vitest';
import type { Dashboard } from '@kist/contract/reports';
import { makeStore } from '#web/state/store.ts';
import { type Filters, QUICK } from './filters.ts';
import { useCounts } from './use-counts.ts';

afterEach(() => vi.unstubAllGlobals());

/** Every figure is another number. */
const day = {
  statuses: { all: 90, '0': 10, '1': 11, '5': 15, '6': 16 },
  overdue: { customers: 20 },
  today: { customers: 21 },
  locked: 22,
  do_now: [{ kind: 'dispute_open', count: 23 }],
} as unknown as Dashboard;
const dues = { overdue: 20, today: 21, week: 31, month: 32 };

/** What Home counts by these conditions. */
function counted({ status, due, lock_status, disputed }: Filters): number | undefined {
  if (status) return day.statuses[status];
  if (due) return dues[due as keyof typeof dues];
  if (lock_status === '1') return day.locked;
  return disputed === '1' ? 23 : day.statuses['all'];
}

it('the number on a quick filter is that of the customers whom it finds', async () => {
  vi.stubGlobal('fetch', async (request: Request | string) => {
    if (typeof request === 'string') return new Response('', { status: 404 });
    const buckets = Object.entries(dues).map(([bucket, customers]) => ({ bucket, customers }));
    const data = request.url.includes('upcoming_emi_counts') ? buckets : day;
    return Response.json({ status: 200, response: 'success', message: '', data });
  });
  const store = makeStore();
  const { result } = renderHook(useCounts, {
    wrapper: ({ children }) => <Provider store={store}>{children}</Provider>,
  });
  await waitFor(() => expect(Object.keys(result.current)).toHaveLength(QUICK.length));
  for (const { id, filters } of QUICK) expect(result.current[id], id).toBe(counted(filters));
});
