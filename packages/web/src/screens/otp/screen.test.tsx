// @vitest-environment jsdom
import { render, screen } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { MemoryRouter } from 'react-router';
import { afterEach, expect, it, vi } from 'vitest';
import type { SignInState } from '#web/widgets/sign-in.ts';
import { Screen } from './screen.tsx';

afterEach(() => vi.unstubAllGlobals());

it('why no further code comes stays on the screen, beside the way to ask again', async () => {
  vi.stubGlobal('fetch', async (request: Request | string) =>
    typeof request === 'string'
      ? new Response('', { status: 404 })
      : Response.json(
          { status: 503, response: 'failure', message: 'SMS is not working.', code: 'SMS_UNAVAILABLE' },
          { status: 503 },
        ),
  );
  const state: SignInState = { mobile: '+919000000001', purpose: 'LOGIN', resendAtMs: 0 };
  render(
    <MemoryRouter initialEntries={[{ pathname: '/otp', state }]}>
      <Screen />
    </MemoryRouter>,
  );
  await userEvent.click(screen.getByRole('button', { name: 'auth.resend' }));
  expect(await screen.findByRole('alert')).toHaveTextContent('SMS is not working.');
  expect(screen.getByRole('button', { name: 'auth.resend' })).toBeEnabled();
});
