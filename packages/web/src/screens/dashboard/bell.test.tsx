// @vitest-environment jsdom
import { fireEvent, render, screen, waitFor } from '@testing-library/react';
import { Provider } from 'react-redux';
import { MemoryRouter } from 'react-router';
import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { makeStore } from '#web/state/store.ts';
import { Bell } from './bell.tsx';

const line = (notification_id: string, kind: string, more: object = {}) => ({
  notification_id,
  kind,
  data: {},
  customer_id: 'c',
  customer_name: 'Asha Kale',
  created_at: '2026-04-10T05:30:00Z',
  read_at: null,
  ...more,
});
const LIST = [
  line('1', 'payment_claimed', { data: { amount_paise: 500_00 } }),
  line('2', 'sim_changed', { read_at: '2026-04-10T06:00:00Z' }),
  line('3', 'of_a_later_build'),
];
let posted: string[] = [];
beforeEach(() => {
  posted = [];
  HTMLDialogElement.prototype.showModal = function showModal() {
    this.open = true;
  };
  localStorage.setItem('token', 'T');
  vi.stubGlobal('fetch', async (request: Request | string) => {
    if (typeof request === 'string') return new Response('', { status: 404 });
    if (request.method === 'POST') posted.push(new URL(request.url).pathname);
    const data = { list: LIST, total: 3, page: 1, page_size: 50 };
    return Response.json({ status: 200, response: 'success', message: '', data });
  });
});
afterEach(() => vi.unstubAllGlobals());

it('says how much nobody has read; opened, it tells what happened to whom, leads there, and is read', async () => {
  render(
    <Provider store={makeStore()}>
      <MemoryRouter>
        <Bell unread={2} />
      </MemoryRouter>
    </Provider>,
  );
  fireEvent.click(screen.getByRole('button', { name: 'bell.title 2' }));
  await waitFor(() => expect(screen.getAllByRole('link')).toHaveLength(3));
  const [claimed, sim, later] = screen.getAllByRole('link');
  expect(claimed!.getAttribute('href')).toBe('/view-emi-details/c');
  expect(claimed!.textContent).toMatch(/bell\.payment_claimed.*Asha Kale · ₹500/);
  expect(sim!.getAttribute('href')).toBe('/customers/c');
  expect(later!.textContent).toMatch(/^Asha Kale/);
  expect(posted).toEqual(['/api/notifications/read']);
});
