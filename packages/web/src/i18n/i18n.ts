import i18next from 'i18next';
import { initReactI18next } from 'react-i18next';
import { LANGUAGES, type Language } from '@kist/contract/codes';
import { fetchBackend, fetchMain, localeUrl, MORE_PARTS, type MorePart, wordsFile } from './backend.ts';
import { languageDetector } from './detect.ts';
import { addMore, neededParts } from './more.ts';
import { FALLBACK_LANGUAGE, isLanguage, tagOf } from './languages.ts';
import { mapPluralRules } from './plurals.ts';

const follow = () => {
  document.documentElement.lang = tagOf(currentLanguage());
};

/**
 * Detects the language and loads its file.
 * @returns whether words are there; false means neither the language nor the fallback could be fetched (first visit without network).
 */
export async function startI18n(): Promise<boolean> {
  i18next.use(languageDetector).use(fetchBackend).use(initReactI18next);
  i18next.on('languageChanged', follow);
  const ready = i18next.init({
    supportedLngs: LANGUAGES,
    fallbackLng: FALLBACK_LANGUAGE,
    load: 'currentOnly',
    interpolation: { escapeValue: false },
    react: { useSuspense: false },
    returnNull: false,
    initAsync: true,
  });
  mapPluralRules(i18next);
  await ready;
  started();
  return i18next.exists('common.close');
}

let started: () => void = () => undefined;
const whenStarted = new Promise<void>((resolve) => {
  started = resolve;
});

/** For a screen that says more than every screen does: resolves when those words are there. @throws Error when they cannot be had */
export async function loadMore(parts: readonly MorePart[] = MORE_PARTS): Promise<void> {
  await whenStarted;
  await addMore(currentLanguage(), parts);
}

/** @returns the chosen code. */
export const currentLanguage = (): Language => {
  const code = i18next.resolvedLanguage ?? i18next.language;
  return isLanguage(code) ? code : FALLBACK_LANGUAGE;
};

/**
 * Fetches what every screen says, which may be said in a language beside the app's own. What i18next holds of a language may be what some screens say alone, or
 * the nothing that it was told of the spare one; it takes either for all of it. @throws Error when its words cannot be had
 */
export async function addMain(code: Language): Promise<void> {
  if (i18next.getResource(code, 'translation', 'common.close') === undefined)
    i18next.addResourceBundle(code, 'translation', await fetchMain(code), true, true);
}

/** Changes the language now, for the next visit (cookie) and for offline (locale cache). @throws Error when its words cannot be had: then it stays as it was */
export async function setLanguage(code: Language): Promise<void> {
  await addMain(code);
  await addMore(code, neededParts());
  await i18next.changeLanguage(code);
  localStorage.setItem('language', code);
  await keepLocale(code);
}

/** Leaves a language that the organisation does not speak; without network it stays. Before the words are there the detector passes over such a one. */
export async function speakOneOf(languages: readonly Language[]): Promise<void> {
  await whenStarted;
  if (!languages.includes(currentLanguage())) await setLanguage(FALLBACK_LANGUAGE).catch(() => undefined);
}

/** Puts the language's files into the service worker's cache: the first page load came before the worker took over. */
export async function keepLocale(code: string): Promise<void> {
  if (!('caches' in window)) return;
  const cache = await caches.open('locales');
  for (const part of ['main', ...MORE_PARTS] as const) {
    const url = localeUrl(code, part);
    if (!(await cache.match(url)))
      await wordsFile(code, part)
        .then((response) => cache.put(url, response))
        .catch(() => undefined);
  }
}
