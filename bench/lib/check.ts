import { checkWhole } from '@kist/server/measured';
import type { Figure } from './figures.ts';
import { BOOK, type House } from './house.ts';

/** The server ends a statement after thirty seconds; the longest of a check stays far below. */
const SLICE_SECONDS = 10;

/**
 * The whole check of the planted books, on demand: every bucket of every instalment, each journal, every receipt.
 *
 * @throws Error when it finds anything: what is measured afterwards is a book as the product would have written it
 */
export async function checkFigures({ services }: House, orgId: number): Promise<Figure[]> {
  const { db, longest } = timed(services.db);
  const startedAt = performance.now();
  const { faults } = await checkWhole(db, orgId);
  const seconds = (performance.now() - startedAt) / 1000;
  if (faults.length > 0) throw new Error(`the planted books are off: ${faults.slice(0, 3).join('; ')}`);
  return [
    {
      name: `check of ${BOOK.toLocaleString('en')} agreements`,
      of: 'the whole books, slice by slice',
      value: seconds,
      unit: 's',
      detail: `${((seconds / BOOK) * 1e6).toFixed(0)} s for a million; no limit`,
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
}

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
