import { type AccessHolder, NEEDS, type Need, missingWord } from '@kist/contract/access';

/** What the nine access words come to, by the contract's own table: the server asks the same of every call. */
export function abilitiesOf(holder: AccessHolder) {
  const may = (needs: readonly Need[]) => missingWord(holder, needs) === undefined;
  return {
    useFeatures: may(NEEDS.features),
    lock: may(NEEDS.lock),
    unlock: may(NEEDS.unlock),
    read: may(NEEDS.read),
    uninstall: may(NEEDS.uninstall),
    activate: may(NEEDS.activate),
    catalogue: may(NEEDS.catalogue),
    bulk: may(NEEDS.bulkLock),
  };
}
export type Ability = keyof ReturnType<typeof abilitiesOf>;
