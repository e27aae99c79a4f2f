import i18next from 'i18next';
import type { Language } from '@kist/contract/codes';
import { fetchWords } from './backend.ts';

/**
 * Screens that are not of every day; the words that only they say stand in `locales/more`, so that the first visit does not wait for them.
 * By their folders; a test holds words and screens together.
 */
export const MORE_SCREENS: readonly string[] = [
  'add-customer',
  'add-retailer',
  'customer-details',
  'customer-documents',
  'customer-navigate',
  'emi-details',
  'emm-qr',
  'lock-rules',
  'my-data',
  'my-emi',
  'privacy-policy',
  'retailer-list',
  'retailer-profile',
  'sessions',
  'signature',
  'signup-request',
  'witness-signature',
];

let isNeeded = false;
const added = new Set<string>();

/** A language that comes later brings these words too. @returns whether some screen has asked for them */
export const needsMore = (): boolean => isNeeded;

/** Fetches the words of the screens above, once for each language. @throws Error when they cannot be had: the route then says what to do */
export async function addMore(language: Language): Promise<void> {
  isNeeded = true;
  if (added.has(language)) return;
  const words = await fetchWords(language, 'more');
  i18next.addResourceBundle(language, 'translation', words, true, true);
  added.add(language);
}
