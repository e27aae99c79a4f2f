import type { Lot } from './store.ts';

/**
 * Which keys go, where so many of a type are wanted: lot after lot, as they lie.
 * @param held what there is of each lot, those that go first before the others
 * @returns how many of each lot; undefined where there are not that many in all
 */
export function keysOfLots(
  held: readonly { lot: Lot; available: number }[],
  wanted: number,
): { lot: Lot; count: number }[] | undefined {
  let missing = wanted;
  const parts = held.flatMap(({ lot, available }) => {
    const count = Math.min(available, missing);
    missing -= count;
    return count > 0 ? [{ lot, count }] : [];
  });
  return missing === 0 ? parts : undefined;
}
