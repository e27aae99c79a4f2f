// @vitest-environment jsdom
import { fireEvent, render, screen, waitFor } from '@testing-library/react';
import { Provider } from 'react-redux';
import { MemoryRouter } from 'react-router';
import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { makeStore } from '#web/state/store.ts';
import { Screen } from './screen.tsx';

const ROW = {
  customer_id: 'c1',
  first_name: 'Savita',
  last_name: '',
  mobile: '',
  device: '',
  overdue_paise: 500_00,
  next_due_on: '2026-03-01',
  days_past_due: 9,
  reminded_at: null,
};
const PREVIEW = {
  total: 1,
  reminded: 1,
  texts: [{ language: 'hn', sms: 1, phone: 0, name: 'Savita', text: 'Savita, ₹500 01-03-2026' }],
  left_out: [],
};
const ANSWERS: Record<string, unknown> = {
  preview_emialert: PREVIEW,
  send_emialert: { sent: ['sms'], next_allowed_at: '', total: 1, reminded: 1, refused: 0, refusals: [] },
};
let sent: { call: string; body: unknown }[] = [];
beforeEach(() => {
  sent = [];
  localStorage.setItem('token', 'T');
  vi.stubGlobal(
    'IntersectionObserver',
    class {
      observe() {}
      disconnect() {}
    },
  );
  vi.stubGlobal('fetch', async (request: Request | string) => {
    if (typeof request === 'string') return new Response('', { status: 404 });
    const call = new URL(request.url).pathname.split('/').at(-1)!;
    if (request.method === 'POST') sent.push({ call, body: await request.json() });
    const { searchParams } = new URL(request.url);
    const list = { list: [ROW], total: 1, page: 1, page_size: 30 };
    const access = { user_type: 'retailer', feature_access: '1', lock_unlock: '1', active_deactive: '1' };
    const read = searchParams.get('due')
      ? list
      : call.includes('count')
        ? [{ bucket: 'overdue', customers: 1, paise: 500_00 }]
        : access;
    return Response.json({ status: 200, response: 'success', message: '', data: ANSWERS[call] ?? read });
  });
});
afterEach(() => vi.unstubAllGlobals());

it('one customer is reminded from the list, once the words were read', async () => {
  render(
    <Provider store={makeStore()}>
      <MemoryRouter>
        <Screen />
      </MemoryRouter>
    </Provider>,
  );
  fireEvent.click(await screen.findByRole('button', { name: 'emi.remind Savita' }, { timeout: 4000 }));
  expect(await screen.findByText('Savita, ₹500 01-03-2026')).toBeVisible();
  expect(sent.map(({ call }) => call)).toEqual(['preview_emialert']);
  fireEvent.click(screen.getByRole('button', { name: /dues\.remind_now/ }));
  await waitFor(() => expect(sent.at(-1)).toEqual({ call: 'send_emialert', body: { customer_id: 'c1' } }));
});
