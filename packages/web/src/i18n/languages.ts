import { LANGUAGES, LANGUAGE_TAGS, type Language } from '@kist/contract/codes';

export const FALLBACK_LANGUAGE: Language = 'en';

/** @returns whether a word is one of the ten codes. */
export const isLanguage = (code: string | null | undefined): code is Language =>
  (LANGUAGES as readonly string[]).includes(code ?? '');

/** @returns the BCP 47 tag for `lang` and Intl; English for what is unknown. */
export const tagOf = (code: string | undefined): string => (isLanguage(code) ? LANGUAGE_TAGS[code] : 'en');

/**
 * @param detected what a cookie, html tag, path or host gave: our code, or a BCP 47 tag such as 'hi' or 'mr-IN'.
 * @returns our code where there is one, else the word unchanged (i18next then passes over it).
 */
export function codeOf(detected: string): string {
  if (isLanguage(detected)) return detected;
  const tag = detected.toLowerCase().split(/[-_]/)[0] ?? '';
  return LANGUAGES.find((code) => LANGUAGE_TAGS[code] === tag) ?? detected;
}
