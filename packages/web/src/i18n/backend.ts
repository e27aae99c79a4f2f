import type { BackendModule, ReadCallback } from 'i18next';
import { FALLBACK_LANGUAGE, isLanguage } from './languages.ts';

type Locale = Record<string, unknown>;

/** Content hashes that the build wrote into index.html; an unknown one asks without, which the server answers too. */
function versionOf(language: string): string | undefined {
  const meta = document.querySelector<HTMLMetaElement>('meta[name=locale-versions]');
  try {
    return (JSON.parse(meta?.content ?? '{}') as Record<string, string>)[language];
  } catch {
    return undefined;
  }
}

/** @returns where a language's file lives; with its content hash, so that caches may keep it for ever. */
export function localeUrl(language: string): string {
  const version = versionOf(language);
  return `/locales/${language}.json${version ? `?v=${version}` : ''}`;
}

async function fetchLocale(language: string): Promise<Locale> {
  const response = await fetch(localeUrl(language));
  if (!response.ok) throw new Error(`locale ${language}: ${response.status}`);
  return (await response.json()) as Locale;
}

/**
 * i18next asks for the language and for its fallback. Every file is complete (locales.test.ts), so the fallback's file is only fetched
 * when the language's own cannot be had: half the bytes on the first visit.
 */
export const fetchBackend: BackendModule & { wanted?: string } = {
  type: 'backend',
  init() {},
  read(language: string, _namespace: string, done: ReadCallback) {
    if (!isLanguage(language)) return done(null, {});
    if (language === FALLBACK_LANGUAGE && fetchBackend.wanted && fetchBackend.wanted !== language)
      return done(null, {});
    fetchLocale(language)
      .catch(() => fetchLocale(FALLBACK_LANGUAGE))
      .then(
        (locale) => done(null, locale),
        (error: unknown) => done(error as Error, false),
      );
  },
};
