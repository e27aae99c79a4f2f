// @vitest-environment jsdom
import { fireEvent, render, screen, waitFor } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { Provider } from 'react-redux';
import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { useRead } from '#web/api/use-call.ts';
import { makeStore } from '#web/state/store.ts';
import { toast } from '#web/ui/toast.ts';
import { Standing } from './standing.tsx';

/** A busy machine takes longer than the second that is waited otherwise. */
const SLOW = { timeout: 4000 };
let isActive = true;
let reason: string | null = null;
let isRefused = false;
let sent: { call: string | undefined; body: object }[] = [];
beforeEach(() => {
  [isActive, reason, isRefused, sent] = [true, null, false, []];
  localStorage.setItem('token', 'T');
  vi.stubGlobal('fetch', async (request: Request | string) => {
    if (typeof request === 'string') return new Response('', { status: 404 });
    const call = new URL(request.url).pathname.split('/').at(-1);
    const ok = (data: unknown) => Response.json({ status: 200, response: 'success', message: '', data });
    const shop = { user_id: 'm1', shop_name: 'Komal', is_active: isActive, suspend_reason: reason };
    if (call === 'user') return ok({ list: [shop], total: 1 });
    if (request.method === 'GET') return ok(shop);
    const body = (await request.json()) as { reason?: string };
    sent.push({ call, body });
    if (isRefused)
      return Response.json(
        { status: 409, response: 'failure', code: 'STATE_CONFLICT', message: 'Not now.' },
        { status: 409 },
      );
    [isActive, reason] = [call === 'activate', body.reason ?? null];
    return ok({});
  });
});
afterEach(() => {
  while (toast.current()) toast.close();
  vi.unstubAllGlobals();
});

/** The list of shops, which stands beside the profile or is come back to. */
function Beside() {
  const { data } = useRead('listUsers', { query: {} });
  return (
    <ul>
      {data?.list.map((row) => (
        <li key={row.user_id}>{row.is_active ? 'sells' : 'is suspended'}</li>
      ))}
    </ul>
  );
}
function Profile() {
  const { data } = useRead('getRetailerProfile', { query: { user_id: 'm1' } });
  return data ? <Standing shop={data} /> : null;
}
async function show() {
  render(
    <Provider store={makeStore()}>
      <Beside />
      <Profile />
    </Provider>,
  );
  await screen.findByRole('listitem', {}, SLOW);
}
const reasonField = () => screen.getByRole('textbox', { name: /retailers.reason/ });
/** Asks, types why, and means it. */
async function suspend(why: string) {
  await userEvent.click(await screen.findByRole('button', { name: 'retailers.suspend' }, SLOW));
  fireEvent.change(reasonField(), { target: { value: why } });
  await userEvent.click(screen.getAllByRole('button', { name: 'retailers.suspend' }).at(-1)!);
}

it('a shop that is suspended stands so in its profile, with the reason, and in the list of shops', async () => {
  await show();
  expect(screen.getByRole('listitem')).toHaveTextContent('sells');
  await suspend(' Keys not paid ');
  await waitFor(() => expect(screen.getByRole('listitem')).toHaveTextContent('is suspended'), SLOW);
  expect(sent).toEqual([{ call: 'suspend', body: { user_id: 'm1', reason: 'Keys not paid' } }]);
  // Without white space around it: what was typed into the field, which stood there first, had some.
  expect(await screen.findByText('Keys not paid', { ignore: 'textarea' }, SLOW)).toBeInTheDocument();
});

it('one that is let in again stands so in both', async () => {
  [isActive, reason] = [false, 'Keys not paid'];
  await show();
  await userEvent.click(await screen.findByRole('button', { name: 'retailers.activate' }, SLOW));
  await waitFor(() => expect(screen.getByRole('listitem')).toHaveTextContent('sells'), SLOW);
  expect(sent).toEqual([{ call: 'activate', body: { user_id: 'm1' } }]);
  expect(await screen.findByRole('button', { name: 'retailers.suspend' }, SLOW)).toBeInTheDocument();
});

it.each([
  ['', 'field.required'],
  ['     ', 'field.required'],
  [' no ', 'field.too_short'],
])('no shop is suspended for the reason “%s”, which says nothing: it is asked for', async (why, fault) => {
  await show();
  await suspend(why);
  expect(reasonField()).toHaveAccessibleDescription(fault);
  expect(reasonField()).toHaveFocus();
  expect(sent).toEqual([]);
});

it('a suspension that was refused is said, and the reason stands there to be sent again', async () => {
  isRefused = true;
  await show();
  await suspend('Keys not paid');
  await waitFor(() => expect(toast.current()?.text).toBe('Not now.'));
  expect(reasonField()).toHaveValue('Keys not paid');
  expect(screen.getByRole('dialog')).toBeVisible();
});
