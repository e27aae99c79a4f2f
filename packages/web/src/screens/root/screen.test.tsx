// @vitest-environment jsdom
import 'fake-indexeddb/auto';
import { render, waitFor } from '@testing-library/react';
import { createMemoryRouter } from 'react-router';
import { RouterProvider } from 'react-router/dom';
import { afterEach, expect, it, vi } from 'vitest';
import { outbox } from '#web/offline/app-outbox.ts';
import { idbRows } from '#web/offline/idb-rows.ts';
import type { OutboxEntry } from '#web/offline/outbox.ts';
import { store } from '#web/state/storage.ts';
import { Screen } from './screen.tsx';

afterEach(() => vi.unstubAllGlobals());

it('a payment that waits since there was no network goes once the first screen stands, and nobody has to do anything', async () => {
  store('token', 'T');
  store('user_id', 'sunita');
  const paid: string[] = [];
  vi.stubGlobal('fetch', async (request: Request | string) => {
    if (typeof request === 'string') return new Response('', { status: 404 });
    const { pathname } = new URL(request.url);
    if (request.headers.has('idempotency-key')) paid.push(pathname);
    return Response.json({ status: 200, response: 'success', message: '', data: {} });
  });
  // What comes once nothing else is to be done never comes.
  vi.stubGlobal('requestIdleCallback', () => 0);
  vi.stubGlobal('cancelIdleCallback', () => undefined);
  // Left by the page before this one.
  const rows = idbRows<OutboxEntry>('outbox');
  const input = { body: { instalment_id: 'i1', amount: 100, method: 'CASH', reference: '' } };
  const madeAt = new Date().toISOString();
  const kept = {
    name: 'updateEmiStatus',
    input,
    label: 'Savita',
    invalidates: [],
    madeAt,
    tries: 0,
    nextAtMs: 0,
  } as const;
  await rows.put('sunita', 'p-1', { ...kept, id: 'p-1', state: 'queued' } as unknown as OutboxEntry);
  const router = createMemoryRouter([{ Component: Screen, children: [{ path: '*', element: <h1>Home</h1> }] }]);
  const { unmount } = render(<RouterProvider router={router} />);
  await waitFor(() => expect(paid).toHaveLength(1), { timeout: 4000 });
  // Nothing of it goes on when the page is gone.
  expect(await outbox.flush()).toBe(true);
  unmount();
});
