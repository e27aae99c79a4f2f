// @vitest-environment jsdom
import 'fake-indexeddb/auto';
import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { openDB } from 'idb';
import { DAY_MS } from '@kist/contract/dates';
import type { CallName } from '@kist/contract/paths';
import { api } from '#web/api/api.ts';
import type { CallArgs } from '#web/api/calls.ts';
import { howKept, keptAtMs } from '#web/api/kept-at.ts';
import { store } from '#web/state/storage.ts';
import { appStore } from '#web/state/store.ts';
import { keepOnlyOwnReads } from './kept-reads.ts';
import { awayNow } from './sync-state.ts';

const realTimeout = setTimeout;
const turns = () => new Promise<void>((resolve) => realTimeout(resolve, 50));
let answer: () => Response;
const page = { list: [{ first_name: 'Meena' }], total: 1 };
const said = () => Response.json({ status: 200, response: 'success', message: '', data: page });
const cut = () => {
  throw new TypeError('network');
};
const args = { name: 'listCustomers', input: { query: { search: 'meena' } } } as const;
const ask = () => appStore.dispatch(api.endpoints.read.initiate({ ...args }, { forceRefetch: true, subscribe: false }));

beforeEach(() => {
  store('token', 'T');
  store('user_id', 'sunita');
  vi.stubGlobal('fetch', async (asked: Request | string) =>
    typeof asked === 'string' ? new Response('', { status: 404 }) : answer(),
  );
});
afterEach(() => vi.unstubAllGlobals());

async function onceRead(): Promise<void> {
  answer = said;
  expect((await ask()).data).toEqual(page);
  window.dispatchEvent(new Event('pagehide'));
  await turns();
}

it('what was read is there without a network, with its time; the server’s own word takes its place', async () => {
  await onceRead();
  expect(keptAtMs(args)).toBeUndefined();
  answer = cut;
  expect((await ask()).data).toEqual(page);
  expect(Date.now() - (keptAtMs(args) ?? 0)).toBeLessThan(5000);
  answer = said;
  await ask();
  expect(keptAtMs(args)).toBeUndefined();
});

it('is of who is signed in, ends with the session, and a refusal is none', async () => {
  await onceRead();
  answer = cut;
  store('user_id', 'asha');
  expect((await ask()).error).toMatchObject({ code: 'FETCH_ERROR' });
  store('user_id', 'sunita');
  answer = () => Response.json({ status: 404, response: 'failure', code: 'NOT_FOUND', message: '' }, { status: 404 });
  expect((await ask()).error).toMatchObject({ code: 'NOT_FOUND' });
  store('user_id', '');
  await keepOnlyOwnReads();
  store('user_id', 'sunita');
  answer = cut;
  expect((await ask()).error).toMatchObject({ code: 'FETCH_ERROR' });
});

it('is nobody else’s from the moment at which another signs in, though it is not on the disk yet', async () => {
  answer = said;
  await ask();
  answer = cut;
  store('user_id', 'asha');
  expect((await ask()).error).toMatchObject({ code: 'FETCH_ERROR' });
});

it('is not shown any more when it is a week old', async () => {
  await onceRead();
  answer = cut;
  const now = vi.spyOn(Date, 'now');
  const readMs = Date.now();
  now.mockReturnValue(readMs + 7 * DAY_MS - 60_000);
  expect((await ask()).data).toEqual(page);
  now.mockReturnValue(readMs + 7 * DAY_MS);
  expect((await ask()).error).toMatchObject({ code: 'FETCH_ERROR' });
  now.mockRestore();
});

it('what is on the screen from this phone is asked for anew by the first answer to anything, with no time passing', async () => {
  await onceRead();
  answer = cut;
  const shown = appStore.dispatch(api.endpoints.read.initiate({ ...args }, { forceRefetch: true }));
  expect((await shown).data).toEqual(page);
  expect(keptAtMs(args)).toBeDefined();
  const fresh = { list: [{ first_name: 'Savita' }], total: 1 };
  answer = () => Response.json({ status: 200, response: 'success', message: '', data: fresh });
  await appStore.dispatch(api.endpoints.read.initiate({ name: 'getDashboard', input: {} }, { subscribe: false }));
  await vi.waitFor(() => expect(keptAtMs(args)).toBeUndefined());
  expect(api.endpoints.read.select({ ...args })(appStore.getState()).data).toEqual(fresh);
  shown.unsubscribe();
});

