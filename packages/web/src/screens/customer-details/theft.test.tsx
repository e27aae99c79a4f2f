// @vitest-environment jsdom
import { fireEvent, render, screen, waitFor } from '@testing-library/react';
import { Provider } from 'react-redux';
import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import type { CustomerProfile } from '@kist/contract/customers';
import { makeStore } from '#web/state/store.ts';
import { toast } from '#web/ui/toast.ts';
import { Theft } from './theft.tsx';

let codes = 0;
let isAway = false;
beforeEach(() => {
  [codes, isAway] = [0, false];
  localStorage.setItem('token', 'T');
  localStorage.setItem('user_id', 'sunita');
  vi.stubGlobal('fetch', async (request: Request | string) => {
    if (typeof request === 'string') return new Response('', { status: 404 });
    const ok = (data: object) => Response.json({ status: 200, response: 'success', message: '', data });
    if (request.method === 'GET') return ok({ user_type: 'retailer', feature_access: '1' });
    if (isAway) throw new TypeError('no network');
    codes += 1;
    if (codes === 1) return ok({ masked_mobile: '98•••', resend_after_s: 30 });
    const soon = { status: 429, response: 'failure', code: 'OTP_TOO_SOON', message: '' };
    return Response.json(soon, { status: 429, headers: { 'retry-after': '20' } });
  });
});
afterEach(() => vi.unstubAllGlobals());

const profile = {
  customer: { customer_id: 'c', mobile: '+919812345678' },
  device: { enrolled_at: '2026-03-01T00:00:00Z', released_at: null },
  lost_reports: [],
} as unknown as CustomerProfile;

it('an OTP that a lost network kept from arriving stands there still, to be sent once more', async () => {
  render(
    <Provider store={makeStore()}>
      <Theft profile={profile} />
    </Provider>,
  );
  fireEvent.click(await screen.findByRole('button', { name: 'theft.start' }));
  fireEvent.click(await screen.findByRole('button', { name: 'consent.send_code' }));
  const otp = await screen.findByLabelText('auth.otp_label');
  isAway = true;
  fireEvent.change(otp, { target: { value: '123456' } });
  await waitFor(() => expect(toast.current()).toMatchObject({ tone: 'error' }));
  expect(otp).toHaveValue('123456');
});

it('a sheet that is closed and opened again has the words still, and a place for the OTP that was sent', async () => {
  render(
    <Provider store={makeStore()}>
      <Theft profile={profile} />
    </Provider>,
  );
  const open = async () => {
    fireEvent.click(await screen.findByRole('button', { name: 'theft.start' }));
    await screen.findByLabelText(/lost\.note/);
  };
  const send = () => fireEvent.click(screen.getByRole('button', { name: 'consent.send_code' }));
  await open();
  fireEvent.change(screen.getByLabelText(/lost\.note/), { target: { value: 'at the market' } });
  send();
  await screen.findByLabelText('auth.otp_label');
  expect(screen.getByText('auth.resend_in')).toBeInTheDocument();
  expect(screen.queryByRole('button', { name: 'auth.resend' })).toBeNull();

  fireEvent.click(screen.getByRole('button', { name: 'common.close' }));
  await waitFor(() => expect(screen.queryByLabelText('auth.otp_label')).toBeNull());
  await open();
  expect(screen.getByLabelText(/lost\.note/)).toHaveValue('at the market');
  send();
  await screen.findByLabelText('auth.otp_label');
  expect(screen.getByText('auth.resend_in')).toBeInTheDocument();
  expect(codes).toBe(2);
});
