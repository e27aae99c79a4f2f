// @vitest-environment jsdom
import { render, screen, waitFor, within } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { Provider } from 'react-redux';
import { MemoryRouter } from 'react-router';
import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { makeStore } from '#web/state/store.ts';
import { toast } from '#web/ui/toast.ts';
import { Screen } from './screen.tsx';

/** Who is signed in by the server's list. */
let devices: string[] = [];
let sent: object[] = [];
let isRefused = false;
beforeEach(() => {
  devices = ['Redmi', 'Vivo', 'Oppo'];
  sent = [];
  isRefused = false;
  vi.stubGlobal('fetch', async (request: Request | string) => {
    if (typeof request === 'string') return new Response('', { status: 404 });
    const { pathname } = new URL(request.url);
    const ok = (data: unknown) => Response.json({ status: 200, response: 'success', message: '', data });
    if (pathname.endsWith('/passkeys/mine')) return ok([]);
    if (request.method === 'GET') return ok(devices.map(sessionOf));
    if (isRefused)
      return Response.json(
        { status: 404, response: 'failure', code: 'NOT_FOUND', message: 'Not there.' },
        { status: 404 },
      );
    const body = (await request.json()) as { session_id?: string };
    sent.push(body);
    const before = devices.length;
    devices = devices.filter((device) => device === 'Redmi' || (body.session_id && device !== body.session_id));
    return ok({ ended: before - devices.length });
  });
});
afterEach(() => {
  while (toast.current()) toast.close();
  vi.unstubAllGlobals();
});

const sessionOf = (device: string) => ({
  session_id: device,
  is_current: device === 'Redmi',
  browser: 'Chrome 120',
  platform: 'Android',
  device,
  place: 'Pune',
  created_at: '2026-11-01T10:00:00Z',
  last_seen_at: '2026-11-19T10:00:00Z',
});
async function show() {
  render(
    <Provider store={makeStore()}>
      <MemoryRouter>
        <Screen />
      </MemoryRouter>
    </Provider>,
  );
  await screen.findByText('Vivo');
}
const logoutsOf = () => screen.queryAllByRole('button', { name: 'sessions.logout_one' });
const sure = async () =>
  userEvent.click(within(screen.getByRole('dialog')).getByRole('button', { name: 'shell.logout' }));

it('of another device that was logged out the row goes, and of the others none', async () => {
  await show();
  await userEvent.click(logoutsOf()[0]!);
  expect(sent).toEqual([]);
  await sure();
  await waitFor(() => expect(screen.queryByText('Vivo')).toBeNull());
  expect(sent).toEqual([{ session_id: 'Vivo' }]);
  expect(screen.getByText('Oppo')).toBeInTheDocument();
  expect(screen.getByText('Redmi')).toBeInTheDocument();
});

it('the device in one’s hand is named as such, and not offered to be logged out', async () => {
  await show();
  expect(logoutsOf()).toHaveLength(2);
  expect(screen.getAllByText('sessions.this_device')).toHaveLength(1);
  // Without one there are none to name.
  expect(screen.queryByText('passkey.devices')).toBeNull();
});

it('all others are logged out at once, and then it is said that there is only this one', async () => {
  await show();
  await userEvent.click(screen.getByRole('button', { name: 'sessions.logout_others' }));
  await sure();
  expect(await screen.findByText('sessions.only_this')).toBeInTheDocument();
  expect(sent).toEqual([{ all_others: true }]);
  expect(screen.queryByRole('button', { name: 'sessions.logout_others' })).toBeNull();
});

it('a logout that was refused is not said to have gone through', async () => {
  isRefused = true;
  await show();
  await userEvent.click(logoutsOf()[0]!);
  await sure();
  await waitFor(() => expect(toast.current()?.text).toBe('Not there.'));
  expect(screen.getByText('Vivo')).toBeInTheDocument();
});