const shops: [CallName, CallArgs['input']][] = [
  ['listUsers', { query: { search: '', state: 'all', page: 1, page_size: 20 } }],
  ['getRetailerProfile', { query: { user_id: 'm1' } }],
  ['getRetailerProfile', {}],
  ['getEmiDetails', { body: { customer_id: 'c1' } }],
];
/** What lies on the phone's disk of all that was read, whoever asks. */
async function onDisk(): Promise<string> {
  const db = await openDB('shop-reads');
  const rows = (await db.getAll('reads')) as { box: ArrayBuffer }[];
  db.close();
  return new TextDecoder().decode(new Uint8Array(rows.flatMap(({ box }) => [...new Uint8Array(box)])));
}
/** On a page that was loaded anew: of the one before nothing is in memory. */
async function readAnew(asked: CallArgs) {
  vi.resetModules();
  const [fresh, { appStore: anew }] = await Promise.all([import('#web/api/api.ts'), import('#web/state/store.ts')]);
  return (await anew.dispatch(fresh.api.endpoints.read.initiate(asked, { subscribe: false }))).data;
}

it.each(shops)(
  '%s %j was opened before: a cold start without a network has it, and the disk has it sealed',
  async (name, input) => {
    const shop = { list: [{ shop_name: 'Komal Mobile', mobile: '+919000000002' }], total: 1 };
    answer = () => Response.json({ status: 200, response: 'success', message: '', data: shop });
    const first = await appStore.dispatch(api.endpoints.read.initiate({ name, input }, { subscribe: false }));
    expect(first.data).toEqual(shop);
    answer = cut;
    // It is written a moment after it came.
    await vi.waitFor(async () => expect(await readAnew({ name, input })).toEqual(shop), { timeout: 4000 });
    const lying = await onDisk();
    expect(lying.length).toBeGreaterThan(0);
    expect(lying).not.toMatch(/Komal|9000000002/);
  },
);

it('a search without a network finds who was shown on this phone, tells that it did, and finds nobody of another’s', async () => {
  const list = [
    { customer_id: 'c1', first_name: 'Savita', last_name: 'Jadhav', mobile: '+919876543210' },
    { customer_id: 'c2', first_name: 'Irfan', last_name: 'Shaikh', mobile: '+919000000002' },
  ];
  answer = () => Response.json({ status: 200, response: 'success', message: '', data: { list, total: 2 } });
  const send = (query: Record<string, string | number>) =>
    appStore.dispatch(api.endpoints.write.initiate({ name: 'listCustomers', input: { query } }));
  await send({ page: 1, page_size: 20 });
  answer = cut;
  const search = { search: '98765 43210', page: 1, page_size: 20 };
  expect((await send(search)).data).toMatchObject({ list: [list[0]], total: 1 });
  expect(howKept({ name: 'listCustomers', input: { query: search } })).toMatchObject({ isSearched: true });
  expect((await send({ ...search, search: 'शेख' })).data).toMatchObject({ list: [list[1]], total: 1 });
  store('user_id', 'asha');
  expect((await send(search)).error).toMatchObject({ code: 'FETCH_ERROR' });
  store('user_id', 'sunita');
  answer = () => Response.json({ status: 200, response: 'success', message: '', data: { list: [], total: 0 } });
  await send(search);
  expect(howKept({ name: 'listCustomers', input: { query: search } })).toBeUndefined();
});

it('is neither seen by the next user nor kept, for whomever, where it comes when they are signed in already', async () => {
  const emi = { name: 'getEmiDetails', input: { body: { customer_id: 'late' } } } as const;
  const asking = () =>
    appStore.dispatch(api.endpoints.read.initiate({ ...emi }, { forceRefetch: true, subscribe: false }));
  const line: { arrive?: (response: Response) => void } = {};
  answer = () => new Promise<Response>((resolve) => (line.arrive = resolve)) as unknown as Response;
  const asked = asking();
  await vi.waitFor(() => expect(line.arrive).toBeDefined());
  store('user_id', 'asha');
  line.arrive?.(said());
  const { data, error } = await asked;
  expect([data, error]).toMatchObject([undefined, { code: 'SESSION_REQUIRED' }]);
  expect(awayNow()).toBeNull();
  window.dispatchEvent(new Event('pagehide'));
  await turns();
  answer = cut;
  for (const who of ['asha', 'sunita']) {
    store('user_id', who);
    expect((await asking()).error).toMatchObject({ code: 'FETCH_ERROR' });
  }
});
