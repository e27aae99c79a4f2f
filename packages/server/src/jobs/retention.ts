import { LIMITS } from '@kist/contract/limits';
import * as commands from '#server/commands/commands.ts';
import * as devices from '#server/devices/devices.ts';
import * as documents from '#server/documents/documents.ts';
import * as locking from '#server/locking/locking.ts';
import type { Database, Tx } from '#server/platform/database.ts';

/** Rows that one transaction deletes: a moment, found by an index. */
const SLICE = 5_000;

/** How many rows of each kind went. */
export interface Forgotten {
  events: number;
  orders: number;
  verdicts: number;
  /** Pictures that another took the place of. */
  documents: number;
}

/**
 * Deletes what was kept long enough: what phones said, orders and verdicts that no lock stood on, and pictures that were replaced. Slice by slice, each a transaction of its own; cut
 * off, the next night goes on.
 */
export async function forgetOld(db: Pick<Database, 'transaction'>, orgId: number, slice = SLICE): Promise<Forgotten> {
  const all = async (one: (tx: Tx) => Promise<number>): Promise<number> => {
    let count = 0;
    for (;;) {
      const gone = await db.transaction(orgId, one);
      count += gone;
      if (gone < slice) return count;
    }
  };
  const { eventsKeptDays, ordersKeptDays } = LIMITS;
  return {
    events: await all((tx) => devices.forgetEvents.run(tx, { days: eventsKeptDays, slice })),
    orders: await all((tx) => commands.forgetOrders.run(tx, { days: ordersKeptDays, slice })),
    verdicts: await all((tx) => locking.forgetVerdicts.run(tx, { days: ordersKeptDays, slice })),
    documents: await documents.letGoReplaced(db, orgId),
  };
}
