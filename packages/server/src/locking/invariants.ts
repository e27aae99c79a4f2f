import type { Database, Tx } from '#server/platform/database.ts';
import { isOutOfTime } from '#server/platform/database-errors.ts';
import { newId } from '#server/platform/ids.ts';
import { CHECKS } from './invariant-checks.ts';
import { INVARIANTS, type Invariant } from './invariant-words-sql.ts';
import { lastOfInvariants, type Noted, noteInvariants } from './invariant-store.ts';
import { partEnds, partMiddle } from './parts-store.ts';

export { CHECKS } from './invariant-checks.ts';

/** One thing that must never be. `detail` holds ids and numbers only. */
export interface Violation {
  invariant: Invariant;
  id: string;
  detail: string;
}

/** A report shows so many: enough to see what is wrong, not a second copy of the table. */
const SHOWN = 50;
/** What phones say of themselves is taken for a fault of ours when so many say it: one can lie, and colours nothing. */
const PHONES_BELIEVED = 2;
/** Agreements that one look is about: some seconds on a slow machine. */
const PART = 50_000;
const LEAST = 100;

/** Of which agreements, or of which phones: both kinds of ids begin with a time, so one range of them is a part of either. */
interface Part {
  after: string | null;
  upTo: string | null;
}
const WHOLE: Part = { after: null, upTo: null };

/** A transaction of any kind, or an owner's own client. */
type Asking = Pick<Tx, 'query'>;

interface Seen extends Violation {
  /** Which phone alone says so; null: it is ours. */
  phone: string | null;
}

/** One invariant in one part. */
async function ask(tx: Asking, invariant: Invariant, { after, upTo }: Part): Promise<Seen[]> {
  const { rows } = await tx.query<{ id: string; detail: string; phone?: string | null }>(
    `${CHECKS[invariant].sql} limit ${SHOWN}`,
    [after, upTo],
  );
  return rows.map(({ id, detail, phone = null }) => ({ invariant, id, detail, phone }));
}

/** The same in a snapshot of its own, and in halves where the whole takes longer than a statement may: a machine that is slow today breaks no invariant. */
async function askInTime(
  db: Pick<Database, 'read'>,
  asked: { orgId: number; invariant: Invariant; least: number },
  part: Part,
): Promise<Seen[]> {
  const { orgId, invariant, least } = asked;
  try {
    return await db.read(orgId, (tx) => ask(tx, invariant, part));
  } catch (error) {
    if (!isOutOfTime(error)) throw error;
    const { after, upTo } = part;
    const middle = await db.read(orgId, (tx) => partMiddle.first(tx, { after, up_to: upTo, least }));
    if (!middle) throw error;
    const lower = await askInTime(db, asked, { after, upTo: middle.agreement_id });
    return [...lower, ...(await askInTime(db, asked, { after: middle.agreement_id, upTo }))];
  }
}

/** What must never be, and apart from it what a single phone says of itself. */
function judged(seen: readonly Seen[]): { violations: Violation[]; claims: Violation[] } {
  const claimed = seen.filter(({ phone }) => phone !== null);
  const isBelieved = new Set(claimed.map(({ phone }) => phone)).size >= PHONES_BELIEVED;
  const of = (some: readonly Seen[]) => some.map(({ invariant, id, detail }) => ({ invariant, id, detail }));
  return {
    violations: of(isBelieved ? seen : seen.filter(({ phone }) => phone === null)),
    claims: isBelieved ? [] : of(claimed),
  };
}

/** Looks at what the organisation has, all of it or a part, in one snapshot. @returns what must never be; empty when all is well */
export async function violations(tx: Asking, part: Part = WHOLE): Promise<Violation[]> {
  const found: Violation[] = [];
  for (const invariant of INVARIANTS) found.push(...judged(await ask(tx, invariant, part)).violations);
  return found;
}

/** What one look found, invariant by invariant. */
export interface InvariantResult {
  invariant: Invariant;
  name: string;
  proves: string;
  violations: Violation[];
  /** What single phones say of themselves: shown, and colouring nothing. */
  claims: Violation[];
}

/**
 * Looks at every invariant, part by part: each in a snapshot of its own, so that no statement takes longer where there is more to look at. Notes a row for each.
 * @param size agreements in a part
 * @param least of so few a statement that runs out of time is no matter of their number
 */
export async function checkInvariants(
  db: Pick<Database, 'read' | 'transaction'>,
  orgId: number,
  size = PART,
  least = LEAST,
): Promise<InvariantResult[]> {
  const rows = await db.read(orgId, (tx) => partEnds.all(tx, { size }));
  const ends = rows.map(({ agreement_id }) => agreement_id);
  const parts = [...ends, null].map((upTo, index) => ({ after: ends[index - 1] ?? null, upTo }));
  const results: InvariantResult[] = [];
  for (const invariant of INVARIANTS) {
    const seen: Seen[] = [];
    for (const part of parts) seen.push(...(await askInTime(db, { orgId, invariant, least }, part)));
    const { name, proves } = CHECKS[invariant];
    results.push({ invariant, name, proves, ...judged(seen) });
  }
  const noted = results.map((result): Noted => noteOf(result, parts.length));
  await db.transaction(orgId, (tx) => noteInvariants.run(tx, { check_id: newId(), noted }));
  return results;
}

const noteOf = ({ invariant, violations: bad, claims }: InvariantResult, parts: number): Noted => ({
  invariant,
  parts,
  violations: bad.length,
  claims: claims.length,
  found: [...bad, ...claims].slice(0, SHOWN).map(({ id, detail }) => ({ id, detail })),
});

/** How an invariant stands by its last look. `unchecked`: nobody looked for more than 26 hours, which is as bad as `violated`. */
export interface InvariantState {
  invariant: Invariant;
  name: string;
  state: 'holds' | 'violated' | 'unchecked';
  checked_at: string | null;
  violations: number;
  claims: number;
  found: Noted['found'];
}

/** How each invariant stands, in the order of their numbers. */
export async function invariantStates(tx: Tx): Promise<InvariantState[]> {
  const rows = await lastOfInvariants.all(tx, { invariants: INVARIANTS });
  return rows.map((row, index) => {
    const invariant = INVARIANTS[index]!;
    const bad = row.violations ?? 0;
    return {
      invariant,
      name: CHECKS[invariant].name,
      state: bad > 0 ? 'violated' : row.is_fresh ? 'holds' : 'unchecked',
      checked_at: row.checked_at?.toISOString() ?? null,
      violations: bad,
      claims: row.claims ?? 0,
      found: row.found ?? [],
    };
  });
}
