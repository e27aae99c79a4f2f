// @vitest-environment jsdom
import i18next from 'i18next';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { LANGUAGES } from '@kist/contract/codes';
import { fetchMain, fetchPart, localeUrl } from './backend.ts';
import { languageDetector, PLACES } from './detect.ts';
import { currentLanguage, loadMore, setLanguage, startI18n } from './i18n.ts';
import { codeOf, tagOf } from './languages.ts';

const words: Record<string, object> = {
  en: { common: { close: 'Close' }, n_one: 'one', n_other: 'many' },
  hn: { common: { close: 'बंद' }, n_one: 'एक', n_other: 'कई' },
};
let asked: string[] = [];
beforeEach(() => {
  asked = [];
  vi.stubGlobal('fetch', async (url: string) => {
    asked.push(url);
    const [, part, code = ''] = /locales\/(\w+\/)?(\w+)\.json/.exec(url) ?? [];
    if (part) return Response.json({ said: `${part}${code}` });
    return words[code] ? Response.json(words[code]) : new Response('', { status: 404 });
  });
});
afterEach(() => {
  vi.unstubAllGlobals();
  document.documentElement.removeAttribute('lang');
  window.history.replaceState({}, '', '/');
});

const { detect } = languageDetector;

describe('language detection', () => {
  it('goes cookie, html tag, local storage, path, subdomain', () => {
    expect(Object.keys(PLACES)).toEqual(['cookie', 'htmlTag', 'localStorage', 'path', 'subdomain']);
    window.history.replaceState({}, '', '/kn/x');
    localStorage.setItem('language', 'gj');
    expect(detect()).toBe('gj');
    localStorage.clear();
    expect(detect()).toBe('kn');
    localStorage.setItem('language', 'gj');
    document.documentElement.lang = 'mr';
    expect(detect()).toBe('mr');
    document.cookie = 'i18next=tm';
    expect(detect()).toBe('tm');
  });
  it('passes over what is none of the ten, wherever it stands', () => {
    document.cookie = 'i18next=%E0%A4%A; path=/';
    document.documentElement.lang = 'fr';
    window.history.replaceState({}, '', '/customers/x');
    expect(detect()).toBeUndefined();
    localStorage.setItem('language', 'bd');
    expect(detect()).toBe('bd');
    localStorage.clear();
    document.cookie = 'i18next=; path=/; max-age=0';
  });
  it('hears a subdomain when nothing else speaks, and no name that only begins like one', () => {
    const at = (hostname: string) => {
      vi.stubGlobal('window', { location: { hostname, pathname: '/' } });
      return [detect(), vi.unstubAllGlobals()][0];
    };
    document.cookie = 'i18next=; path=/; max-age=0';
    expect([at('hn.shop.example'), at('mr.localhost'), at('shop.example'), at('localhost')]).toEqual([
      'hn',
      'mr',
      undefined,
      undefined,
    ]);
  });
  it('understands BCP 47 tags in all places', () => {
    document.documentElement.lang = 'hi-IN';
    expect(detect()).toBe('hn');
    expect([codeOf('bn'), codeOf('pa-Guru'), codeOf('en_GB'), codeOf('fr')]).toEqual(['bd', 'pp', 'en', 'fr']);
  });
});

describe('words', () => {
  it('come from locales/{language}.json, one file only, and the choice is kept in a cookie', async () => {
    document.cookie = 'i18next=hn';
    expect(await startI18n()).toBe(true);
    expect(i18next.t('common.close')).toBe('बंद');
    expect(asked).toEqual([localeUrl('hn')]);
    expect(document.documentElement.lang).toBe('hi');
    await setLanguage('en');
    expect(i18next.t('common.close')).toBe('Close');
    expect(currentLanguage()).toBe('en');
    expect(document.documentElement.lang).toBe('en');
    expect(document.cookie).toContain('i18next=en');
    expect(localStorage.getItem('language')).toBe('en');
  });
  it('that the page brought are not asked for again; those of another language are, and what only some screens say', async () => {
    document.body.innerHTML = `<script type="application/json" id="words" data-of="hn">{"common":{"close":"यहीं"}}</script>`;
    expect(await fetchMain('hn')).toEqual({ common: { close: 'यहीं' } });
    expect(asked).toEqual([]);
    expect(await fetchMain('en')).toEqual(words['en']);
    await fetchPart('hn', 'sale');
    expect(asked.slice(0, 2)).toEqual([localeUrl('en'), localeUrl('hn', 'sale')]);
    document.body.innerHTML = '';
  });
  it('of each language are whole, also after a screen that brought words of its own, whichever came before', async () => {
    for (const code of ['mr', 'gj', 'kn']) words[code] = { common: { close: `${code} close` } };
    for (const code of ['mr', 'en', 'gj', 'hn', 'kn', 'en'] as const) {
      await loadMore(['sale']);
      await setLanguage(code);
      expect(i18next.t('common.close')).toBe((words[code] as { common: { close: string } }).common.close);
      expect(i18next.t('said')).toBe(`sale/${code}`);
      expect(document.documentElement.lang).toBe(tagOf(code));
    }
  });
  it('that cannot be had leave the language as it is', async () => {
    localStorage.setItem('language', 'en');
    await expect(setLanguage('tm')).rejects.toThrow('404');
    expect([currentLanguage(), i18next.t('common.close')]).toEqual(['en', 'Close']);
    expect(localStorage.getItem('language')).toBe('en');
  });
});

describe('plural rules', () => {
  it('follow the tag of each code, not what Intl makes of the code', () => {
    const resolver = i18next.services.pluralResolver as { getRule: (code: string) => Intl.PluralRules };
    for (const code of LANGUAGES)
      for (const count of [0, 1, 1.5, 2, 5, 1_000_000])
        expect(resolver.getRule(code).select(count), `${code} ${count}`).toBe(
          new Intl.PluralRules(tagOf(code)).select(count),
        );
    // Hindi counts 0 with the singular; Spanish has a form of its own for a million.
    expect(resolver.getRule('hn').select(0)).toBe('one');
    expect(resolver.getRule('sp').select(1_000_000)).toBe('many');
  });
  it('no code is renamed by canonicalisation', () => {
    for (const code of LANGUAGES) expect(i18next.services.languageUtils.formatLanguageCode(code)).toBe(code);
  });
});
