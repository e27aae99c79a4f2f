import { LIMITS } from '@kist/contract/limits';
import * as commands from '#server/commands/commands.ts';
import * as customers from '#server/customers/customers.ts';
import * as devices from '#server/devices/devices.ts';
import * as documents from '#server/documents/documents.ts';
import * as locking from '#server/locking/locking.ts';
import type { Database, Tx } from '#server/platform/database.ts';
import * as sales from '#server/sales/sales.ts';

/** Rows that one transaction deletes: a moment, found by an index. */
const SLICE = 5_000;

/** How many of each kind went. */
export type Forgotten = Record<(typeof KEPT)[number]['kind'], number>;

/** A slice of what was kept long enough. @returns how many of at most `slice` */
type ForgetSlice = (tx: Tx, slice: number) => Promise<number>;

/** What is kept how long (`LIMITS`, `KEPT_DAYS`), but for what stays for good; `docs/runbook.md` tells the same. */
const KEPT = [
  {
    kind: 'events',
    forget: (tx, slice) => devices.forgetEvents.run(tx, { days: LIMITS.eventsKeptDays, slice }),
  },
  {
    kind: 'orders',
    forget: (tx, slice) => commands.forgetOrders.run(tx, { days: LIMITS.ordersKeptDays, slice }),
  },
  {
    kind: 'verdicts',
    forget: (tx, slice) => locking.forgetVerdicts.run(tx, { days: LIMITS.ordersKeptDays, slice }),
  },
  {
    kind: 'documents',
    forget: documents.letGoReplacedSlice,
  },
  {
    kind: 'evidence',
    forget: (tx, slice) => customers.dropEvidence(tx, slice, documents.letGoOfEvidence),
  },
  {
    kind: 'drafts',
    forget: sales.forgetDrafts,
    // Each with its pictures, its key and its line in the audit.
    most: 100,
  },
] as const satisfies readonly { kind: string; forget: ForgetSlice; most?: number }[];

const mostAtOnce = ({ most = SLICE }: { kind: string; most?: number }): number => most;

/**
 * Deletes what was kept long enough, kind by kind. Slice by slice, each a transaction of its own; cut off, the next night goes on.
 */
export async function forgetOld(db: Pick<Database, 'transaction'>, orgId: number, slice = SLICE): Promise<Forgotten> {
  const gone: Partial<Forgotten> = {};
  for (const kept of KEPT) gone[kept.kind] = await all(db, orgId, kept.forget, Math.min(slice, mostAtOnce(kept)));
  return gone as Forgotten;
}

async function all(
  db: Pick<Database, 'transaction'>,
  orgId: number,
  forget: ForgetSlice,
  slice: number,
): Promise<number> {
  for (let count = 0; ;) {
    const gone = await db.transaction(orgId, (tx) => forget(tx, slice));
    count += gone;
    if (gone < slice) return count;
  }
}
