import type { Database, Tx } from '#server/platform/database.ts';
import { isOutOfTime } from '#server/platform/database-errors.ts';
import { newId } from '#server/platform/ids.ts';
import { inLanes, inParts } from '#server/platform/lanes.ts';
import { PARTS } from '#server/platform/parts.ts';
import * as store from './check-store.ts';
import * as journals from './journals-check-store.ts';
import * as keepers from './keepers-check-store.ts';
import { peopleFaults } from './people-check-store.ts';
import { signingFaults } from './signing-check-store.ts';
import { versionFaults } from './versions-check-store.ts';

/** Agreements and journals that one statement looks at: at most some seconds on a slow machine, well below the statement's time-out. */
const SLICE = 5_000;
/** Agreements of an organisation whose books are looked at as a whole each night. */
const WHOLE_UP_TO = 50_000;
/** Of so few a statement that runs out of time is no matter of their number. */
const LEAST = 100;
/** People whose receipts and keys one statement looks at, where all of them are too many. */
const KEEPERS = 400;
const ALL = { owner_ids: null, only: null };

type Books = Pick<Database, 'read' | 'transaction'>;
type Fault = Awaited<ReturnType<typeof keepers.houseFaults.all>>[number];

/** A sentence for the people who keep the books: what, of which agreement, receipt or shop, and both figures. */
const told = ({ fault, subject, found, expected }: Fault): string =>
  `${fault} (${subject}): ${found}, should be ${expected}`;

/** Everything at once, in one snapshot. @param ownerIds of these shops only; what is the organisation's alone is left out then */
export async function faultsOf(tx: Tx, ownerIds: readonly string[] | null): Promise<string[]> {
  const some = { ...ALL, owner_ids: ownerIds };
  const faults = [...(await ofAgreements(tx, some)), ...(await keepers.houseFaults.all(tx, { owner_ids: ownerIds }))];
  if (ownerIds === null)
    faults.push(
      ...(await keepers.organisationFaults.all(tx, {})),
      ...(await journals.journalFaults.all(tx, { only: null })),
    );
  return faults.map(told);
}

export interface SelfCheck {
  /** Sentences; none when the books are right. */
  faults: string[];
  isWhole: boolean;
}

/** Of the same part, what another slice looks at: sentences, which count. */
type Also = (part: number | null) => Promise<readonly string[]>;
const NOTHING_ELSE: Also = async () => [];

/** The whole books, slice by slice: each in a snapshot of its own, so that a million agreements take minutes and no statement more than seconds. */
export async function checkWhole(
  db: Books,
  orgId: number,
  slice = SLICE,
  also: Also = NOTHING_ELSE,
): Promise<SelfCheck> {
  const { txid } = await db.read(orgId, (tx) => store.horizon.one(tx, {}));
  const found = await inSlices(db, orgId, {
    slice,
    next: (tx, after, limit) => store.agreementsBehind.all(tx, { after, limit }),
    look: faultsOfSome,
  });
  const ofJournals = await inSlices(db, orgId, {
    slice,
    next: (tx, after, limit) => journals.journalsBehind.all(tx, { after, limit }),
    look: (tx, only) => journals.journalFaults.all(tx, { only }),
  });
  const faults = [...found, ...ofJournals];
  return finish(db, orgId, { faults, isWhole: true, txid, part: null, also });
}

/**
 * The check of a night: all books of an organisation of this size, which takes seconds; of a larger one what moved since the last proof and the next seventh of
 * the rest, so that what was changed past every journal is found within seven nights. Where the check before found something it is the whole again: it stays
 * red until it is mended.
 * @param also is asked for the same seventh, 0 to 6; null: the whole
 */
export async function checkNight(
  db: Books,
  orgId: number,
  { also = NOTHING_ELSE, wholeUpTo = WHOLE_UP_TO }: { also?: Also; wholeUpTo?: number } = {},
): Promise<SelfCheck> {
  const { more } = await db.read(orgId, (tx) => store.isLarger.one(tx, { than: wholeUpTo }));
  const before = await db.read(orgId, (tx) => store.checkBefore.one(tx, {}));
  if (!more || before.has_faults) return checkWhole(db, orgId, SLICE, also);
  return checkMoved(db, orgId, { part: ((before.part ?? -1) + 1) % PARTS, also });
}

/**
 * What journals have moved since the last check that found nothing; the whole books where there was none.
 * @param part of the rest that is looked at too, 0 to 6
 */
export async function checkMoved(
  db: Books,
  orgId: number,
  { slice = SLICE, part, also = NOTHING_ELSE }: { slice?: number; part?: number; also?: Also } = {},
): Promise<SelfCheck> {
  const proof = await db.read(orgId, (tx) => store.lastProof.first(tx, {}));
  if (!proof) return checkWhole(db, orgId, slice, also);
  const { txid } = await db.read(orgId, (tx) => store.horizon.one(tx, {}));
  const { faults, moved } = await ofJournalsSince(db, orgId, slice, proof.proved_up_to);
  const ofMoved = await inSlices(db, orgId, {
    slice,
    next: (_tx, after, limit) => Promise.resolve(behind(moved, after, limit)),
    look: faultsOfSome,
  });
  const ofPart =
    part === undefined
      ? []
      : await inSlices(db, orgId, {
          slice,
          next: (tx, after, limit) => store.agreementsOfPart.all(tx, { after, limit, part }),
          look: faultsOfSome,
        });
  return finish(db, orgId, {
    faults: [...faults, ...ofMoved, ...ofPart],
    isWhole: false,
    txid,
    part: part ?? null,
    also,
  });
}

