// @vitest-environment jsdom
import { fireEvent, render, screen, waitFor } from '@testing-library/react';
import { Provider } from 'react-redux';
import { MemoryRouter } from 'react-router';
import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { makeStore } from '#web/state/store.ts';
import { Rung } from './rung.tsx';

const line = (notification_id: string, kind: string, more: object = {}) => ({
  notification_id,
  kind,
  data: {},
  customer_id: 'c',
  customer_name: 'Asha Kale',
  note: null,
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
let isAway = false;
let total = 3;
beforeEach(() => {
  [posted, isAway, total] = [[], false, 3];
  localStorage.setItem('token', 'T');
  vi.stubGlobal('fetch', async (request: Request | string) => {
    if (typeof request === 'string') return new Response('', { status: 404 });
    if (request.method === 'POST') posted.push(new URL(request.url).pathname);
    if (isAway) throw new TypeError('no network');
    const page = new URL(request.url).searchParams.get('page');
    const list = page === '1' ? LIST : [line('51', 'sim_changed', { customer_name: 'Ramesh Kadam' })];
    const data = { list, total, page: 1, page_size: 50 };
    return Response.json({ status: 200, response: 'success', message: '', data });
  });
});
afterEach(async () => {
  // That it is read was said and is answered, before the page goes.
  await new Promise((done) => setTimeout(done, 20));
  vi.unstubAllGlobals();
});

const ring = () =>
  render(
    <Provider store={makeStore()}>
      <MemoryRouter>
        <Rung isUnread />
      </MemoryRouter>
    </Provider>,
  );

it('what nobody could be shown is not read', async () => {
  isAway = true;
  ring();
  expect(await screen.findByRole('button', { name: 'common.retry' })).toBeInTheDocument();
  expect(posted).toEqual([]);
});

it('what happened before the newest fifty can be had too', async () => {
  total = 51;
  ring();
  fireEvent.click(await screen.findByRole('button', { name: 'customers.more' }));
  expect(await screen.findByText('Ramesh Kadam')).toBeInTheDocument();
  expect(screen.queryByRole('button', { name: 'customers.more' })).toBeNull();
});

it('tells what happened to whom, leads there, and is read', async () => {
  ring();
  await waitFor(() => expect(screen.getAllByRole('link')).toHaveLength(3));
  const [claimed, sim, later] = screen.getAllByRole('link');
  expect(claimed!.getAttribute('href')).toBe('/view-emi-details/c');
  expect(claimed!.textContent).toMatch(/bell\.payment_claimed.*Asha Kale · ₹500/);
  expect(sim!.getAttribute('href')).toBe('/customers/c');
  expect(later!.textContent).toMatch(/^Asha Kale/);
  await waitFor(() => expect(posted).toEqual(['/api/notifications/read']));
});

it('says of a phone that fell silent what it is about', async () => {
  LIST.push(line('4', 'phone_silent'));
  ring();
  expect(await screen.findByText('rung.phone_silent')).toBeInTheDocument();
  LIST.pop();
});

it('says to who asked that it was refused, and why', async () => {
  const refused = { data: { amount_paise: 100_00, is_approved: 0 }, note: 'paid late three times' };
  LIST.push(line('8', 'waiver_decided', refused));
  LIST.push(line('9', 'override_decided', { data: { is_approved: 0 }, note: 'she has paid' }));
  ring();
  const waiver = (await screen.findByText('rung.waiver_decided')).closest('a')!;
  expect(waiver.getAttribute('href')).toBe('/view-emi-details/c');
  expect(waiver.textContent).toContain('Asha Kale · ₹100 · rung.no · paid late three times');
  expect(screen.getByText(/rung\.no · she has paid/)).toBeInTheDocument();
  LIST.splice(-2);
});

it('says of an order to many, which is about no customer, what became of it', async () => {
  LIST.push(line('5', 'batch_stopped', { customer_id: null, customer_name: '', data: { batch_id: 'b', why: 'CAP' } }));
  LIST.push(line('6', 'batch_asked', { customer_id: null, customer_name: '', data: { batch_id: 'b', total: 60 } }));
  LIST.push(line('7', 'batch_decided', { customer_id: null, customer_name: '', data: { is_approved: 1 } }));
  ring();
  expect(await screen.findByText('rung.batch_stopped')).toBeInTheDocument();
  expect(screen.getByText('rung.why_CAP')).toBeInTheDocument();
  expect(screen.getByText('rung.yes')).toBeInTheDocument();
  expect(screen.getByText('rung.batch_asked').closest('a')?.getAttribute('href')).toBe('/waiting');
  LIST.splice(-3);
});

it('leads whoever is asked to give up a late fee, and sees no customer, to where it waits', async () => {
  const data = { waiver_id: 'w', amount_paise: 100_00 };
  LIST.push(line('10', 'waiver_asked', { customer_id: null, customer_name: '', data }));
  ring();
  const asked = (await screen.findByText('rung.waiver_asked')).closest('a')!;
  expect([asked.getAttribute('href'), asked.textContent]).toEqual(['/waiting', expect.stringContaining('₹100')]);
  LIST.splice(-1);
});
