// @vitest-environment jsdom
import { render, screen } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { MemoryRouter, Route, Routes, useLocation } from 'react-router';
import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import type { SignInState } from '#web/widgets/sign-in.ts';
import { Screen } from './screen.tsx';

let refusal: { status: number; code: string; retryAfterS?: number };
beforeEach(() => {
  vi.stubGlobal('fetch', async (request: Request | string) => {
    if (typeof request === 'string') return new Response('', { status: 404 });
    const { status, code, retryAfterS } = refusal;
    const headers: Record<string, string> = retryAfterS ? { 'retry-after': String(retryAfterS) } : {};
    return Response.json({ status, response: 'failure', message: `said ${code}`, code }, { status, headers });
  });
});
afterEach(() => vi.unstubAllGlobals());

/** The screen of the code, as far as it matters here. */
function Code() {
  const { mobile, purpose, resendAtMs = 0 } = useLocation().state as SignInState;
  return <p>{`${mobile} ${purpose} ${Math.round((resendAtMs - Date.now()) / 1000)}`}</p>;
}
async function send() {
  render(
    <MemoryRouter initialEntries={['/login']}>
      <Routes>
        <Route path="/login" element={<Screen />} />
        <Route path="/otp" element={<Code />} />
      </Routes>
    </MemoryRouter>,
  );
  await userEvent.type(screen.getByRole('textbox'), '9000000001');
  await userEvent.click(screen.getByRole('button', { name: 'auth.send_code' }));
}

it('asked again too soon it leads back to the code that is on its way, with the seconds that are left', async () => {
  refusal = { status: 429, code: 'OTP_TOO_SOON', retryAfterS: 28 };
  await send();
  expect(await screen.findByText('+919000000001 LOGIN 28')).toBeInTheDocument();
});

it.each(['SMS_UNAVAILABLE', 'UNAVAILABLE'])('why no code comes (%s) stands by the field and stays', async (code) => {
  refusal = { status: 503, code };
  await send();
  await vi.waitFor(() => expect(screen.getByRole('textbox')).toHaveAccessibleDescription(`said ${code}`));
});
