import type { Database, Tx } from '#server/platform/database.ts';
import { newId } from '#server/platform/ids.ts';
import * as store from './check-store.ts';

/** Agreements and journals that one statement looks at: at most some seconds on a slow machine, well below the statement's time-out. */
const SLICE = 10_000;
const ALL = { owner_ids: null, after: null, up_to: null, only: null };

type Fault = Awaited<ReturnType<typeof store.houseFaults.all>>[number];

/** A sentence for the people who keep the books: what, of which agreement, receipt or shop, and both figures. */
const told = ({ fault, subject, found, expected }: Fault): string =>
  `${fault} (${subject}): ${found}, should be ${expected}`;

/** Everything at once, in one snapshot. @param ownerIds of these shops only; what is the organisation's alone is left out then */
export async function faultsOf(tx: Tx, ownerIds: readonly string[] | null): Promise<string[]> {
  const some = { ...ALL, owner_ids: ownerIds };
  const faults = [
    ...(await store.scheduleFaults.all(tx, some)),
    ...(await store.ledgerFaults.all(tx, some)),
    ...(await store.houseFaults.all(tx, { owner_ids: ownerIds })),
  ];
  if (ownerIds === null) faults.push(...(await store.journalFaults.all(tx, { after: null, up_to: null, since: null })));
  return faults.map(told);
}

export interface SelfCheck {
  /** Sentences; none when the books are right. */
  faults: string[];
  isWhole: boolean;
}

/** The whole books, slice by slice: each in a snapshot of its own, so that a million agreements take minutes and no statement more than seconds. */
export async function checkWhole(db: Database, orgId: number, slice = SLICE): Promise<SelfCheck> {
  const { txid } = await db.read(orgId, (tx) => store.horizon.one(tx, {}));
  const faults: Fault[] = [];
  await inSlices(
    (after) => db.read(orgId, (tx) => store.sliceEnd.first(tx, { after, size: slice - 1 })),
    ({ agreement_id }) => agreement_id,
    async (after, up_to) => {
      const some = { ...ALL, after, up_to };
      faults.push(...(await db.read(orgId, (tx) => store.scheduleFaults.all(tx, some))));
      faults.push(...(await db.read(orgId, (tx) => store.ledgerFaults.all(tx, some))));
    },
  );
  faults.push(...(await ofJournals(db, orgId, slice, null)));
  return finish(db, orgId, { faults, isWhole: true, txid });
}

/** What journals have moved since the last check that found nothing; the whole books where there was none. */
export async function checkMoved(db: Database, orgId: number, slice = SLICE): Promise<SelfCheck> {
  const proof = await db.read(orgId, (tx) => store.lastProof.first(tx, {}));
  if (!proof) return checkWhole(db, orgId, slice);
  const { txid } = await db.read(orgId, (tx) => store.horizon.one(tx, {}));
  const since = proof.proved_up_to;
  const faults = await ofJournals(db, orgId, slice, since);
  for (let after: string | null = null; ;) {
    const moved: { agreement_id: string }[] = await db.read(orgId, (tx) =>
      store.movedSince.all(tx, { since, after, limit: slice }),
    );
    if (moved.length === 0) break;
    const some = { ...ALL, only: moved.map(({ agreement_id }) => agreement_id) };
    faults.push(...(await db.read(orgId, (tx) => store.scheduleFaults.all(tx, some))));
    faults.push(...(await db.read(orgId, (tx) => store.ledgerFaults.all(tx, some))));
    after = moved.at(-1)!.agreement_id;
  }
  return finish(db, orgId, { faults, isWhole: false, txid });
}

/** Journals by themselves, slice by slice. @param since the transaction from which they are looked at; null: all of them */
async function ofJournals(db: Database, orgId: number, slice: number, since: string | null): Promise<Fault[]> {
  const faults: Fault[] = [];
  await inSlices(
    (after) => db.read(orgId, (tx) => store.journalSliceEnd.first(tx, { after, since, size: slice - 1 })),
    ({ journal_id }) => journal_id,
    async (after, up_to) => {
      faults.push(...(await db.read(orgId, (tx) => store.journalFaults.all(tx, { after, up_to, since }))));
    },
  );
  return faults;
}

async function finish(
  db: Database,
  orgId: number,
  { faults, isWhole, txid }: { faults: Fault[]; isWhole: boolean; txid: string },
): Promise<SelfCheck> {
  faults.push(...(await db.read(orgId, (tx) => store.houseFaults.all(tx, { owner_ids: null }))));
  await db.transaction(orgId, (tx) =>
    store.noteCheck.run(tx, { check_id: newId(), is_whole: isWhole, proved_up_to: txid, faults: faults.length }),
  );
  return { faults: faults.map(told), isWhole };
}

/** From slice to slice; the last one has no end. */
async function inSlices<Row>(
  endAfter: (after: string | null) => Promise<Row | undefined>,
  idOf: (row: Row) => string,
  look: (after: string | null, upTo: string | null) => Promise<void>,
): Promise<void> {
  for (let after: string | null = null; ;) {
    const end = await endAfter(after);
    await look(after, end ? idOf(end) : null);
    if (!end) return;
    after = idOf(end);
  }
}
