import { checkWhole } from '@kist/server/measured';
import type { Bench } from '#bench/lib/figures.ts';
import { BOOK, PER_SHOP, inHouse } from '#bench/lib/house.ts';
import { plantShops } from '#bench/lib/plant-shops.ts';

const ORG = 50;
/** The server ends a statement after thirty seconds; the longest of a check stays far below. */
const SLICE_SECONDS = 10;

/** The whole check of the books of a million agreements, on demand: every bucket of every instalment, each journal, every receipt. */
export const books: Bench = {
  name: 'books',
  run: () =>
    inHouse(async ({ owner, services }) => {
      const planted = await plantShops(owner, { orgId: ORG, agreements: BOOK, shops: Math.ceil(BOOK / PER_SHOP) });
      const { db, longest } = timed(services.db);
      const startedAt = performance.now();
      const { faults } = await checkWhole(db, ORG);
      const seconds = (performance.now() - startedAt) / 1000;
      if (faults.length > 0) throw new Error(`the planted books are off: ${faults.slice(0, 3).join('; ')}`);
      return [
        {
          name: `check of ${BOOK.toLocaleString('en')} agreements`,
          of: 'the whole books, slice by slice',
          value: seconds,
          unit: 's',
          detail: `${((seconds / BOOK) * 1e6).toFixed(0)} s for a million; planted in ${planted.toFixed(0)} s; no limit`,
        },
        {
          name: 'its longest slice',
          of: 'one read of it; a statement is ended after 30 s',
          value: longest() / 1000,
          unit: 's',
          atMost: SLICE_SECONDS,
          detail: '5,000 agreements or journals',
        },
      ];
    }),
};

type Reads = Parameters<typeof checkWhole>[0];

/** The same database, which remembers how long its longest read took. */
function timed(db: Reads): { db: Reads; longest: () => number } {
  let longestMs = 0;
  const read: Reads['read'] = async (orgId, work) => {
    const startedAt = performance.now();
    try {
      return await db.read(orgId, work);
    } finally {
      longestMs = Math.max(longestMs, performance.now() - startedAt);
    }
  };
  return { db: { ...db, read }, longest: () => longestMs };
}
