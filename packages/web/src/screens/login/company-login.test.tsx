// @vitest-environment jsdom
import { StrictMode } from 'react';
import { render, screen } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { MemoryRouter, Route, Routes } from 'react-router';
import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { Screen } from './screen.tsx';

const TICKET = 'T'.repeat(43);
const session = {
  token: 'k.token',
  account_id: '01890a5d-ac96-774b-bcce-b302099a8057',
  user_id: '01890a5d-ac96-774b-bcce-b302099a8057',
  user_type: 'retailer',
  org_id: 20,
  first_name: 'Asha',
  shop_name: 'Asha Mobiles',
  mpin_set: true,
  seal_key: 'A'.repeat(43),
};
let sent: string[];
let refusal: { status: number; code: string } | undefined;
beforeEach(() => {
  sent = [];
  refusal = undefined;
  vi.stubGlobal('fetch', async (request: Request | string) => {
    if (typeof request === 'string') return new Response('', { status: 404 });
    const { pathname, search } = new URL(request.url);
    if (!pathname.startsWith('/api/auth/')) return new Response('', { status: 404 });
    sent.push(pathname + search);
    if (refusal) return Response.json({ ...refusal, response: 'failure', message: `said ${refusal.code}` }, refusal);
    const data = { session, mobile: '+919000000001' };
    return Response.json({ status: 200, response: 'success', message: '', data });
  });
});
afterEach(() => {
  vi.unstubAllGlobals();
  localStorage.clear();
  sessionStorage.clear();
});

function comeBack(search: string) {
  window.history.replaceState(null, '', `/login${search}`);
  render(
    <StrictMode>
      <MemoryRouter initialEntries={['/login']}>
        <Routes>
          <Route path="/login" element={<Screen />} />
          <Route path="/dashboard" element={<p>at home</p>} />
        </Routes>
      </MemoryRouter>
    </StrictMode>,
  );
}

it('hands on what it came back with, once, and leaves none of it in the address', async () => {
  sessionStorage.setItem('company_login', TICKET);
  comeBack('?code=abc&state=xyz&iss=https%3A%2F%2Flogin.example.in&session_state=more');
  expect(await screen.findByText('at home')).toBeInTheDocument();
  expect(sent).toEqual([
    `/api/auth/oauth/callback?code=abc&iss=https%3A%2F%2Flogin.example.in&state=xyz&ticket=${TICKET}`,
  ]);
  expect(window.location.search).toBe('');
  expect(sessionStorage.getItem('company_login')).toBeNull();
});

it.each([
  ['the user gave up there', '?error=access_denied&state=xyz', TICKET],
  ['this tab never went there: a link that somebody else made', '?code=abc&state=xyz', null],
])('sends nothing where %s, and says so', async (_, search, ticket) => {
  if (ticket) sessionStorage.setItem('company_login', ticket);
  comeBack(search);
  expect(await screen.findByRole('alert')).toHaveTextContent('auth.company_cancelled');
  expect(sent).toEqual([]);
  expect(window.location.search).toBe('');
  await userEvent.click(screen.getByRole('button', { name: 'auth.use_number' }));
  expect(screen.getByRole('textbox')).toBeInTheDocument();
});

it('says why it was refused, and that stays', async () => {
  refusal = { status: 403, code: 'OIDC_NOBODY' };
  sessionStorage.setItem('company_login', TICKET);
  comeBack('?code=abc&state=xyz');
  expect(await screen.findByRole('alert')).toHaveTextContent('said OIDC_NOBODY');
  expect(screen.getByRole('button', { name: 'auth.company_login' })).toBeInTheDocument();
});

it('is offered only where the company has one', async () => {
  comeBack('');
  expect(screen.queryByRole('button', { name: 'auth.company_login' })).toBeNull();
});
