// @vitest-environment jsdom
import { render, screen, waitFor, within } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { Provider } from 'react-redux';
import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { makeStore } from '#web/state/store.ts';
import { toast } from '#web/ui/toast.ts';
import { Passkeys } from './passkeys.tsx';

let devices: string[] = [];
let sent: object[] = [];
let isRefused = false;
beforeEach(() => {
  devices = ['Redmi', 'Vivo'];
  sent = [];
  isRefused = false;
  vi.stubGlobal('fetch', async (request: Request | string) => {
    if (typeof request === 'string') return new Response('', { status: 404 });
    const ok = (data: unknown) => Response.json({ status: 200, response: 'success', message: '', data });
    if (request.method === 'GET') return ok(devices.map(passkeyOf));
    if (isRefused)
      return Response.json(
        { status: 404, response: 'failure', code: 'NOT_FOUND', message: 'Not there.' },
        { status: 404 },
      );
    const body = (await request.json()) as { passkey_id: string };
    sent.push(body);
    devices = devices.filter((device) => device !== body.passkey_id);
    return ok({});
  });
});
afterEach(() => {
  while (toast.current()) toast.close();
  vi.unstubAllGlobals();
});

const passkeyOf = (device: string) => ({
  passkey_id: device,
  browser: 'Chrome 120',
  platform: 'Android',
  device,
  created_at: '2026-11-01T10:00:00Z',
  last_used_at: '2026-11-19T10:00:00Z',
});
/** Up to the answer to the question about the second one. */
async function removeSecond() {
  render(
    <Provider store={makeStore()}>
      <Passkeys />
    </Provider>,
  );
  await screen.findByText('Vivo');
  await userEvent.click(screen.getAllByRole('button', { name: 'passkey.remove' })[1]!);
  expect(sent).toEqual([]);
  await userEvent.click(within(screen.getByRole('dialog')).getByRole('button', { name: 'passkey.remove' }));
}

it('of a device that may sign in no more the row goes, and it is that one', async () => {
  await removeSecond();
  await waitFor(() => expect(screen.queryByText('Vivo')).toBeNull());
  expect(sent).toEqual([{ passkey_id: 'Vivo' }]);
  expect(screen.getByText('Redmi')).toBeInTheDocument();
  expect(toast.current()?.text).toBe('passkey.removed');
});

it('one that could not be taken away is said, and stands there still', async () => {
  isRefused = true;
  await removeSecond();
  await waitFor(() => expect(toast.current()?.text).toBe('Not there.'));
  expect(screen.getByText('Vivo')).toBeInTheDocument();
});
