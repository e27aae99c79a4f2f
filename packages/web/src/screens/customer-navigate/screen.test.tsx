// @vitest-environment jsdom
import { render, screen } from '@testing-library/react';
import { Provider } from 'react-redux';
import { createMemoryRouter, RouterProvider } from 'react-router';
import { afterEach, expect, it, vi } from 'vitest';
import { makeStore } from '#web/state/store.ts';
import { Screen } from './screen.tsx';

afterEach(() => vi.unstubAllGlobals());

it('whoever was erased before the phone was set up has no steps left, and opens the page that says so', async () => {
  vi.stubGlobal('fetch', async (request: Request | string) => {
    if (typeof request === 'string') return new Response('', { status: 404 });
    const data = {
      customer: { customer_id: 'c', status: 0, is_draft: false, first_name: '—', last_name: '', mobile: '' },
      erasure: { erased_at: '2026-03-04T05:30:00Z', evidence_until: '2029-03-04', books_until: '2034-03-31' },
      steps: [],
    };
    return Response.json({ status: 200, response: 'success', message: '', data });
  });
  const router = createMemoryRouter(
    [
      { path: '/customer-navigate', element: <Screen /> },
      { path: '/customers/:customer_id', element: <p>the page</p> },
    ],
    { initialEntries: ['/customer-navigate?customer_id=c'] },
  );
  render(
    <Provider store={makeStore()}>
      <RouterProvider router={router} />
    </Provider>,
  );
  expect(await screen.findByText('the page')).toBeVisible();
});
