import { useSyncExternalStore } from 'react';
import { LANGUAGES, type Language } from '@kist/contract/codes';
import { storedBrand, subscribeBrand, type Brand } from './theme.ts';

/** The organisation as far as it is known; undefined on a first visit until the server answered. Needs no store. */
export const useBrand = (): Brand | undefined => useSyncExternalStore(subscribeBrand, storedBrand);

/** Those that the organisation speaks, and one that is chosen already; all until it is known. */
export function useLanguages(chosen: string | undefined): readonly Language[] {
  const spoken = useBrand()?.languages ?? LANGUAGES;
  return LANGUAGES.filter((code) => spoken.includes(code) || code === chosen);
}
