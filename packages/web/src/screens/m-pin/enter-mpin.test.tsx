// @vitest-environment jsdom
import { render, screen } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { MemoryRouter, Route, Routes, useLocation } from 'react-router';
import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import type { SignInState } from '#web/widgets/sign-in.ts';
import { EnterMpin } from './enter-mpin.tsx';

let code = '';
beforeEach(() => {
  vi.stubGlobal('fetch', async (request: Request | string) => {
    if (typeof request === 'string') return new Response('', { status: 404 });
    const status = code === 'SMS_UNAVAILABLE' ? 503 : 429;
    return Response.json(
      { status, response: 'failure', message: `said ${code}`, code },
      { status, headers: { 'retry-after': '20' } },
    );
  });
});
afterEach(() => vi.unstubAllGlobals());

function Code() {
  const { purpose, resendAtMs = 0 } = useLocation().state as SignInState;
  return <p>{`${purpose} ${Math.round((resendAtMs - Date.now()) / 1000)}`}</p>;
}
const open = () =>
  render(
    <MemoryRouter initialEntries={['/m_pin']}>
      <Routes>
        <Route path="/m_pin" element={<EnterMpin mobile="+919000000001" />} />
        <Route path="/otp" element={<Code />} />
      </Routes>
    </MemoryRouter>,
  );
const type = async () => {
  for (const digit of '2580') await userEvent.click(screen.getByRole('button', { name: digit }));
};

it.each(['OTP_DAILY_LIMIT', 'SMS_UNAVAILABLE'])(
  'an M-PIN on a device that must be verified first is told so, with why no code comes (%s)',
  async (why) => {
    code = why;
    open();
    await type();
    expect(await screen.findByText(`auth.verify_first said ${why}`)).toBeInTheDocument();
  },
);

it('a wrong M-PIN is told as it is', async () => {
  code = 'MPIN_LOCKED';
  open();
  await type();
  expect(await screen.findByText('said MPIN_LOCKED')).toBeInTheDocument();
});

it.each([
  ['auth.mpin_forgot', 'FORGOT_PASSWORD 20'],
  ['auth.use_code', 'LOGIN 20'],
])('%s asked for too soon leads back to the code that is on its way', async (button, state) => {
  code = 'OTP_TOO_SOON';
  open();
  await userEvent.click(screen.getByRole('button', { name: button }));
  expect(await screen.findByText(state)).toBeInTheDocument();
});

it('an M-PIN typed while a code is on its way leads to that code', async () => {
  code = 'OTP_TOO_SOON';
  open();
  await type();
  expect(await screen.findByText('LOGIN 20')).toBeInTheDocument();
});
