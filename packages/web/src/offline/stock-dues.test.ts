// @vitest-environment jsdom
import 'fake-indexeddb/auto';
import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { api } from '#web/api/api.ts';
import { keptAtMs } from '#web/api/kept-at.ts';
import { endSession } from '#web/state/session.ts';
import { store } from '#web/state/storage.ts';
import { appStore } from '#web/state/store.ts';
import { outbox } from './app-outbox.ts';
import { stockDues } from './stock-dues.ts';
import { awayNow } from './sync-state.ts';

const realTimeout = setTimeout;
const turns = (ms = 100) => new Promise<void>((resolve) => realTimeout(resolve, ms));
const success = (data: object) => Response.json({ status: 200, response: 'success', message: '', data });
const DUE_ON = '2026-12-05';
let overduePaise = 500_00;
const detailsOf = (customer_id: string) => ({
  agreement: { customer_id, overdue_paise: overduePaise },
  instalments: [{ due_on: DUE_ON, left_paise: 300_00 }],
  payments: [],
});
/** Whose EMIs were asked for, how many of them at most at once, and what no answer came to. */
let asked: string[] = [];
let atOnce = { now: 0, most: 0 };
let isCut = false;
let cut = 0;
beforeEach(() => {
  [asked, atOnce, isCut, cut, overduePaise] = [[], { now: 0, most: 0 }, false, 0, 500_00];
  store('token', 'T');
  store('user_id', 'sunita');
  // The pause between two of them is nothing here.
  vi.stubGlobal('setTimeout', (run: () => void, ms = 0) => realTimeout(run, ms === 100 ? 0 : ms));
  vi.stubGlobal('requestIdleCallback', (run: () => void) => realTimeout(run));
  vi.stubGlobal('fetch', async (request: Request | string) => {
    if (typeof request === 'string') return new Response('', { status: 404 });
    if (isCut) {
      cut += 1;
      throw new TypeError('network');
    }
    if (!request.url.endsWith('/get_emi_details')) return success({});
    const { customer_id } = (await request.json()) as { customer_id: string };
    asked.push(customer_id);
    atOnce = { now: atOnce.now + 1, most: Math.max(atOnce.most, atOnce.now + 1) };
    await turns(1);
    atOnce.now -= 1;
    return success(detailsOf(customer_id));
  });
});
afterEach(async () => {
  isCut = false;
  for (const { id } of outbox.entries()) await outbox.discard(id);
  await someAnswer();
  endSession();
  appStore.dispatch(api.util.resetApiState());
  vi.unstubAllGlobals();
});

const someAnswer = () =>
  appStore.dispatch(
    api.endpoints.read.initiate({ name: 'getDashboard', input: {} }, { subscribe: false, forceRefetch: true }),
  );
const overdue = (...ids: string[]) => ids.map((customer_id) => ({ customer_id, overdue_paise: 500_00 }));
/** @returns whose EMIs were asked for, once they are so many */
const askedOf = async (count: number) => {
  await vi.waitUntil(() => asked.length >= count, { timeout: 4000 });
  return asked;
};
const emisOf = (customer_id: string) => ({ name: 'getEmiDetails', input: { body: { customer_id } } }) as const;

it('the EMIs of every row that was read are brought one after the other, and are there without a network, with their time', async () => {
  stockDues(overdue('a1', 'a2', 'a3'));
  expect(await askedOf(3)).toEqual(['a1', 'a2', 'a3']);
  await turns();
  expect(atOnce.most).toBe(1);
  isCut = true;
  const { data } = await appStore.dispatch(
    api.endpoints.read.initiate(emisOf('a2'), { subscribe: false, forceRefetch: true }),
  );
  expect(data).toEqual(detailsOf('a2'));
  expect(Date.now() - (keptAtMs(emisOf('a2')) ?? 0)).toBeLessThan(10_000);
});

it('what is kept and says what the row says is not asked for again; after an hour, or where money came in between, it is', async () => {
  stockDues(overdue('b1', 'b2'));
  expect(await askedOf(2)).toEqual(['b1', 'b2']);
  await turns();
  asked = [];
  stockDues([...overdue('b1'), { customer_id: 'b2', due_on: DUE_ON, left_paise: 300_00 }, ...overdue('b3')]);
  expect(await askedOf(1)).toEqual(['b3']);
  await turns();
  asked = [];
  stockDues([
    { customer_id: 'b1', overdue_paise: 200_00 },
    { customer_id: 'b2', due_on: DUE_ON, left_paise: 100_00 },
  ]);
  expect(await askedOf(2)).toEqual(['b1', 'b2']);
  await turns();
  asked = [];
  const now = Date.now();
  vi.spyOn(Date, 'now').mockImplementation(() => now + 3_700_000);
  stockDues(overdue('b3'));
  expect(await askedOf(1)).toEqual(['b3']);
});

it('when the network goes the rest waits, and is brought when the server is back', async () => {
  isCut = true;
  stockDues(overdue('c1', 'c2'));
  await vi.waitFor(() => expect(awayNow()).not.toBeNull());
  await turns();
  expect(cut).toBe(1);
  isCut = false;
  await someAnswer();
  expect(await askedOf(2)).toEqual(['c1', 'c2']);
});

it('what was kept of a customer is read anew once the money that waited here is with the server', async () => {
  stockDues(overdue('d1', 'd2'));
  expect(await askedOf(2)).toEqual(['d1', 'd2']);
  await turns();
  [asked, isCut] = [[], true];
  const call = { name: 'updateEmiStatus', input: { body: { instalment_id: 'i', amount: 500_00 } }, label: '' } as const;
  expect(await outbox.put({ ...call, about: 'd2', paise: 500_00 })).toEqual({ state: 'queued' });
  await turns();
  expect(asked).toEqual([]);
  [isCut, overduePaise] = [false, 0];
  await outbox.replay(true);
  expect(await askedOf(1)).toEqual(['d2']);
});

it('no more are brought than half of what this phone keeps, and none for nobody', async () => {
  store('user_id', '');
  stockDues(overdue('e1'));
  await turns();
  expect(asked).toEqual([]);
  store('user_id', 'sunita');
  stockDues(overdue(...Array.from({ length: 300 }, (_, at) => `e${at + 2}`)));
  await vi.waitFor(() => expect(asked).toHaveLength(200), { timeout: 30_000 });
  await turns();
  expect(asked).toHaveLength(200);
}, 40_000);

it('of whoever signs out before the first is brought none is asked for', async () => {
  stockDues(overdue('y1', 'y2'));
  endSession();
  await turns();
  expect(asked).toEqual([]);
});
