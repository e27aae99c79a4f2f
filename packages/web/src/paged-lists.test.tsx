// @vitest-environment jsdom
import { act, renderHook } from '@testing-library/react';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import type { CallName } from '@kist/contract/paths';
import { api } from '#web/api/api.ts';
import { customerList, useCustomers } from '#web/screens/customer-list/use-customers.ts';
import { shopList, useShops } from '#web/screens/retailer-list/use-shops.ts';
import { appStore } from '#web/state/store.ts';
import type { pagedList, Pages } from '#web/widgets/paged-list/use-pages.ts';
// Loaded when a first question or answer comes; here before time stands still.
import '#web/api/send-call.ts';
import '#web/offline/kept-reads.ts';

type Answer = () => Response;
const success = (data: object) => Response.json({ status: 200, response: 'success', message: '', data });
const away: Answer = () =>
  Response.json({ status: 503, response: 'failure', message: 'Busy.', code: 'UNAVAILABLE' }, { status: 503 });
const portal: Answer = () => new Response('<h1>Sign in</h1>', { headers: { 'content-type': 'text/html' } });
const refused: Answer = () => {
  throw new TypeError('connection refused');
};

let outage: Answer | null = null;
/** What each of them owes now. */
let duePaise = 0;
let pages: string[] = [];
/** Pages of two rows, four in all, whatever list asks. */
const listOf = (page: string) => ({
  list: [1, 2].map((at) => ({ customer_id: `${page}-${at}`, user_id: `${page}-${at}`, due_paise: duePaise })),
  total: 4,
  page: Number(page),
  page_size: 2,
});
const realTimeout = setTimeout;
const turn = () => new Promise<void>((resolve) => realTimeout(resolve, 1));
async function pass(seconds: number): Promise<void> {
  for (let second = 0; second < seconds; second += 1) {
    await act(async () => {
      await vi.advanceTimersByTimeAsync(1000);
      await turn();
      await turn();
    });
  }
}
/** As `pass`, no longer than until it is so: how many real turns an answer takes is the machine's. */
async function passUntil(isSo: () => boolean, seconds: number): Promise<void> {
  for (let second = 0; second < seconds && !isSo(); second += 1) await pass(1);
  await until(isSo);
}
/** Real turns, while the clock of the app stands still. */
async function until(isSo: () => boolean): Promise<void> {
  for (let turns = 0; turns < 500 && !isSo(); turns += 1) await act(turn);
  expect(isSo()).toBe(true);
}

beforeEach(() => {
  outage = null;
  duePaise = 500_00;
  pages = [];
  localStorage.setItem('token', 'T');
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout', 'Date'] });
  vi.stubGlobal('fetch', async (asked: Request | string) => {
    if (typeof asked === 'string') return new Response('', { status: 404 });
    const page = new URL(asked.url).searchParams.get('page');
    if (page) pages.push(page);
    if (outage) return outage();
    return success(page ? listOf(page) : {});
  });
  // What every screen reads beside its own: by this the app learns that the server is back.
  void appStore.dispatch(api.endpoints.read.initiate({ name: 'getUserAccess', input: {} }));
});
afterEach(() => {
  appStore.dispatch(api.util.resetApiState());
  vi.useRealTimers();
  vi.unstubAllGlobals();
});

/** Money that was taken on the page beside the list, or on the next one. */
async function pay(read: CallName): Promise<void> {
  duePaise = 0;
  const made = { name: 'updateEmiStatus', input: { body: {} }, invalidates: ['getEmiDetails', read] } as const;
  await act(async () => void (await appStore.dispatch(api.endpoints.write.initiate({ ...made }))));
}
const owed = (rows: readonly object[] | undefined) => rows?.map((row) => (row as { due_paise: number }).due_paise);
const idsOf = (rows: readonly object[] | undefined) => rows?.map((row) => (row as { user_id: string }).user_id);

