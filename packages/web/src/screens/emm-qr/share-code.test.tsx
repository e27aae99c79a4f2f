// @vitest-environment jsdom
import { render, screen, waitFor } from '@testing-library/react';
import i18next from 'i18next';
import { Provider } from 'react-redux';
import { initReactI18next } from 'react-i18next';
import { afterEach, beforeAll, expect, it, vi } from 'vitest';
import { makeStore } from '#web/state/store.ts';
import { CodeCard } from './code-card.tsx';
import { ShareCode } from './share-code.tsx';
import type { Code } from './use-code.ts';

/** The sentences that are sent name what is put into them; every other word is its key. */
const SENT = { qr: { link_share: 'link {{link}}', share_text: 'code {{code}}' } };
beforeAll(() =>
  i18next.use(initReactI18next).init({
    lng: 'en',
    resources: { en: { translation: SENT } },
    interpolation: { escapeValue: false },
  }),
);
afterEach(() => vi.unstubAllGlobals());

const AT = '2026-11-28T10:00:00Z';
const codeOf = (qr: string): Code => ({ qr, manual_code: 'KDM9-7QX2-4R', expires_at: AT });
/** What WhatsApp would be opened with. */
const shared = () => new URL(screen.getByRole('link', { name: 'common.share' }).getAttribute('href') ?? '');

function draw(links: string[]) {
  const asked: string[] = [];
  vi.stubGlobal('fetch', async (request: Request | string) => {
    if (typeof request === 'string') return new Response('', { status: 404 });
    const { pathname, search } = new URL(request.url);
    asked.push(pathname + search);
    const link = links.shift();
    return link
      ? Response.json({ status: 200, response: 'success', message: '', data: { link, expires_at: AT } })
      : Response.json({ status: 503, response: 'failure', message: '', code: 'UNAVAILABLE' }, { status: 503 });
  });
  const store = makeStore();
  const view = (qr: string) => (
    <Provider store={store}>
      <ShareCode customerId="c-1" code={codeOf(qr)} mobile="+919800000000" />
    </Provider>
  );
  const { rerender } = render(view('https://kist.example/agent#first'));
  return { asked, show: (qr: string) => rerender(view(qr)) };
}

it('of a phone in use what get_deep_link answers is sent, and another after another code', async () => {
  const { asked, show } = draw(['https://kist.example/agent#good', 'https://kist.example/agent#next']);
  await waitFor(() => expect(shared().pathname).toBe('/919800000000'));
  expect(asked).toEqual(['/api/customer/get_deep_link?customer_id=c-1']);
  expect(shared().searchParams.get('text')).toBe('link https://kist.example/agent#good');
  show('https://kist.example/agent#second');
  expect(screen.queryByRole('link')).toBeNull();
  await waitFor(() => expect(shared().searchParams.get('text')).toBe('link https://kist.example/agent#next'));
  expect(asked).toHaveLength(2);
});

it('without an answer nothing is sent that might be dead', async () => {
  const { asked } = draw([]);
  await waitFor(() => expect(asked.length).toBeGreaterThan(0));
  expect(screen.queryByRole('link')).toBeNull();
  expect(screen.getByRole('button', { name: 'common.share' })).toBeInTheDocument();
});

it('of a phone out of its box the code to type is sent, and no link is asked for', () => {
  const { asked, show } = draw([]);
  show('{"android":"provisioning"}');
  expect(shared().searchParams.get('text')).toMatch(/^code KDM9/);
  expect(asked.filter((path) => !path.includes('deep_link'))).toEqual([]);
});

it.each([
  ['is good', 60_000, 1],
  ['is over', -60_000, 0],
])('a code whose time %s is sent to nobody but while it is good', (_, leftMs, links) => {
  const code = { ...codeOf('{"android":"provisioning"}'), expires_at: new Date(Date.now() + leftMs).toISOString() };
  render(
    <Provider store={makeStore()}>
      <CodeCard customerId="c-1" code={code} mobile="+919800000000" isFetching={false} onFresh={() => undefined} />
    </Provider>,
  );
  expect(screen.queryAllByRole('link', { name: 'common.share' })).toHaveLength(links);
});
