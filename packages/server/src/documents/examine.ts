import { randomInt } from 'node:crypto';
import { sha256 } from '#server/platform/crypto.ts';
import type { Database } from '#server/platform/database.ts';
import { type Keeping, isDamaged, openIn } from './files.ts';
import * as seals from './seal-store.ts';

/** Pictures of one place among all; a whole one is a megabyte at most. */
const SLICE = 20;
/** Places that are drawn beside the oldest. */
const PLACES = 4;

/** What became of some pictures. */
export interface LookedAt {
  lookedAt: number;
  /** Their files are not there. */
  missing: number;
  /** They do not open, or are others than were kept. */
  broken: number;
}

/** Opens some pictures of an organisation: the oldest, and others that are drawn anew each time. Of a small shop that is every one. */
export async function lookAtFiles(db: Pick<Database, 'read'>, orgId: number, keeping: Keeping): Promise<LookedAt> {
  const rows = await db.read(orgId, async (tx) => {
    const oldest = await seals.keptFrom.all(tx, { from: idOfMoment(0), slice: SLICE });
    const found = new Map(oldest.map((row) => [row.document_id, row]));
    for (let place = 0; place < PLACES && oldest.length === SLICE; place += 1) {
      const from = idOfMoment(momentAfter(oldest[0]!.document_id));
      for (const row of await seals.keptFrom.all(tx, { from, slice: SLICE })) found.set(row.document_id, row);
    }
    return [...found.values()];
  });
  const outcomes: Outcome[] = [];
  for (const row of rows) outcomes.push(await outcomeOf(keeping, orgId, row));
  const count = (which: Outcome) => outcomes.filter((outcome) => outcome === which).length;
  return { lookedAt: rows.length, missing: count('missing'), broken: count('broken') };
}

type Outcome = 'opens' | 'missing' | 'broken';

async function outcomeOf(
  keeping: Keeping,
  orgId: number,
  row: Parameters<typeof openIn>[2] & { sha256: Buffer },
): Promise<Outcome> {
  try {
    const bytes = await openIn(keeping, orgId, row);
    if (!bytes) return 'missing';
    return sha256(bytes).equals(row.sha256) ? 'opens' : 'broken';
  } catch (error) {
    if (isDamaged(error)) return 'broken';
    throw error;
  }
}

/** Ids begin with the moment that they were made at. */
const idOfMoment = (ms: number): string => {
  const hex = ms.toString(16).padStart(12, '0');
  return `${hex.slice(0, 8)}-${hex.slice(8)}-0000-0000-000000000000`;
};
function momentAfter(id: string): number {
  const since = Number.parseInt(id.slice(0, 8) + id.slice(9, 13), 16);
  return since + randomInt(Math.max(1, Date.now() - since));
}
