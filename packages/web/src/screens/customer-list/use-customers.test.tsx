// @vitest-environment jsdom
import { act, renderHook } from '@testing-library/react';
import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { api } from '#web/api/api.ts';
import { learnShopTime } from '#web/state/shop-clock.ts';
import { appStore } from '#web/state/store.ts';
import { useCustomers } from './use-customers.ts';
// Loaded when a first answer comes; here before time stands still.
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
let pages: string[] = [];
/** Pages of two rows, four in all. */
const listOf = (page: string) => ({
  list: [1, 2].map((at) => ({ customer_id: `${page}-${at}` })),
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
/** Real turns, while the clock of the app stands still. */
async function until(isSo: () => boolean): Promise<void> {
  for (let turns = 0; turns < 500 && !isSo(); turns += 1) await act(turn);
  expect(isSo()).toBe(true);
}

beforeEach(() => {
  outage = null;
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

it.each([
  ['a 503 of our server', away],
  ['the page of a Wi-Fi that wants a sign-in', portal],
  ['a refused connection', refused],
])('a list that was opened during %s loads by itself when the server is back', async (_name, answer) => {
  outage = answer;
  const { result } = renderHook(() => useCustomers({}));
  await pass(5);
  expect(result.current.error).not.toBeNull();
  expect(result.current.loaded).toBeNull();
  outage = null;
  await pass(70);
  expect(result.current.error).toBeNull();
  expect(result.current.loaded).toMatchObject({ total: 4, page: 1 });
  const asked = pages.length;
  await pass(30);
  expect(pages).toHaveLength(asked);
});

it('a later page that was lost is asked for again, by itself and by the button', async () => {
  const { result } = renderHook(() => useCustomers({}));
  await until(() => result.current.loaded !== null);
  outage = away;
  act(() => result.current.more());
  await until(() => result.current.error !== null);
  pages = [];
  act(() => result.current.retry());
  await until(() => pages.length > 0);
  expect(pages).toEqual(['2']);
  outage = null;
  await pass(70);
  expect(result.current.loaded?.rows.map((row) => row.customer_id)).toEqual(['1-1', '1-2', '2-1', '2-2']);
});

it('a clock that is moved brings the list anew: its days past due are of another day', async () => {
  const { result } = renderHook(() => useCustomers({}));
  await until(() => result.current.loaded !== null);
  const asked = pages.length;
  learnShopTime(new Date().toISOString());
  learnShopTime(new Date(Date.now() + 3 * 86_400_000).toISOString());
  await until(() => pages.length > asked);
  expect(pages.slice(asked)).toEqual(['1']);
  learnShopTime(new Date().toISOString());
  await until(() => !result.current.isLoading);
});
