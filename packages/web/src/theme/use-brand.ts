import { useSyncExternalStore } from 'react';
import { storedBrand, subscribeBrand, type Brand } from './theme.ts';

/** The organisation as far as it is known; undefined on a first visit until the server answered. Needs no store. */
export const useBrand = (): Brand | undefined => useSyncExternalStore(subscribeBrand, storedBrand);
