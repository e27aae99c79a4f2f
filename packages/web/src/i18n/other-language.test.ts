// @vitest-environment jsdom
import i18next from 'i18next';
import { beforeEach, expect, it, vi } from 'vitest';
import { LANGUAGES } from '@kist/contract/codes';
import { MORE_PARTS } from './backend.ts';
import { keepLocale, loadMore, setLanguage, startI18n } from './i18n.ts';

let kept: string[] = [];
const cache = { match: async () => undefined, put: async (url: string) => void kept.push(url) };
beforeEach(() => {
  kept = [];
  vi.stubGlobal('caches', { open: async () => cache });
  vi.stubGlobal('fetch', async (url: string) => {
    const [part, language] = /^\/locales\/(?:(\w+)\/)?(\w+)\.json/.exec(url)!.slice(1);
    return Response.json({
      common: { close: language },
      [part ?? 'main']: { word: `${part ?? 'main'} in ${language}` },
    });
  });
});

it('another language brings the words of the screens that are open, and those of the next come in it too', async () => {
  await startI18n();
  await loadMore(['sale']);
  await setLanguage('mr');
  expect(i18next.t('sale.word')).toBe('sale in mr');
  await loadMore(['customer']);
  expect(i18next.t('customer.word')).toBe('customer in mr');
  await setLanguage('hn');
  expect(['sale.word', 'customer.word'].map((key) => i18next.t(key))).toEqual(['sale in hn', 'customer in hn']);
});

it.each(LANGUAGES)('all words of %s are kept for when there is no network', async (language) => {
  await keepLocale(language);
  expect(kept).toEqual(
    ['', ...MORE_PARTS.map((part) => `${part}/`)].map((folder) => `/locales/${folder}${language}.json`),
  );
});
