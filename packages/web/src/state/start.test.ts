// @vitest-environment jsdom
import 'fake-indexeddb/auto';
import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { DAY_MS } from '@kist/contract/dates';
import { api } from '#web/api/api.ts';
import { keptAtMs } from '#web/api/kept-at.ts';
import { endSession } from './session.ts';
import { shopNowMs } from './shop-clock.ts';
import { startState } from './start.ts';
import { store } from './storage.ts';
import { appStore } from './store.ts';

let isAway = false;
beforeEach(() => {
  isAway = false;
  store('token', 'T');
  store('user_id', 'sunita');
  vi.useFakeTimers({ toFake: ['Date'] });
  vi.stubGlobal('fetch', async (request: Request | string) => {
    if (typeof request === 'string') return new Response('', { status: 404 });
    if (isAway) throw new TypeError('network');
    const data = {
      user_type: 'retailer',
      now: new Date().toISOString(),
      is_birthday: false,
      theme: { accent: '#0a7a5a', logo: null },
      languages: [],
    };
    return Response.json({ status: 200, response: 'success', message: '', data });
  });
});
afterEach(() => {
  endSession();
  vi.useRealTimers();
  vi.unstubAllGlobals();
});

it('an answer that was kept since yesterday does not make it yesterday', async () => {
  startState();
  const ask = () =>
    appStore.dispatch(
      api.endpoints.read.initiate({ name: 'getUserAccess', input: {} }, { forceRefetch: true, subscribe: false }),
    );
  await ask();
  window.dispatchEvent(new Event('pagehide'));
  await new Promise((resolve) => setTimeout(resolve, 50));
  vi.setSystemTime(Date.now() + DAY_MS);
  isAway = true;
  await ask();
  expect(keptAtMs({ name: 'getUserAccess', input: {} })).toBeDefined();
  expect(Math.abs(shopNowMs() - Date.now())).toBeLessThan(60_000);
});

it('who lends here stands in the state, and goes with the session', async () => {
  const all = [{ financer_id: 3, name: 'Gramin Finance', is_regulated: false, is_open: true }];
  vi.stubGlobal('fetch', async (request: Request | string) =>
    typeof request === 'string'
      ? new Response('', { status: 404 })
      : Response.json({ status: 200, response: 'success', message: '', data: all }),
  );
  startState();
  await appStore.dispatch(api.endpoints.read.initiate({ name: 'financerList', input: { body: {} } }));
  expect(appStore.getState().product.financer_list).toEqual(all);
  endSession();
  expect(appStore.getState().product.financer_list).toEqual([]);
});
