// @vitest-environment jsdom
import { fireEvent, render, screen, waitFor } from '@testing-library/react';
import { Provider } from 'react-redux';
import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import type { CustomerProfile } from '@kist/contract/customers';
import { makeStore } from '#web/state/store.ts';
import { UnclaimPhone } from './unclaim-phone.tsx';

const ACCESS = { user_type: 'retailer', feature_access: '1', lock_unlock: '1', unistall: '1', active_deactive: '1' };
let access: object;
let sent: { path: string; body: unknown }[];
beforeEach(() => {
  access = ACCESS;
  sent = [];
  vi.stubGlobal('fetch', async (request: Request | string) => {
    if (typeof request === 'string') return new Response('', { status: 404 });
    const { pathname: path } = new URL(request.url);
    if (request.method === 'POST') sent.push({ path, body: await request.json() });
    const data = path === '/api/user/user_access' ? access : { keys_returned: 1 };
    return Response.json({ status: 200, response: 'success', message: '', data });
  });
});
afterEach(() => vi.unstubAllGlobals());

const NEW = {
  customer: { customer_id: 'c', is_draft: false },
  agreement: { state: 'active' },
  device: { released_at: null, enrolled_at: null },
  lost_reports: [],
};
const SET_UP = { released_at: null, enrolled_at: '2026-04-10T05:30:00Z' };
const show = (more: object) =>
  render(
    <Provider store={makeStore()}>
      <p>shown</p>
      <UnclaimPhone profile={{ ...NEW, ...more } as unknown as CustomerProfile} />
    </Provider>,
  );
const button = () => screen.findByRole('button', { name: 'unclaim.title' });

it.each([
  ['never set up', {}, 'cancel.phone_new'],
  ['whose agreement is over', { device: SET_UP, agreement: { state: 'completed' } }, 'cancel.phone_set'],
])('a phone %s is let go after it was said what becomes of it', async (_what, more, becomes) => {
  show(more);
  fireEvent.click(await button());
  expect(await screen.findByText(`${becomes} unclaim.intro`)).toBeInTheDocument();
  expect(sent).toEqual([]);
  fireEvent.click(screen.getByRole('button', { name: 'unclaim.do' }));
  await waitFor(() => expect(sent).toEqual([{ path: '/api/device/unclaim_customer', body: { customer_id: 'c' } }]));
});

it.each([
  ['under a running agreement', { device: SET_UP }, ACCESS],
  ['let go already', { device: { ...SET_UP, released_at: '2026-05-10T05:30:00Z' }, agreement: null }, ACCESS],
  ['that its owner misses', { lost_reports: [{ kind: 'theft' }] }, ACCESS],
  ['of a sale that is not registered', { customer: { customer_id: 'c', is_draft: true } }, ACCESS],
  ['of whom there is none', { device: null }, ACCESS],
  ['before who may not', {}, { ...ACCESS, active_deactive: '0' }],
  ['before its customer', {}, { ...ACCESS, user_type: 'customer' }],
])('a phone %s is not let go here', async (_what, more, holder) => {
  access = holder;
  show(more);
  await waitFor(() => expect(screen.getByText('shown')).toBeInTheDocument());
  await new Promise((resolve) => setTimeout(resolve, 20));
  expect(screen.queryByRole('button', { name: 'unclaim.title' })).toBeNull();
});
