// @vitest-environment jsdom
import { render, screen } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { MemoryRouter, Route, Routes, useLocation } from 'react-router';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
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

describe('what a thumb does in the page’s own form while the first screen is drawn in slices', () => {
  /** Drawn after the screen, so between its first look at that form and the commit that takes the form away. */
  function Thumb({ does }: { does: () => void }) {
    does();
    return null;
  }
  function draw(does: () => void): void {
    refusal = { status: 503, code: 'UNAVAILABLE' };
    const container = document.body.appendChild(document.createElement('div'));
    container.innerHTML = '<div id="front"><form><input value="900" /><button>Send</button></form></div>';
    render(
      <MemoryRouter initialEntries={['/login']}>
        <Screen />
        <Thumb does={does} />
      </MemoryRouter>,
      { container },
    );
  }
  const front = () => document.querySelector<HTMLInputElement>('#front input');

  it('the number that was finished and the press are taken over', async () => {
    draw(() => {
      if (front()) front()!.value = '9000000001';
      document.querySelector('#front button')?.setAttribute('aria-busy', 'true');
    });
    expect(screen.getByRole('textbox')).toHaveValue('9000000001');
    await vi.waitFor(() => expect(screen.getByRole('textbox')).toHaveAccessibleDescription('said UNAVAILABLE'));
  });

  it('the field that was gone to has the focus, and the one that was left has not', () => {
    draw(() => front()?.focus());
    expect(screen.getByRole('textbox')).toHaveFocus();
  });

  it('nothing is sent that nobody pressed', () => {
    draw(() => undefined);
    expect(screen.getByRole('textbox')).toHaveValue('900');
    expect(screen.getByRole('textbox')).not.toHaveFocus();
    expect(screen.getByRole('button', { name: 'auth.send_code' })).toBeEnabled();
  });
});
