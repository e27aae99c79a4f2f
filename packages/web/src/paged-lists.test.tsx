// @vitest-environment jsdom
import { act, cleanup, renderHook } from '@testing-library/react';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import type { CallName } from '@kist/contract/paths';
import { api } from '#web/api/api.ts';
import { customerList, useCustomers } from '#web/screens/customer-list/use-customers.ts';
import { shopList, useShops } from '#web/screens/retailer-list/use-shops.ts';
import { endSession } from '#web/state/session.ts';
import { store } from '#web/state/storage.ts';
import { appStore } from '#web/state/store.ts';
import { usePlace } from '#web/widgets/paged-list/place.ts';
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
/** Who is there, in the server's order. */
const FOUR = ['1-1', '1-2', '2-1', '2-2'];
let there = FOUR;
/** Rows of a page of twenty; so many fewer of a longer one. */
let ofTwenty = 2;
let pages: string[] = [];
/** What a page is waited for instead. */
let held: Promise<Response> | null = null;
const rowOf = (id: string) => ({ customer_id: id, user_id: id, due_paise: duePaise });
/** A page of them, whatever list asks. */
function listOf(asked: URLSearchParams) {
  const [page, page_size] = [Number(asked.get('page')), (Number(asked.get('page_size')) / 20) * ofTwenty];
  const list = there.slice((page - 1) * page_size, page * page_size).map(rowOf);
  return { list, total: there.length, page, page_size };
}
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
  there = FOUR;
  ofTwenty = 2;
  held = null;
  pages = [];
  localStorage.setItem('token', 'T');
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout', 'Date'] });
  vi.stubGlobal('fetch', async (asked: Request | string) => {
    if (typeof asked === 'string') return new Response('', { status: 404 });
    const { searchParams } = new URL(asked.url);
    const page = searchParams.get('page');
    if (page) pages.push(page);
    if (outage) return outage();
    if (page && held) return held;
    return success(page ? listOf(searchParams) : {});
  });
  // What every screen reads beside its own: by this the app learns that the server is back.
  void appStore.dispatch(api.endpoints.read.initiate({ name: 'getUserAccess', input: {} }));
});
afterEach(() => {
  cleanup();
  endSession();
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
  readWell(customerList, (isSome) => useCustomers(isSome ? { due: 'overdue' } : {}));
});
describe('pages of customers that this phone kept', () => {
  let users = 0;
  beforeEach(() => store('user_id', `sunita-${(users += 1)}`));
  // The server is back: what asks for it again must not wait by a clock that is gone with this test.
  afterEach(async () => {
    outage = null;
    await appStore.dispatch(api.endpoints.read.initiate({ name: 'getUserAccess', input: {} }, { forceRefetch: true }));
  });
  const HOUR_MS = 3_600_000;
  type Shown = Awaited<ReturnType<typeof show>>;
  const show = async () => {
    const shown = renderHook(() => useCustomers({}));
    await until(() => shown.result.current.loaded !== null);
    return shown;
  };
  /** As somebody who scrolls on: what asks for more while the rows are read anew is not heard. */
  const scroll = ({ result }: Shown) =>
    until(() => {
      result.current.more();
      return result.current.loaded?.rows.length === 4;
    });
  const makeOld = () => act(() => void appStore.dispatch(api.util.invalidateTags(['listCustomers'])));
  /** What was read until now is put aside, and an hour goes by. */
  const anHourLater = async () => {
    await pass(1);
    vi.setSystemTime(Date.now() + HOUR_MS);
  };
  const hoursOld = ({ result }: Shown) => Math.round((Date.now() - result.current.loaded!.keptAtMs!) / HOUR_MS);

  it('do not take the place of rows that were read since: when nobody answers these stay', async () => {
    const shown = await show();
    const nowOwed = () => owed(shown.result.current.loaded?.rows);
    await scroll(shown);
    duePaise = 400_00;
    makeOld();
    await until(() => nowOwed()?.[0] === 400_00);
    duePaise = 300_00;
    await act(() => shown.result.current.refresh());
    await until(() => nowOwed()?.length === 2);
    await scroll(shown);
    await pass(1);
    outage = refused;
    pages = [];
    makeOld();
    await until(() => pages.length > 0);
    await pass(1);
    expect(nowOwed()).toEqual([300_00, 300_00, 300_00, 300_00]);
  });

  it.each(['the first', 'a later one'])('say how old the oldest of them is, be it %s', async (oldest) => {
    const read = await show();
    if (oldest === 'a later one') await scroll(read);
    await anHourLater();
    if (oldest === 'the first') await scroll(read);
    else await show();
    await pass(1);
    cleanup();
    outage = refused;
    const kept = await show();
    expect(hoursOld(kept)).toBe(oldest === 'the first' ? 1 : 0);
    await scroll(kept);
    expect(hoursOld(kept)).toBe(1);
  });

  it('say how old they are to whoever comes back to them from elsewhere too', async () => {
    const visit = () =>
      renderHook(() => {
        const shown = useCustomers({});
        usePlace(shown, false, shown.keepPlace);
        return shown;
      });
    await show();
    await anHourLater();
    cleanup();
    outage = refused;
    const { result, unmount } = visit();
    await until(() => result.current.loaded !== null);
    unmount();
    const back = visit();
    expect(back.result.current.restored).toBeDefined();
    expect(hoursOld(back)).toBe(1);
  });
});
describe('the pages of shops', () => {
  readWell(shopList, (isSome) => useShops({ search: '', state: isSome ? 'suspended' : 'all' }));
});

