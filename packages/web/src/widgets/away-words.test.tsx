// @vitest-environment jsdom
import { act, render, screen } from '@testing-library/react';
import i18next from 'i18next';
import { initReactI18next } from 'react-i18next';
import { MemoryRouter } from 'react-router';
import { afterEach, beforeAll, expect, it, vi } from 'vitest';
import { api } from '#web/api/api.ts';
import { errorText } from '#web/api/error-text.ts';
import type { ApiError } from '#web/api/errors.ts';
import { outbox } from '#web/offline/app-outbox.ts';
import { appStore } from '#web/state/store.ts';
import { keptMessageKey } from './kept-message.ts';
import { ProblemView } from './query-view.tsx';
import { SyncStrip } from './sync-strip.tsx';

const files = import.meta.glob<object>('../../public/locales/en.json', { import: 'default', eager: true });
const english = files['../../public/locales/en.json'] ?? {};

beforeAll(async () => {
  await i18next.use(initReactI18next).init({
    lng: 'en',
    resources: { en: { translation: english } },
    interpolation: { escapeValue: false },
  });
  // jsdom draws no dialogs.
  HTMLDialogElement.prototype.showModal = () => undefined;
  HTMLDialogElement.prototype.close = () => undefined;
});
afterEach(() => {
  vi.unstubAllGlobals();
  vi.restoreAllMocks();
});

const busy = () =>
  Response.json({ status: 503, response: 'failure', message: '', code: 'UNAVAILABLE' }, { status: 503 });
const page = () => new Response('<h1>Sign in</h1>', { headers: { 'content-type': 'text/html' } });
const cut = () => {
  throw new TypeError('Failed to fetch');
};

/** What everything says after one payment that nobody took. */
async function after(answer: () => Response, hasNetwork: boolean) {
  vi.spyOn(navigator, 'onLine', 'get').mockReturnValue(hasNetwork);
  vi.stubGlobal('fetch', async (asked: Request | string) =>
    typeof asked === 'string' ? new Response('', { status: 404 }) : answer(),
  );
  localStorage.setItem('token', 'T');
  localStorage.setItem('user_id', 'sunita');
  await act(async () => {
    await outbox.put({ name: 'updateEmiStatus', input: { body: { amount: 100 } }, label: 'Payment' });
  });
  const { error } = await appStore.dispatch(
    api.endpoints.read.initiate({ name: 'getDashboard', input: {} }, { forceRefetch: true }),
  );
  render(
    <MemoryRouter>
      <SyncStrip />
      <ProblemView error={error as ApiError} />
    </MemoryRouter>,
  );
  act(() => screen.getByRole('button').click());
  const words = document.body.textContent ?? '';
  const said = { words, kept: i18next.t(keptMessageKey()), sentence: errorText(error, i18next.t) };
  for (const { id } of outbox.entries()) await outbox.discard(id);
  return said;
}

it.each([
  ['our own 503', busy],
  ['a refused connection', cut],
])('on a working network %s is a server that cannot be reached, never a missing internet', async (_name, answer) => {
  const { words, kept, sentence } = await after(answer, true);
  expect(words.match(/Cannot reach the server/g)).toHaveLength(3);
  expect(words).toContain('Waiting for the server');
  expect(kept).toBe('Saved on this phone. Will be sent when the server can be reached.');
  expect(`${words} ${kept} ${sentence}`).not.toMatch(/internet/i);
});

it('a phone without network says that there is no internet', async () => {
  const { words, kept, sentence } = await after(cut, false);
  expect(words).toContain('No internet');
  expect(words).toContain('Waiting for internet');
  expect(words).not.toMatch(/server/);
  expect(kept).toBe('Saved on this phone. Will be sent when internet is back.');
  expect(sentence).toBe('No internet. Please try again.');
});

it('a Wi-Fi that wants a sign-in says so', async () => {
  const { words, kept } = await after(page, true);
  expect(words.match(/This Wi-Fi needs a login/g)!.length).toBeGreaterThanOrEqual(2);
  expect(words).toContain('Waiting for internet');
  expect(kept).toBe('Saved on this phone. Will be sent when internet is back.');
});
