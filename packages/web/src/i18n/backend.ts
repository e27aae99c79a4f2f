import type { BackendModule, ReadCallback } from 'i18next';
import { FALLBACK_LANGUAGE } from './languages.ts';

type Locale = Record<string, unknown>;

/** Content hashes that the build wrote into index.html; an unknown one asks without, which the server answers too. */
function versionOf(name: string): string | undefined {
  const meta = document.querySelector<HTMLMetaElement>('meta[name=locale-versions]');
  try {
    return (JSON.parse(meta?.content ?? '{}') as Record<string, string>)[name];
  } catch {
    return undefined;
  }
}

/** Folders of words that only screens say that are not of every day (`more.ts`). */
export const MORE_PARTS = ['more', 'sale', 'customer'] as const;
export type MorePart = (typeof MORE_PARTS)[number];
/** What every screen says, or one of those. */
type Part = 'main' | MorePart;

/** @returns where a language's words live; with their content hash, so that caches may keep them for ever. */
export function localeUrl(language: string, part: Part = 'main'): string {
  const name = part === 'main' ? language : `${part}/${language}`;
  const version = versionOf(name);
  return `/locales/${name}.json${version ? `?v=${version}` : ''}`;
}

/** @throws Error for what is no file of ours: a captive portal answers 200 with a page of its own */
async function fetchJson(url: string): Promise<Response> {
  const response = await fetch(url);
  if (response.ok && /json/.test(response.headers.get('content-type') ?? '')) return response;
  // A worker of before it looked at what it keeps may have kept such a page.
  if (response.ok && 'caches' in window) await (await caches.open('locales')).delete(url);
  throw new Error(`${url}: ${response.status}, no words`);
}

/** A file of words: what every screen says the page may have brought (http/page-words.ts). */
export async function wordsFile(language: string, part: Part): Promise<Response> {
  const brought = part === 'main' && document.querySelector(`#words[data-of=${language}]`)?.textContent;
  return brought
    ? new Response(brought, { headers: { 'content-type': 'application/json' } })
    : fetchJson(localeUrl(language, part));
}

const fetchLocale = async (language: string, part: Part): Promise<Locale> =>
  (await (await wordsFile(language, part)).json()) as Locale;

/**
 * @returns what every screen says.
 * @throws Error when it cannot be had: another language's words never go by this one's name, or its dates would stand among them
 */
export const fetchMain = (language: string): Promise<Locale> => fetchLocale(language, 'main');

/** @returns what only some screens say, in English where the language's own cannot be had. @throws Error when neither can */
export const fetchPart = (language: string, part: MorePart): Promise<Locale> =>
  fetchLocale(language, part).catch(() => fetchLocale(FALLBACK_LANGUAGE, part));

/** The language of the visit: what i18next asked for first. */
let visit: Promise<Locale> | undefined;

/**
 * i18next asks for the language and then for its fallback. Every file is complete (locales.test.ts), so the fallback's file is only fetched
 * when the language's own cannot be had: half the bytes on the first visit. It then is the language of that visit.
 */
export const fetchBackend: BackendModule = {
  type: 'backend',
  init() {},
  read(language: string, _namespace: string, done: ReadCallback) {
    const words =
      language === FALLBACK_LANGUAGE && visit
        ? visit.then(
            () => ({}),
            () => fetchMain(language),
          )
        : (visit = fetchMain(language));
    words.then(
      (locale) => done(null, locale),
      (error: unknown) => done(error as Error, false),
    );
  },
};
