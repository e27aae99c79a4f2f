import i18next from 'i18next';
import type { Language } from '@kist/contract/codes';
import { fetchPart, MORE_PARTS, type MorePart } from './backend.ts';

/**
 * Screens that are not of every day; the words that only they say stand in folders of `locales`, so that the first visit does not wait for them.
 * By their folders; a test holds words and screens together.
 */
const MORE_SCREENS: readonly string[] = [
  'add-retailer',
  'collections',
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
  'waiting',
  'witness-signature',
];

/** Screens that say so much else that they do not wait for what the others say: their words stand in a folder of their own. */
const OWN_WORDS: Readonly<Record<string, MorePart>> = { 'add-customer': 'sale', 'customer-details': 'customer' };

/** @param screen its folder. @returns where what it says besides everyday words stands: it is not drawn before they are there. */
export function partsOf(screen: string): readonly MorePart[] {
  const own = OWN_WORDS[screen];
  if (own) return [own];
  return MORE_SCREENS.includes(screen) ? MORE_PARTS : [];
}

const needed = new Set<MorePart>();
const added = new Set<string>();

/** A language that comes later brings these words too. @returns what some screen has asked for */
export const neededParts = (): MorePart[] => [...needed];

/** Fetches words of the screens above, once for each language. @throws Error when they cannot be had: the route then says what to do */
export async function addMore(language: Language, parts: readonly MorePart[]): Promise<void> {
  await Promise.all(
    parts.map(async (part) => {
      needed.add(part);
      if (added.has(`${part}/${language}`)) return;
      const words = await fetchPart(language, part);
      i18next.addResourceBundle(language, 'translation', words, true, true);
      added.add(`${part}/${language}`);
    }),
  );
}
