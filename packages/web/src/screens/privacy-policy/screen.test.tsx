// @vitest-environment jsdom
import { act, render, screen, waitFor } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import i18next from 'i18next';
import { initReactI18next } from 'react-i18next';
import { MemoryRouter } from 'react-router';
import { afterEach, beforeAll, beforeEach, expect, it, vi } from 'vitest';
import { Screen } from './screen.tsx';

/** By language; what is missing here has none of its own. */
const OWN: Record<string, string> = { en: 'We keep your number.\nAsk us for it.', mr: 'आम्ही तुमचा नंबर ठेवतो.' };
let hasOwn = true;
let asked: string[] = [];
let isAway = false;
/** Languages that are answered late: not before it is told. */
let late: Record<string, Promise<void>> = {};
beforeAll(async () => {
  await i18next.use(initReactI18next).init({ lng: 'en', resources: {} });
});
beforeEach(async () => {
  hasOwn = true;
  asked = [];
  isAway = false;
  late = {};
  await i18next.changeLanguage('en');
  vi.stubGlobal('fetch', async (request: Request | string) => {
    if (typeof request === 'string') return new Response('', { status: 404 });
    if (isAway) return Response.json({ response: 'failure', message: '', code: 'UNAVAILABLE' }, { status: 503 });
    const language = new URL(request.url).searchParams.get('language') ?? '';
    asked.push(language);
    await late[language];
    const own = { text: OWN[language], language, version: 3, sha256: '', set_on: '2026-11-01' };
    const none = { text: null, language: null, version: null, sha256: null, set_on: null };
    const data = { company: 'Komal Mobile', contact: hasOwn ? 'komal@shop.example' : '', ...(hasOwn ? own : none) };
    return Response.json({ status: 200, response: 'success', message: '', data });
  });
});
afterEach(() => vi.unstubAllGlobals());

const show = () =>
  render(
    <MemoryRouter>
      <Screen />
    </MemoryRouter>,
  );
const PRODUCTS = /^privacy\.(keep|never|why|place|rights)_/;

it('an organisation’s own text is what stands there, and nothing of the product’s beside it', async () => {
  show();
  expect(await screen.findByText(/We keep your number/)).toBeVisible();
  expect(screen.queryByText(PRODUCTS)).toBeNull();
  expect(screen.getByText('privacy.version')).toBeVisible();
  expect(screen.getByText('komal@shop.example')).toBeVisible();
});

it('of an organisation that has none the product’s text stands there, all of it', async () => {
  hasOwn = false;
  show();
  expect(await screen.findByText('privacy.keep_title')).toBeVisible();
  expect(screen.getAllByText(PRODUCTS)).toHaveLength(10);
  expect(screen.getAllByRole('heading', { level: 2 }).map((one) => one.textContent)).toEqual(
    ['keep', 'never', 'why', 'place', 'rights'].map((part) => `privacy.${part}_title`),
  );
  expect(screen.queryByText('privacy.contact_title')).toBeNull();
  expect(screen.queryByText('privacy.version')).toBeNull();
});

it('who changes the language on the page reads the organisation’s text in that one', async () => {
  show();
  await screen.findByText(/We keep your number/);
  await act(async () => void (await i18next.changeLanguage('mr')));
  expect(await screen.findByText(OWN['mr']!)).toBeVisible();
  expect(screen.queryByText(/We keep your number/)).toBeNull();
});

it('a text in a language that was left meanwhile never takes the place of that in the one that is read', async () => {
  let answer!: () => void;
  late = { mr: new Promise((resolve) => (answer = resolve)) };
  show();
  await screen.findByText(/We keep your number/);
  await act(async () => void (await i18next.changeLanguage('mr')));
  await waitFor(() => expect(asked).toEqual(['en', 'mr']));
  await act(async () => void (await i18next.changeLanguage('en')));
  await waitFor(() => expect(asked).toEqual(['en', 'mr', 'en']));
  answer();
  await act(() => new Promise((resolve) => setTimeout(resolve, 50)));
  expect(screen.getByText(/We keep your number/)).toBeVisible();
});

it('that it could not be had is said, and a press asks again', async () => {
  isAway = true;
  show();
  const again = await screen.findByRole('button', { name: 'common.retry' });
  expect(screen.queryByText(PRODUCTS)).toBeNull();
  isAway = false;
  await userEvent.click(again);
  expect(await screen.findByText(/We keep your number/)).toBeVisible();
});

const back = () => screen.getByRole('link', { name: 'common.back' }).getAttribute('href');

it('leads back to the login of who is not signed in, and home of who is', async () => {
  const { unmount } = show();
  await screen.findByText('privacy.version');
  expect(back()).toBe('/login');
  unmount();
  localStorage.setItem('token', 'T');
  show();
  await screen.findByText('privacy.version');
  expect(back()).toBe('/dashboard');
});