const ofAgreements = async (tx: Tx, some: Parameters<typeof store.scheduleFaults.all>[1]): Promise<Fault[]> => [
  ...(await store.scheduleFaults.all(tx, some)),
  ...(await versionFaults.all(tx, some)),
  ...(await store.ledgerFaults.all(tx, some)),
  ...(await peopleFaults.all(tx, some)),
  ...(await signingFaults.all(tx, some)),
];
const faultsOfSome = (tx: Tx, only: readonly string[]): Promise<Fault[]> => ofAgreements(tx, { ...ALL, only });

/** Journals since a transaction by themselves, walked once, and which agreements they moved. */
async function ofJournalsSince(db: Books, orgId: number, slice: number, since: string) {
  const moved = new Set<string>();
  const faults = await inSlices(db, orgId, {
    slice,
    next: (tx, after, limit) => journals.journalsSince.all(tx, { since, after, limit }),
    look: async (tx, only) => {
      for (const { id } of await journals.agreementsOf.all(tx, { only })) moved.add(id);
      return journals.journalFaults.all(tx, { only });
    },
  });
  return { faults, moved: [...moved].toSorted() };
}

/** The next so many of what is sorted. */
function behind(ids: readonly string[], after: string | null, limit: number): { id: string }[] {
  const from = after === null ? 0 : ids.indexOf(after) + 1;
  return ids.slice(from, from + limit).map((id) => ({ id }));
}

/** Receipts and keys, in one look; where that takes longer than a statement may, of some keepers after others. */
async function ofKeepers(db: Books, orgId: number): Promise<Fault[]> {
  try {
    return await db.read(orgId, (tx) => keepers.houseFaults.all(tx, { owner_ids: null }));
  } catch (error) {
    if (!isOutOfTime(error)) throw error;
    return inSlices(db, orgId, {
      slice: KEEPERS,
      next: (tx, after, limit) => keepers.keepersBehind.all(tx, { after, limit }),
      look: (tx, owner_ids) => keepers.houseFaults.all(tx, { owner_ids }),
      least: 1,
    });
  }
}

/** What belongs to no agreement. */
const ofHouse = async (db: Books, orgId: number): Promise<Fault[]> => [
  ...(await ofKeepers(db, orgId)),
  ...(await db.read(orgId, (tx) => keepers.organisationFaults.all(tx, {}))),
];

interface Looked {
  faults: Fault[];
  isWhole: boolean;
  /** The transaction below which everything was seen. */
  txid: string;
  part: number | null;
  also: Also;
}

/** The house and what another slice looks at, and notes the check. */
async function finish(db: Books, orgId: number, { faults, isWhole, txid, part, also }: Looked): Promise<SelfCheck> {
  const sentences = [...new Set([...faults, ...(await ofHouse(db, orgId))].map(told)), ...(await also(part))];
  await db.transaction(orgId, (tx) =>
    store.noteCheck.run(tx, {
      check_id: newId(),
      is_whole: isWhole,
      proved_up_to: txid,
      faults: sentences.length,
      part,
    }),
  );
  return { faults: sentences, isWhole };
}

interface Slices {
  slice: number;
  /** The next so many ids behind one. */
  next: (tx: Tx, after: string | null, limit: number) => Promise<readonly { id: string }[]>;
  look: (tx: Tx, ids: readonly string[]) => Promise<Fault[]>;
  least?: number;
}

/**
 * From slice to slice, two side by side as in every step of a night, each in one snapshot. One that takes longer than a statement may is looked at in smaller
 * ones, as are those after it: a machine that is slow today says nothing about the books.
 */
async function inSlices(db: Books, orgId: number, { slice, next, look, least = LEAST }: Slices): Promise<Fault[]> {
  const faults: Fault[] = [];
  let size = slice;
  /** @returns undefined where it took too long: whoever asks for so much next asks for less, also in the other lane */
  const inTime = async <T>(asked: number, read: (tx: Tx) => Promise<T>): Promise<T | undefined> => {
    try {
      return await db.read(orgId, read);
    } catch (error) {
      if (!isOutOfTime(error) || asked <= least) throw error;
      size = Math.min(size, Math.max(least, Math.ceil(asked / 4)));
      return undefined;
    }
  };
  const idsBehind = async (after: string | undefined, limit: number): Promise<string[]> => {
    const ids: string[] = [];
    while (ids.length < limit) {
      const asked = Math.min(size, limit - ids.length);
      const more = await inTime(asked, (tx) => next(tx, ids.at(-1) ?? after ?? null, asked));
      ids.push(...(more ?? []).map(({ id }) => id));
      if (more && more.length < asked) break;
    }
    return ids;
  };
  await inLanes(inParts(idsBehind, { found: slice, part: slice }), async (ids) => {
    for (let at = 0; at < ids.length;) {
      const asked = size;
      const some = ids.slice(at, at + asked);
      const found = await inTime(asked, (tx) => look(tx, some));
      if (!found) continue;
      faults.push(...found);
      at += some.length;
    }
  });
  return faults;
}