type PagedList<Row> = ReturnType<typeof pagedList<Row>>;

describe('the pages of customers', () => {
  readWell(
    customerList,
    () => useCustomers({}),
    () => useCustomers({ due: 'overdue' }),
  );
});
describe('the pages of shops', () => {
  readWell(
    shopList,
    () => useShops({ search: '', state: 'all' }),
    () => useShops({ search: '', state: 'suspended' }),
  );
});

/** What holds of every list that is read page by page: as a whole, and narrowed. */
function readWell<Row extends object>(list: PagedList<Row>, useAll: () => Pages<Row>, useSome: () => Pages<Row>): void {
  it.each([
    ['a 503 of our server', away],
    ['the page of a Wi-Fi that wants a sign-in', portal],
    ['a refused connection', refused],
  ])('a list that was opened during %s loads by itself when the server is back', async (_name, answer) => {
    outage = answer;
    const { result } = renderHook(useAll);
    await passUntil(() => result.current.error !== null, 5);
    expect(result.current.loaded).toBeNull();
    outage = null;
    await passUntil(() => result.current.loaded !== null, 70);
    expect(result.current.error).toBeNull();
    expect(result.current.loaded).toMatchObject({ total: 4, page: 1 });
    const asked = pages.length;
    await pass(30);
    expect(pages).toHaveLength(asked);
  });

  it('a later page that was lost is asked for again, by itself and by the button', async () => {
    const { result } = renderHook(useAll);
    await until(() => result.current.loaded !== null);
    outage = away;
    act(() => result.current.more());
    await until(() => result.current.error !== null);
    pages = [];
    act(() => result.current.retry());
    await until(() => pages.length > 0);
    expect(pages).toEqual(['2']);
    outage = null;
    await passUntil(() => result.current.loaded?.rows.length === 4, 70);
    expect(idsOf(result.current.loaded?.rows)).toEqual(['1-1', '1-2', '2-1', '2-2']);
  });

  it('money that is taken beside the list is in its rows at once, which meanwhile stay where they are', async () => {
    const { result } = renderHook(useAll);
    await until(() => result.current.loaded !== null);
    expect(owed(result.current.loaded?.rows)).toEqual([500_00, 500_00]);
    await pay(list.read);
    expect(result.current.loaded).not.toBeNull();
    await until(() => owed(result.current.loaded?.rows)?.[0] === 0);
    expect(result.current.loaded).toMatchObject({ total: 4, page: 1 });
  });

  it('whoever comes back from a payment finds the place and, a moment later, what is owed now', async () => {
    const first = renderHook(useAll);
    await until(() => first.result.current.loaded !== null);
    const { key, loaded } = first.result.current;
    first.unmount();
    const kept = { key, data: loaded!.rows, total: 4, page: 1, scrollPosition: 300, isTable: false, cache: undefined };
    list.keepPlace({ ...kept, at: Date.now() });
    const asked = pages.length;
    expect(renderHook(useAll).result.current.loaded).not.toBeNull();
    await act(turn);
    expect(pages).toHaveLength(asked);
    await pay(list.read);
    expect(list.placeOf(key)).toMatchObject({ scrollPosition: 300, isOld: true });
    const { result } = renderHook(useAll);
    expect(owed(result.current.loaded?.rows)).toEqual([500_00, 500_00]);
    await until(() => owed(result.current.loaded?.rows)?.[0] === 0);
  });

  it('what makes everything old, such as a clock that is moved, brings the rows that are loaded anew', async () => {
    const { result } = renderHook(useSome);
    await until(() => result.current.loaded !== null);
    act(() => result.current.more());
    await until(() => result.current.loaded?.rows.length === 4);
    duePaise = 0;
    act(() => void appStore.dispatch(api.util.invalidateTags(['getDashboard', list.read])));
    await until(() => owed(result.current.loaded?.rows)?.[0] === 0);
    expect(result.current.error).toBeNull();
  });
}
