// @vitest-environment jsdom
import i18next from 'i18next';
import { afterEach, expect, it, vi } from 'vitest';
import { fetchMain, localeUrl } from './backend.ts';
import { formatDay } from './formats.ts';
import { currentLanguage, keepLocale, loadMore, setLanguage, startI18n } from './i18n.ts';

afterEach(() => vi.unstubAllGlobals());

it('a visit whose language cannot be had is in English, dates and all, until its words are there', async () => {
  let isCut = true;
  vi.stubGlobal('fetch', async (url: string) => {
    if (!url.includes('/en.json') && isCut) throw new TypeError('no line');
    return Response.json({ common: { close: url.includes('/en.json') ? 'Close' : 'बंद करें' } });
  });
  document.cookie = 'i18next=hn';
  expect(await startI18n()).toBe(true);
  expect([i18next.t('common.close'), formatDay('2026-12-28'), document.documentElement.lang]).toEqual([
    'Close',
    '28 Dec',
    'en',
  ]);
  expect(document.cookie).toContain('i18next=hn');
  isCut = false;
  await setLanguage('hn');
  expect([i18next.t('common.close'), formatDay('2026-12-28'), currentLanguage()]).toEqual(['बंद करें', '28 दिस॰', 'hn']);
});

it('a screen whose words cannot be had in the language says them in English', async () => {
  vi.stubGlobal('fetch', async (url: string) => {
    if (!url.includes('/en.json')) return new Response('', { status: 503 });
    return Response.json({ sale: { word: 'Sale' } });
  });
  expect(currentLanguage()).toBe('hn');
  await loadMore(['sale']);
  expect(i18next.t('sale.word')).toBe('Sale');
});

it('words of a screen that could not be had are asked for again when it is opened again', async () => {
  let isCut = true;
  vi.stubGlobal('fetch', async () => {
    if (isCut) throw new TypeError('no line');
    return Response.json({ customer: { word: 'ग्राहक' } });
  });
  await expect(loadMore(['customer'])).rejects.toThrow('no line');
  isCut = false;
  await loadMore(['customer']);
  expect(i18next.t('customer.word')).toBe('ग्राहक');
});

/** What came in the place of words, and what this phone does with what it keeps of them. */
async function answered(answer: () => Response) {
  const [kept, dropped]: [string[], string[]] = [[], []];
  const cache = {
    match: async () => undefined,
    put: async (url: string) => void kept.push(url),
    delete: async (url: string) => dropped.push(url) > 0,
  };
  vi.stubGlobal('caches', { open: async () => cache });
  vi.stubGlobal('fetch', async () => answer());
  await expect(fetchMain('mr')).rejects.toThrow('no words');
  const [droppedFirst] = dropped;
  await keepLocale('mr');
  return { kept, droppedFirst };
}

it('the sign-in page of a Wi-Fi is never taken or kept for words, and one that was goes', async () => {
  const page = () => new Response('<h1>Sign in</h1>', { headers: { 'content-type': 'text/html' } });
  expect(await answered(page)).toEqual({ kept: [], droppedFirst: localeUrl('mr') });
});

it('a refusal of the server is never taken or kept for words, and those that are kept stay', async () => {
  const refusal = () => Response.json({ status: 503, response: 'failure', code: 'UNAVAILABLE' }, { status: 503 });
  expect(await answered(refusal)).toEqual({ kept: [], droppedFirst: undefined });
});
