import type { IsoDate } from '@kist/contract/dates';
import type { Database, Tx } from '#server/platform/database.ts';
import { newId } from '#server/platform/ids.ts';
import * as store from './root-store.ts';

/** Subjects that one statement looks at: some seconds at most, each with a handful of lines. */
const SLICE = 5_000;
const PAGE = 400;

/** A day's root as it is published; hashes in hexadecimal. */
export interface Root {
  day: IsoDate;
  /** When it was made. */
  at: Date;
  /** Subjects whose history grew since the root before. */
  heads: number;
  prev_root: string;
  root: string;
}

/** What does not fit: a history by its subject and the number of the first line that is wrong or gone, or a root by its day. */
export type AuditFault =
  | { fault: 'root_changed' | 'root_unknown'; day: string }
  | { fault: 'history_missing'; kind: string; id: string; seq: number; day: string }
  | { fault: 'history_broken'; kind: string; id: string; seq: number };

export interface AuditCheck {
  /** None when every root and every history fits; at most a hundred for each slice. */
  faults: AuditFault[];
  isWhole: boolean;
}

/**
 * Makes today's root (Asia/Kolkata) over the heads of every history that grew since the last one. Once a day: asked again, it does nothing.
 * @param onRoot told of a new root in its own transaction
 * @returns the day, and whether this call made its root
 */
export async function closeDay(
  db: Database,
  orgId: number,
  onRoot?: (tx: Tx, root: Root) => Promise<void>,
): Promise<{ day: string; isNew: boolean }> {
  return db.transaction(orgId, async (tx) => {
    await store.takeTurn.run(tx, { organisation: orgId });
    const { day, is_closed } = await store.today.one(tx, {});
    if (is_closed) return { day, isNew: false };
    await store.noteHeads.run(tx, { day });
    await store.closeDay.run(tx, { day });
    const [root] = await roots(tx, { limit: 1 });
    if (root) await onRoot?.(tx, root);
    return { day, isNew: true };
  });
}

/** Published roots, the newest first. @param before only those of earlier days */
export async function roots(
  tx: Tx,
  { before, limit }: { before?: string | undefined; limit: number },
): Promise<Root[]> {
  const rows = await store.roots.all(tx, { before: before ?? null, limit });
  return rows.map(({ day, prev_root, root, ...row }) => ({
    ...row,
    day: day as IsoDate,
    prev_root: prev_root.toString('hex'),
    root: root.toString('hex'),
  }));
}

/** The day whose root this is; undefined where none of the organisation's is. @param root in hexadecimal */
export const dayOfRoot = async (tx: Tx, root: string): Promise<string | undefined> =>
  (await store.dayOfRoot.first(tx, { root: Buffer.from(root, 'hex') }))?.day;

/** How long a subject's history is, and how much of it the last root that knows it covers. */
export const extent = (
  tx: Tx,
  kind: string,
  id: string,
): Promise<{ lines: number; last_at: Date | null; rooted_on: string | null; rooted_lines: number }> =>
  store.extent.one(tx, { kind, id });

/** Lines that were taken out of a history. */
export interface MissingLines {
  from_seq: number;
  to_seq: number;
  /** The first day whose root knew of them; null: only the head or a later line does. */
  known_on: string | null;
}

/** Exactly which lines of a history are gone; all of them where the whole chain is, as long as a root knows of it. */
export const missingLines = (tx: Tx, kind: string, id: string): Promise<MissingLines[]> =>
  store.missingLines.all(tx, { kind, id });

/** When the histories were last looked at, and what was found; undefined: never. */
export const lastCheck = (tx: Tx): Promise<{ checked_at: Date; is_whole: boolean; faults: number } | undefined> =>
  store.lastCheck.first(tx, {});

/** What each night looks at: that no history which a root knows is gone or cut off. Slice by slice; a million take minutes, no statement more than seconds. */
export async function checkRooted(db: Database, orgId: number): Promise<AuditCheck> {
  const faults: AuditFault[] = [];
  await inSlices(
    (after) => db.read(orgId, (tx) => store.rootedSliceEnd.first(tx, { ...after, size: SLICE - 1 })),
    async (slice) => {
      for (const { subject_kind: kind, subject_id: id, seq, day } of await db.read(orgId, (tx) =>
        store.missing.all(tx, slice),
      ))
        faults.push({ fault: 'history_missing', kind, id, seq, day });
    },
  );
  return note(db, orgId, { faults, isWhole: false });
}

/**
 * Everything: each root from its heads and the root before, each rooted history, each line of every history.
 * @param kept roots that somebody kept elsewhere, by day: where everything here was rewritten, only they tell
 */
export async function checkAll(
  db: Database,
  orgId: number,
  kept: ReadonlyMap<string, string> = new Map(),
): Promise<AuditCheck> {
  const faults = await rootFaults(db, orgId, kept);
  const rooted = await checkRooted(db, orgId);
  faults.push(...rooted.faults);
  await inSlices(
    (after) => db.read(orgId, (tx) => store.chainSliceEnd.first(tx, { ...after, size: SLICE - 1 })),
    async (slice) => {
      for (const { subject_kind: kind, subject_id: id, bad_seq } of await db.read(orgId, (tx) =>
        store.brokenChains.all(tx, slice),
      ))
        faults.push({ fault: 'history_broken', kind, id, seq: bad_seq });
    },
  );
  return note(db, orgId, { faults, isWhole: true });
}

async function rootFaults(db: Database, orgId: number, kept: ReadonlyMap<string, string>): Promise<AuditFault[]> {
  const faults: AuditFault[] = [];
  const unknown = new Set(kept.keys());
  for (let before: string | undefined; ;) {
    const page = await db.read(orgId, (tx) => roots(tx, { before, limit: PAGE }));
    for (const { day, root } of page) {
      unknown.delete(day);
      const found = await db.read(orgId, (tx) => store.isRootWhole.one(tx, { day }));
      const isWhole = found.expected !== null && found.root.equals(found.expected);
      if (!isWhole || (kept.get(day) ?? root) !== root) faults.push({ fault: 'root_changed', day });
    }
    before = page.at(-1)?.day;
    if (before === undefined) break;
  }
  for (const day of unknown) faults.push({ fault: 'root_unknown', day });
  return faults;
}

async function note(db: Database, orgId: number, check: AuditCheck): Promise<AuditCheck> {
  await db.transaction(orgId, (tx) =>
    store.noteCheck.run(tx, { check_id: newId(), is_whole: check.isWhole, faults: check.faults.length }),
  );
  return check;
}

interface Subject {
  kind: string | null;
  id: string | null;
}
type Slice = Subject & { to_kind: string | null; to_id: string | null };

/** From slice to slice; the last one has no end. */
async function inSlices(
  endAfter: (after: Subject) => Promise<{ subject_kind: string; subject_id: string } | undefined>,
  look: (slice: Slice) => Promise<void>,
): Promise<void> {
  for (let after: Subject = { kind: null, id: null }; ;) {
    const end = await endAfter(after);
    await look({ ...after, to_kind: end?.subject_kind ?? null, to_id: end?.subject_id ?? null });
    if (!end) return;
    after = { kind: end.subject_kind, id: end.subject_id };
  }
}
