// @vitest-environment jsdom
import { render, screen } from '@testing-library/react';
import { MemoryRouter } from 'react-router';
import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { Screen } from './screen.tsx';

const policy = { company: 'Asha Finance', text: null, contact: null, version: null, set_on: null };
beforeEach(() => {
  vi.stubGlobal('fetch', async (request: Request | string) => {
    if (typeof request === 'string') return new Response('', { status: 404 });
    return Response.json({ status: 200, response: 'success', message: '', data: policy });
  });
});
afterEach(() => vi.unstubAllGlobals());

const show = () =>
  render(
    <MemoryRouter>
      <Screen />
    </MemoryRouter>,
  );
const back = () => screen.getByRole('link', { name: 'common.back' }).getAttribute('href');

it('an organisation without a text of its own has the product’s, all five parts, and nothing that it did not say', async () => {
  show();
  await screen.findByText('privacy.keep_title');
  expect(screen.getAllByRole('heading', { level: 2 }).map((one) => one.textContent)).toEqual(
    ['keep', 'never', 'why', 'place', 'rights'].map((part) => `privacy.${part}_title`),
  );
  expect(screen.queryByText('privacy.contact_title')).toBeNull();
  expect(screen.queryByText('privacy.version')).toBeNull();
});

it('leads back to the login of who is not signed in, and home of who is', async () => {
  const { unmount } = show();
  await screen.findByText('privacy.keep_title');
  expect(back()).toBe('/login');
  unmount();
  localStorage.setItem('token', 'T');
  show();
  await screen.findByText('privacy.keep_title');
  expect(back()).toBe('/dashboard');
});
