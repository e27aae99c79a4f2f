import { describe, expect, it } from 'vitest';
import { LOCK_ACCESS_WORDS, USER_ACCESS_WORDS } from '@kist/contract/access';
import { abilitiesOf, type Ability } from './abilities.ts';

const WORDS = [...USER_ACCESS_WORDS, ...LOCK_ACCESS_WORDS];
type Words<Names extends readonly string[]> = Record<Names[number], string>;
const holder = (userType: string, off: readonly string[]) => {
  const given = (names: readonly string[]) =>
    Object.fromEntries(names.map((one) => [one, off.includes(one) ? '0' : '1']));
  return {
    userType,
    access: given(USER_ACCESS_WORDS) as Words<typeof USER_ACCESS_WORDS>,
    lockAccess: given(LOCK_ACCESS_WORDS) as Words<typeof LOCK_ACCESS_WORDS>,
  };
};
/** Which abilities a user loses without a word. */
const LOSES: Record<(typeof WORDS)[number], readonly Ability[]> = {
  feature_access: ['useFeatures'],
  lock_unlock: ['lock', 'unlock', 'bulk'],
  unistall: ['uninstall'],
  active_deactive: ['activate', 'terms', 'addShops'],
  bulk_retailer: [],
  lock: ['lock', 'bulk'],
  unlock: ['unlock'],
  read: ['read', 'terms', 'seeShops'],
  uninstall: ['uninstall'],
};
const lost = (userType: string, off: readonly string[]) =>
  Object.entries(abilitiesOf(holder(userType, off)))
    .filter(([, may]) => !may)
    .map(([name]) => name);

describe('the app shows', () => {
  it.each(WORDS)('nothing that %s would be needed for, to a shop without it', (word) => {
    expect(lost('retailer', [word])).toEqual(LOSES[word]);
  });
  it('no shops below to a mini-retailer, and bulk orders with the word only', () => {
    const shops = ['seeShops', 'addShops'];
    expect([lost('miniretailer', ['bulk_retailer']), lost('miniretailer', [])]).toEqual([['bulk', ...shops], shops]);
  });
  it('nothing to a shop with none of the nine, and a customer everything of the own', () => {
    expect(lost('retailer', WORDS)).toHaveLength(11);
    expect(lost('customer', WORDS)).toEqual(['seeShops', 'addShops']);
  });
});
