// @vitest-environment jsdom
import { act, render, screen } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { Provider } from 'react-redux';
import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import type { DeviceView, LockView } from '@kist/contract/customers';
import { api } from '#web/api/api.ts';
import { makeStore } from '#web/state/store.ts';
import { Orders } from './orders.tsx';

const MESSAGES = {
  language: 'hn',
  messages: [
    { name: 'reminder', text: 'कृपया भरें', own: 'Please pay' },
    { name: 'festival_offer', text: 'दुकान पर आएँ', own: 'Please come' },
  ],
};
const sent = vi.fn<(body: unknown) => void>();
let featureAccess: '0' | '1' = '1';
const scrolled = vi.fn<(options: object) => void>();
beforeEach(() => {
  featureAccess = '1';
  scrolled.mockReset();
  Element.prototype.scrollIntoView = scrolled;
  // jsdom draws no dialogs.
  HTMLDialogElement.prototype.showModal = () => undefined;
  HTMLDialogElement.prototype.close = () => undefined;
  vi.stubGlobal('fetch', async (request: Request | string) => {
    if (typeof request === 'string') return new Response('', { status: 404 });
    if (new URL(request.url).pathname === '/api/device/messages')
      return Response.json({ status: 200, response: 'success', message: '', data: MESSAGES });
    if (new URL(request.url).pathname.startsWith('/api/device/commands/emi_alert')) {
      sent(await request.json());
      const data = { command_id: 'c', state: 'QUEUED', revision: null };
      return Response.json({ status: 200, response: 'success', message: '', data });
    }
    if (new URL(request.url).pathname.startsWith('/api/device/preview/camera_lock')) {
      const data = { verdict: { allowed: true, rule: 'OVERDUE_STEP', explain: {} } };
      return Response.json({ status: 200, response: 'success', message: '', data });
    }
    if (new URL(request.url).pathname.startsWith('/api/device/commands/')) sent(await request.json());
    if (new URL(request.url).pathname.startsWith('/api/device/command'))
      return Response.json(
        { status: 403, response: 'failure', message: '', code: 'FEATURE_NOT_ALLOWED' },
        { status: 403 },
      );
    const words = { feature_access: featureAccess, lock_unlock: '1', unistall: '1', active_deactive: '1' };
    const data = { user_type: 'retailer', bulk_retailer: '0', ...words };
    return Response.json({ status: 200, response: 'success', message: '', data });
  });
});
afterEach(() => vi.unstubAllGlobals());

it('a refused press says why in sight, and goes on saying it when the button is gone with the access word', async () => {
  const store = makeStore();
  const device = {
    toggles: {},
    features: { toggles: [], actions: ['sim_info'], cannot: {} },
    desired_revision: 1,
    reported_revision: 1,
  } as unknown as DeviceView;
  render(
    <Provider store={store}>
      <Orders customerId="c-1" device={device} lock={{ lock_status: 0 } as LockView} />
    </Provider>,
  );
  await userEvent.click(screen.getByRole('button', { name: 'command.sim_info' }));
  expect(await screen.findByRole('alert')).toHaveTextContent('errors.FORBIDDEN');
  expect(scrolled).toHaveBeenCalledWith({ block: 'nearest' });
  featureAccess = '0';
  act(() => void store.dispatch(api.util.invalidateTags(['getUserAccess'])));
  await vi.waitFor(() => expect(screen.queryByRole('button', { name: 'command.sim_info' })).toBeNull());
  expect(screen.getByRole('alert')).toHaveTextContent('errors.FORBIDDEN');
});

it('what this very phone cannot do cannot be asked, and says why', () => {
  const device = {
    toggles: {},
    features: {
      toggles: [],
      actions: ['sim_info', 'reboot'],
      cannot: { reboot: { why: 'devices.why.android', needs: '7' } },
    },
    desired_revision: 1,
    reported_revision: 1,
  } as unknown as DeviceView;
  render(
    <Provider store={makeStore()}>
      <Orders customerId="c-1" device={device} lock={{ lock_status: 0 } as LockView} />
    </Provider>,
  );
  const restart = screen.getByRole('button', { name: 'command.reboot' });
  expect(restart).toBeDisabled();
  expect(restart).toHaveAccessibleDescription('command.reboot: devices.why.android');
  expect(screen.getByRole('button', { name: 'command.sim_info' })).toBeEnabled();
});

it('a message is chosen by name and read in the customer’s language before it leaves; nobody writes words of their own', async () => {
  sent.mockReset();
  const device = {
    toggles: {},
    features: { toggles: [], actions: ['emi_alert'], cannot: {} },
    desired_revision: 1,
    reported_revision: 1,
  } as unknown as DeviceView;
  render(
    <Provider store={makeStore()}>
      <Orders customerId="c-1" device={device} lock={{ lock_status: 0 } as LockView} />
    </Provider>,
  );
  await userEvent.click(screen.getByRole('button', { name: 'command.emi_alert' }));
  expect(await screen.findByText('कृपया भरें')).toHaveAttribute('lang', 'hi');
  expect(screen.queryByRole('textbox', { hidden: true })).toBeNull();
  await userEvent.click(screen.getByRole('radio', { name: /Please come/, hidden: true }));
  expect(screen.getByText('दुकान पर आएँ')).toHaveAttribute('lang', 'hi');
  await userEvent.click(screen.getByRole('button', { name: 'device.send', hidden: true }));
  await vi.waitFor(() => expect(sent).toHaveBeenCalledOnce());
  expect(sent.mock.calls[0]![0]).toMatchObject({ customer_id: 'c-1', value: 'festival_offer' });
});

it('what is taken from the holder is asked for because of the debt, what serves him as a wish of the customer', async () => {
  sent.mockReset();
  const device = {
    toggles: {},
    features: { toggles: ['camera_lock'], actions: ['fetch_location'], cannot: {} },
    desired_revision: 1,
    reported_revision: 1,
  } as unknown as DeviceView;
  render(
    <Provider store={makeStore()}>
      <Orders customerId="c-1" device={device} lock={{ lock_status: 0 } as LockView} />
    </Provider>,
  );
  await userEvent.click(await screen.findByRole('switch', { name: 'feature.camera_lock' }));
  await vi.waitFor(() => expect(sent).toHaveBeenCalledTimes(1));
  // While the first is under way no other goes.
  await vi.waitFor(() => expect(screen.getByRole('button', { name: 'command.location' })).toBeEnabled());
  await userEvent.click(screen.getByRole('button', { name: 'command.location' }));
  await vi.waitFor(() => expect(sent).toHaveBeenCalledTimes(2));
  expect(sent.mock.calls.map(([body]) => (body as { reason: string }).reason)).toEqual([
    'EMI_OVERDUE',
    'CUSTOMER_REQUEST',
  ]);
});
