// @vitest-environment jsdom
import 'fake-indexeddb/auto';
import { afterEach, expect, it, vi } from 'vitest';
import { PATHS } from '@kist/contract/paths';
import { store } from '#web/state/storage.ts';
import { KEPT } from './kept-names.ts';
import { stockUp } from './stock-up.ts';

/** What a sale begins with. */
const NEEDED = ['listPlans', 'financerList'] as const;

afterEach(() => {
  vi.useRealTimers();
  vi.unstubAllGlobals();
});

it('what a sale without a network begins with is read while there is one, and kept: its plans and who lends', async () => {
  store('token', 'T');
  vi.useFakeTimers({ toFake: ['setTimeout'] });
  const asked: string[] = [];
  vi.stubGlobal('fetch', async (request: Request | string) => {
    if (typeof request === 'string') return new Response('', { status: 404 });
    asked.push(new URL(request.url).pathname);
    return Response.json({ status: 200, response: 'success', message: '', data: [] });
  });
  stockUp();
  await vi.advanceTimersByTimeAsync(5000);
  vi.useRealTimers();
  await vi.waitFor(() => expect(asked).toHaveLength(NEEDED.length));
  expect(asked.toSorted()).toEqual(NEEDED.map((name) => PATHS[name].path).toSorted());
  expect(NEEDED.filter((name) => !KEPT.has(name))).toEqual([]);
});
