import type { LanguageDetectorModule } from 'i18next';
import type { Language } from '@kist/contract/codes';
import { storedBrand } from '#web/theme/theme.ts';
import { codeOf, isLanguage } from './languages.ts';

const COOKIE = 'i18next';
const YEAR_S = 31_536_000;

/** '%' alone is no encoding: such a cookie is nobody's. */
function cookie(): string | undefined {
  const [, value = ''] = new RegExp(`(?:^|; )${COOKIE}=([^;]*)`).exec(document.cookie) ?? [];
  return /^\w+(-\w+)*$/.test(value) ? value : undefined;
}

/** A phone whose browser refuses storage is asked elsewhere. */
function kept(): string | null {
  try {
    return localStorage.getItem('language');
  } catch {
    return null;
  }
}

/** Where a language is looked for, first to last, and that a choice is kept in a cookie for a year: the specification, section 1. */
export const PLACES = {
  cookie,
  htmlTag: () => document.documentElement.getAttribute('lang'),
  localStorage: kept,
  path: () => window.location.pathname.split('/')[1],
  subdomain: () => /^(\w{2,5})\.(?:localhost$|[a-z0-9-]+\.[a-z])/i.exec(window.location.hostname)?.[1],
};

/** Whether the organisation speaks it, as far as that is known. */
const isSpoken = (code: string): code is Language =>
  isLanguage(code) && storedBrand()?.languages?.includes(code) !== false;

/** i18next's own detector knows nine places more and takes two kilobytes on the line for them. */
export const languageDetector = {
  type: 'languageDetector',
  detect: (): Language | undefined =>
    Object.values(PLACES)
      .map((look) => codeOf(look() ?? ''))
      .find(isSpoken),
  cacheUserLanguage(code: string) {
    document.cookie = `${COOKIE}=${code}; path=/; max-age=${YEAR_S}; samesite=lax`;
  },
} satisfies LanguageDetectorModule;
