// @vitest-environment jsdom
import { render, screen } from '@testing-library/react';
import i18next from 'i18next';
import { I18nextProvider } from 'react-i18next';
import userEvent from '@testing-library/user-event';
import { MemoryRouter } from 'react-router';
import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { Screen } from './screen.tsx';

let policy: Record<string, unknown> = {};
let isAway = false;
let asked: string[] = [];
beforeEach(() => {
  policy = { company: 'Asha Finance', text: null, contact: null, version: null, set_on: null };
  [isAway, asked] = [false, []];
  vi.stubGlobal('fetch', async (request: Request | string) => {
    if (typeof request === 'string') return new Response('', { status: 404 });
    asked.push(new URL(request.url).search);
    if (isAway)
      return Response.json({ status: 500, response: 'failure', code: 'INTERNAL', message: 'Broken.' }, { status: 500 });
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

it('the organisation’s own text stands in the place of the product’s, with whom to turn to and since when it holds', async () => {
  policy = { ...policy, text: 'We keep\nlittle.', contact: 'privacy@asha.example', version: 3, set_on: '2026-03-01' };
  show();
  expect(await screen.findByText(/We keep\s+little\./)).toBeVisible();
  expect(screen.getByText('privacy@asha.example')).toBeVisible();
  expect(screen.getByText('privacy.version')).toBeVisible();
  expect(screen.queryByText('privacy.keep_title')).toBeNull();
});

it('an organisation without a text of its own has the product’s, all five parts, and nothing that it did not say', async () => {
  show();
  await screen.findByText('privacy.keep_title');
  expect(screen.getAllByRole('heading', { level: 2 }).map((one) => one.textContent)).toEqual(
    ['keep', 'never', 'why', 'place', 'rights'].map((part) => `privacy.${part}_title`),
  );
  expect(screen.queryByText('privacy.contact_title')).toBeNull();
  expect(screen.queryByText('privacy.version')).toBeNull();
});

it('where it could not be had that is said, and it can be asked for again', async () => {
  isAway = true;
  show();
  expect(await screen.findByText('Broken.')).toBeVisible();
  isAway = false;
  await userEvent.click(screen.getByRole('button', { name: 'common.retry' }));
  expect(await screen.findByText('privacy.keep_title')).toBeVisible();
  expect(screen.queryByText('Broken.')).toBeNull();
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

it('is asked for in the language that is read', async () => {
  const i18n = i18next.createInstance();
  await i18n.init({ lng: 'mr', resources: { mr: { translation: {} } } });
  render(
    <I18nextProvider i18n={i18n}>
      <MemoryRouter>
        <Screen />
      </MemoryRouter>
    </I18nextProvider>,
  );
  await screen.findByText('privacy.keep_title');
  expect(asked).toEqual(['?language=mr']);
});
