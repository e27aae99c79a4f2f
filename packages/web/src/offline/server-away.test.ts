// @vitest-environment jsdom
import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { api } from '#web/api/api.ts';
import { appStore } from '#web/state/store.ts';
import { outbox, startOutbox } from './app-outbox.ts';

type Answer = () => Response;
const json =
  (status: number, body: object, headers: Record<string, string> = {}): Answer =>
  () =>
    Response.json(body, { status, headers });
const away = json(
  503,
  { status: 503, response: 'failure', message: 'Busy.', code: 'UNAVAILABLE' },
  { 'retry-after': '1' },
);
const page =
  (status: number): Answer =>
  () =>
    new Response('<h1>nginx</h1>', { status, headers: { 'content-type': 'text/html' } });
const cut: Answer = () => {
  throw new TypeError('network');
};
const paid = json(200, { status: 200, response: 'success', message: 'Saved.', data: { receipt_no: 'R-1' } });

let answers: Answer[] = [];
let keys: (string | null)[] = [];
/** Work beside timers (sealing, sending) takes real turns. */
const realTimeout = setTimeout;
const turn = () => new Promise<void>((resolve) => realTimeout(resolve, 1));
/** Lets time pass by the second until the server was asked so often. */
async function untilAsked(times: number): Promise<void> {
  for (let second = 0; keys.length < times && second < 400; second += 1) {
    await vi.advanceTimersByTimeAsync(1000);
    await turn();
  }
}

beforeEach(() => {
  keys = [];
  localStorage.setItem('token', 'T');
  localStorage.setItem('user_id', 'sunita');
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout', 'Date'] });
  vi.stubGlobal('fetch', async (asked: Request | string) => {
    if (typeof asked === 'string') return new Response('', { status: 404 });
    keys.push(asked.headers.get('idempotency-key'));
    return (answers.shift() ?? paid)();
  });
});
afterEach(() => {
  vi.useRealTimers();
  vi.unstubAllGlobals();
});

it.each([
  ['503 of our server, five times', [away, away, away, away, away]],
  ['a gateway, a busy proxy and a cut line', [page(502), page(503), page(504), page(429), cut]],
  ['a gateway that gave up waiting, or forbids', [page(408), json(403, { error: 'blocked' }), away, away, away]],
])('a payment survives %s and goes out by itself, once, under one key', async (_name, before) => {
  answers = [...before];
  startOutbox();
  const call = { name: 'updateEmiStatus' as const, input: { body: { amount: 100 } }, label: 'Payment' };
  expect(await outbox.put(call)).toEqual({ state: 'queued' });
  expect(outbox.entries()).toMatchObject([{ state: 'queued' }]);
  await untilAsked(6);
  await vi.waitFor(() => expect(outbox.entries()).toEqual([]));
  expect(keys).toHaveLength(6);
  expect(new Set(keys).size).toBe(1);
  expect(keys[0]).toMatch(/^[0-9a-f-]{36}$/);
});

it('the first answer after an outage, whatever was asked, sends what waits at once', async () => {
  answers = [cut];
  startOutbox();
  const call = { name: 'updateEmiStatus' as const, input: { body: { amount: 100 } }, label: 'Payment' };
  expect(await outbox.put(call)).toEqual({ state: 'queued' });
  expect(keys).toHaveLength(1);
  await appStore.dispatch(api.endpoints.read.initiate({ name: 'getDashboard', input: {} }, { forceRefetch: true }));
  // No time passes by the app's clock: neither its own next try nor its next question comes.
  for (let n = 0; n < 200 && outbox.entries().length > 0; n += 1) await turn();
  expect(outbox.entries()).toEqual([]);
  expect(keys).toEqual([keys[0], null, keys[0]]);
});
