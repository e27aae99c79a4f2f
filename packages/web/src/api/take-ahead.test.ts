// @vitest-environment jsdom
import 'fake-indexeddb/auto';
import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { appStore } from '#web/state/store.ts';
import { AHEAD_S, isAhead } from './ahead.ts';
import { api } from './api.ts';
import type { CallArgs } from './calls.ts';
import { keyOf } from './early-answers.ts';
import { FIRST_OF_ALL, FIRST_READS, plainCall } from './first-reads.ts';
import { takeAhead } from './take-ahead.ts';

const PROFILE = FIRST_READS.customerDetails?.('c-1')[0] as CallArgs;
const ok = (data: unknown) => Response.json({ status: 200, response: 'success', message: '', data });
const never = new Promise<Response>(() => undefined);
const asked = (...calls: (readonly [CallArgs, Promise<Response | undefined>])[]) => {
  const answers = new Map(
    calls.map(([call, answer]) => {
      const [method, url, body = ''] = plainCall(call);
      return [keyOf(method, window.location.origin + url, body), answer];
    }),
  );
  window.early = { token: 'T0KEN', atMs: Date.now(), answers };
};
const calls = () => sent.filter((path) => path !== '/kist-config.json');
const inStore = ({ name, input }: CallArgs) => api.endpoints.read.select({ name, input })(appStore.getState());

let sent: string[] = [];
beforeEach(() => {
  sent = [];
  localStorage.setItem('token', 'T0KEN');
  localStorage.setItem('server', '{"baseUrl":"","requestTimeoutMs":30000}');
  appStore.dispatch(api.util.resetApiState());
  vi.stubGlobal('fetch', async (request: Request | string) => {
    sent.push(new URL(typeof request === 'string' ? request : request.url, window.location.origin).pathname);
    return ok('asked now');
  });
});
afterEach(() => {
  vi.unstubAllGlobals();
  delete window.early;
});

it('what the page has asked is there before the first screen is drawn, and is not asked again when it opens', async () => {
  asked([FIRST_OF_ALL, Promise.resolve(ok({ user_type: 'retailer' }))], [PROFILE, Promise.resolve(ok('profile'))]);
  await takeAhead('/customers/c-1', () => never);
  expect(inStore(PROFILE).data).toBe('profile');
  expect(isAhead(PROFILE)).toBe(true);
  const again = appStore.dispatch(api.endpoints.read.initiate(PROFILE, { forceRefetch: AHEAD_S }));
  await again;
  expect(calls()).toEqual([]);
  // A screen that opens later asks anew, however fresh an answer it finds.
  const at = performance.now();
  vi.spyOn(performance, 'now').mockReturnValue(at + AHEAD_S * 1000);
  expect(isAhead(PROFILE)).toBe(false);
  vi.restoreAllMocks();
});
it('an answer that is still on the way holds nothing up, and comes once', async () => {
  let come: (answer: Response) => void = () => undefined;
  const late = new Promise<Response>((resolve) => (come = resolve));
  asked([FIRST_OF_ALL, Promise.resolve(ok({ user_type: 'retailer' }))], [PROFILE, late]);
  const isAsked = () => vi.waitFor(() => expect(inStore(PROFILE).status).toBe('pending'));
  await takeAhead('/customers/c-1', isAsked);
  expect(inStore(PROFILE).status).toBe('pending');
  come(ok('profile'));
  await vi.waitFor(() => expect(inStore(PROFILE).data).toBe('profile'));
  expect(calls()).toEqual([]);
});
it.each([
  ['who is no shop is asked nothing of a shop', ok({ user_type: 'customer' }), '/customers/c-1'],
  ['nor is what the address does not ask', ok({ user_type: 'retailer' }), '/sessions'],
  [
    'nor anything for who is signed out meanwhile',
    Response.json({ response: 'failed' }, { status: 511 }),
    '/customers/c-1',
  ],
])('%s', async (_why, me, pathname) => {
  asked([FIRST_OF_ALL, Promise.resolve(me)], [PROFILE, never]);
  await takeAhead(pathname, () => new Promise((resolve) => setTimeout(resolve, 500)));
  expect(inStore(PROFILE).status).toBe('uninitialized');
});
it('nothing was asked: nothing is waited for', async () => {
  await takeAhead('/customers/c-1');
  expect(calls()).toEqual([]);
});
