// @vitest-environment jsdom
import { act, render } from '@testing-library/react';
import { Provider } from 'react-redux';
import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { makeStore } from '#web/state/store.ts';
import { useRead } from './use-call.ts';

let asked = 0;
beforeEach(() => {
  asked = 0;
  vi.stubGlobal('fetch', async (request: Request | string) => {
    if (typeof request === 'string') return new Response('', { status: 404 });
    asked += 1;
    return Response.json({ status: 200, response: 'success', message: '', data: {} });
  });
});
afterEach(() => {
  vi.unstubAllGlobals();
  vi.useRealTimers();
});

function Reader({ name }: { name: 'getUserAccess' | 'getDashboard' | 'getEmiDetails' | 'mySessions' }) {
  useRead(name as 'mySessions', {});
  return null;
}

/** Opens a screen, and another that reads the same so many seconds later. @returns how often the server was asked. */
async function askedFor(name: Parameters<typeof Reader>[0]['name'], laterS: number): Promise<number> {
  const store = makeStore();
  const screens = (count: number) => (
    <Provider store={store}>
      {Array.from({ length: count }, (_, at) => (
        <Reader key={at} name={name} />
      ))}
    </Provider>
  );
  const answered = () =>
    vi.waitFor(() =>
      expect(Object.values(store.getState().api.queries).map((query) => query?.status)).toEqual(['fulfilled']),
    );
  const view = render(screens(1));
  await act(answered);
  vi.useFakeTimers({ toFake: ['Date'], now: Date.now() + laterS * 1000 });
  view.rerender(screens(2));
  await act(answered);
  return asked;
}

it.each([
  ['getUserAccess', 290, 1],
  ['getUserAccess', 310, 2],
  ['getDashboard', 10, 1],
  ['getDashboard', 25, 2],
  ['getEmiDetails', 3, 1],
  ['getEmiDetails', 6, 2],
  ['mySessions', 0, 2],
] as const)('%s, read again after %i s, is asked for %i times', async (name, laterS, times) => {
  expect(await askedFor(name, laterS)).toBe(times);
});
