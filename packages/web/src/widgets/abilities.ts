import { type AccessHolder, NEEDS, type Need, missingWord } from '@kist/contract/access';

/** What the nine access words come to, by the contract's own table: the server asks the same of every call. */
export function abilitiesOf(holder: AccessHolder) {
  const may = (needs: readonly Need[]) => missingWord(holder, needs) === undefined;
  const hasShops = holder.userType === 'retailer' || holder.userType === 'admin';
  return {
    useFeatures: may(NEEDS.features),
    lock: may(NEEDS.lock),
    unlock: may(NEEDS.unlock),
    read: may(NEEDS.read),
    uninstall: may(NEEDS.uninstall),
    activate: may(NEEDS.activate),
    terms: may(NEEDS.terms),
    catalogue: may(NEEDS.catalogue),
    bulk: may(NEEDS.bulkLock),
    /** Mini-retailers below: who they are and what they take in. */
    seeShops: hasShops && may(NEEDS.read),
    addShops: hasShops && may(NEEDS.activate),
  };
}
export type Ability = keyof ReturnType<typeof abilitiesOf>;