/** What holds of every list that is read page by page: as a whole, and narrowed. */
function readWell<Row extends object>(list: PagedList<Row>, useRows: (isSome: boolean) => Pages<Row>): void {
  const useAll = () => useRows(false);
  const useSome = () => useRows(true);
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

  it.each([
    [403, 'FEATURE_NOT_ALLOWED'],
    [404, 'NOT_FOUND'],
  ])('a list that the server said no to by %i is not asked for again by itself', async (status, code) => {
    outage = () => Response.json({ status, response: 'failure', message: 'No.', code }, { status });
    const { result } = renderHook(useAll);
    await passUntil(() => result.current.error !== null, 5);
    expect(result.current.error).toMatchObject({ code });
    expect(pages).toEqual(['1']);
    await pass(30);
    expect(pages).toEqual(['1']);
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
    const { key, rows: data } = first.result.current.loaded!;
    first.unmount();
    const kept = { key, data, total: 4, page: 1, scrollPosition: 300, isTable: false, cache: undefined };
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

  it('of more rows than are read anew one that comes up from below them stands once, at its new place', async () => {
    const before = Array.from({ length: 1020 }, (_, at) => `r-${at}`);
    const first = renderHook(useAll);
    await until(() => first.result.current.loaded !== null);
    const { key } = first.result.current.loaded!;
    first.unmount();
    const data = before.map(rowOf) as unknown as Row[];
    const place = { scrollPosition: 300, isTable: false, cache: undefined, at: Date.now(), isOld: true };
    list.keepPlace({ key, data, total: 1020, page: 51, ...place });
    const last = before.at(-1)!;
    there = [last, ...before.slice(0, -1)];
    ofTwenty = 20;
    const { result } = renderHook(useAll);
    await until(() => idsOf(result.current.loaded?.rows)?.[0] === last);
    const ids = idsOf(result.current.loaded?.rows)!;
    expect(ids.filter((id) => id === last)).toHaveLength(1);
    expect(new Set(ids).size).toBe(ids.length);
  });

  it.each([
    [4, 'its rows stay on the screen and in their own place'],
    [0, 'an empty screen waits for it'],
  ])('of %i rows another filter is asked for: until it is answered %s', async (count) => {
    there = FOUR.slice(0, count);
    const { result, rerender, unmount } = renderHook(
      ({ isSome }) => {
        const shown = useRows(isSome);
        usePlace(shown, false, shown.keepPlace);
        return shown;
      },
      { initialProps: { isSome: false } },
    );
    await until(() => result.current.loaded !== null);
    const { key } = result.current.loaded!;
    held = new Promise(() => undefined);
    pages = [];
    rerender({ isSome: true });
    await until(() => pages.length === 1);
    expect(result.current.loaded?.key).toBe(count === 0 ? undefined : key);
    expect(result.current.isStale).toBe(count !== 0);
    unmount();
    held = null;
    pages = [];
    const again = renderHook(useSome);
    expect(again.result.current.loaded).toBeNull();
    await until(() => again.result.current.loaded !== null);
    expect(pages).toEqual(['1']);
    expect(list.placeOf(key)?.total).toBe(count || undefined);
  });

  it('an answer to the filter of before changes nothing, however late it comes', async () => {
    const { result, rerender } = renderHook(({ isSome }) => useRows(isSome), { initialProps: { isSome: false } });
    await until(() => result.current.loaded !== null);
    const { key } = result.current.loaded!;
    let answer!: (page: Response) => void;
    held = new Promise((resolve) => (answer = resolve));
    pages = [];
    act(() => result.current.more());
    await until(() => pages.length === 1);
    held = null;
    rerender({ isSome: true });
    await until(() => result.current.loaded !== null && !result.current.isStale);
    answer(success(listOf(new URLSearchParams({ page: '2', page_size: '20' }))));
    await pass(1);
    expect(idsOf(result.current.loaded?.rows)).toEqual(['1-1', '1-2']);
    expect(result.current.loaded?.key).not.toBe(key);
  });

  it('of a filter that nobody answers it is said why, and no rows of before stand for it', async () => {
    const { result, rerender } = renderHook(({ isSome }) => useRows(isSome), { initialProps: { isSome: false } });
    await until(() => result.current.loaded !== null);
    const { key } = result.current.loaded!;
    outage = away;
    rerender({ isSome: true });
    await passUntil(() => result.current.error !== null, 5);
    expect(result.current).toMatchObject({ loaded: null, isStale: false });
    outage = null;
    rerender({ isSome: false });
    await until(() => result.current.loaded?.key === key && result.current.error === null);
    expect(result.current.isStale).toBe(false);
    rerender({ isSome: true });
    await passUntil(() => result.current.loaded !== null && !result.current.isStale, 70);
    expect(result.current.loaded?.key).not.toBe(key);
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
