// @vitest-environment jsdom
import { act, render, screen } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import type { SessionGrant } from '@kist/contract/auth';
import { createMemoryRouter, MemoryRouter, RouterProvider } from 'react-router';
import { afterEach, describe, expect, it, vi } from 'vitest';
import { endSession, keepSession } from '#web/state/session.ts';
import { stored } from '#web/state/storage.ts';
import type { SignInState } from '#web/widgets/sign-in.ts';
import { Screen } from './screen.tsx';

afterEach(() => {
  vi.unstubAllGlobals();
  endSession();
});

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

const grantOf = (user_id: string, mpin_set = true): SessionGrant => ({
  token: `token of ${user_id}`,
  account_id: user_id,
  user_id,
  user_type: 'retailer',
  org_id: 20,
  first_name: user_id,
  shop_name: '',
  mpin_set,
  seal_key: 'A'.repeat(43),
});
/** The code of +919000000001 is typed and under way. @returns what answers it */
async function typed(more: Partial<SignInState> = {}) {
  let answer: ((data: object) => void) | undefined;
  vi.stubGlobal('fetch', (request: Request | string) =>
    typeof request === 'string'
      ? Promise.resolve(new Response('', { status: 404 }))
      : new Promise((resolve) => {
          answer = (data) => resolve(Response.json({ status: 200, response: 'success', message: '', data }));
        }),
  );
  const state: SignInState = { mobile: '+919000000001', purpose: 'LOGIN', resendAtMs: 0, ...more };
  const router = createMemoryRouter(
    [
      { path: '/otp', Component: Screen },
      { path: '*', element: <p>elsewhere</p> },
    ],
    { initialEntries: [{ pathname: '/otp', state }] },
  );
  render(<RouterProvider router={router} />);
  await userEvent.type(screen.getByRole('textbox'), '123456');
  await vi.waitFor(() => expect(answer).toBeDefined());
  const answered = (data: object) =>
    act(async () => {
      answer!(data);
      await new Promise((done) => setTimeout(done, 50));
    });
  return { router, answered };
}
const signedIn = (user_id: string) => ({ purpose: 'LOGIN', ...grantOf(user_id) });

describe('a code whose answer comes late', () => {
  it('signs nobody in over who came in meanwhile', async () => {
    const { router, answered } = await typed();
    await act(() => router.navigate('/login'));
    keepSession(grantOf('irfan'), '+919000000002');
    await act(() => router.navigate('/customers/of-irfan'));
    await answered(signedIn('asha'));
    expect([stored('user_id'), stored('token'), stored('phone')]).toEqual(['irfan', 'token of irfan', '+919000000002']);
    expect(router.state.location.pathname).toBe('/customers/of-irfan');
  });
  it('signs nobody in who has left it for another number', async () => {
    const { router, answered } = await typed();
    await act(() => router.navigate('/login'));
    await answered(signedIn('asha'));
    expect(stored('token')).toBe('');
    expect(router.state.location.pathname).toBe('/login');
  });
});

it.each([
  ['the one who was there goes back', 'asha', '/customers/c1?of=asha'],
  ['another one goes home', 'irfan', '/dashboard'],
])('after a session that was lost %s', async (_, user, to) => {
  const { router, answered } = await typed({ from: '/customers/c1?of=asha', whose: 'asha' });
  await answered(signedIn(user));
  const { pathname, search } = router.state.location;
  expect(pathname + search).toBe(to);
  expect(stored('user_id')).toBe(user);
});

it.each([
  ['asha', '/customers/c1'],
  ['irfan', undefined],
])('%s who has no M-PIN yet sets one on the way', async (user, from) => {
  const { router, answered } = await typed({ from: '/customers/c1', whose: 'asha' });
  await answered({ purpose: 'LOGIN', ...grantOf(user, false) });
  expect(router.state.location).toMatchObject({ pathname: '/m-pin', state: { mode: 'set', from } });
});
