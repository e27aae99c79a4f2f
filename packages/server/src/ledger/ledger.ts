import type { IsoDate } from '@kist/contract/dates';
import { KistError } from '@kist/contract/errors';
import type { Actor } from '#server/identity/identity.ts';
import * as identity from '#server/identity/identity.ts';
import type { Tx } from '#server/platform/database.ts';
import { newId } from '#server/platform/ids.ts';
import { type AccountCode, CHART, type JournalKind, type Line, nonZero, unitOf } from './chart.ts';
import { faultsOf } from './self-check.ts';
import { booksScope } from './policy.ts';
import * as paidStore from './paid-store.ts';
import * as store from './store.ts';

/** What a journal is about. */
export interface Posting {
  /** What this journal is the effect of (`payment:<id>`); posting it twice changes nothing. */
  effectKey: string;
  kind: JournalKind;
  refKind: 'agreement' | 'payment' | 'customer' | 'user';
  refId: string;
  businessOn: IsoDate;
  lines: readonly Line[];
}

const ORGANISATION = 'organisation';

/**
 * Posts one journal. Zero lines are left out; the database refuses a journal whose debits and credits differ in any unit (at commit).
 * @returns the new journal's id, or null when this effect was posted before.
 */
export async function post(tx: Tx, posting: Posting): Promise<string | null> {
  const [journalId] = await postMany(tx, [posting]);
  return journalId ?? null;
}

/** The same of many, in one statement. @returns for each posting its journal's id, or null where nothing moved or the effect was posted before */
export async function postMany(tx: Tx, postings: readonly Posting[]): Promise<(string | null)[]> {
  const journals = postings.map(({ effectKey, kind, refKind, refId, businessOn }) => ({
    journal_id: newId(),
    effect_key: effectKey,
    kind,
    ref_kind: refKind,
    ref_id: refId,
    business_on: businessOn,
  }));
  const lines = postings.flatMap((posting, index) =>
    nonZero(posting.lines).map((line, no) => given(line, no, journals[index]!.journal_id)),
  );
  if (lines.length === 0) return postings.map(() => null);
  const moving = new Set(lines.map(({ journal_id }) => journal_id));
  const row = { journals: journals.filter(({ journal_id }) => moving.has(journal_id)), lines };
  let { missing, made } = await store.insertJournals.one(tx, row);
  // A new statement sees the accounts, those too that another transaction made and committed meanwhile.
  while (missing > 0) {
    await store.makeAccounts.run(tx, { lines });
    ({ missing, made } = await store.insertJournals.one(tx, row));
  }
  const posted = new Set(made);
  return journals.map(({ journal_id }) => (posted.has(journal_id) ? journal_id : null));
}

function given(line: Line, index: number, journalId: string): store.GivenLine {
  const { owner, side, bucket } = CHART[line.code];
  return {
    journal_id: journalId,
    line_no: index + 1,
    owner_kind: owner,
    owner_id: owner === ORGANISATION ? ORGANISATION : line.ownerId!,
    code: line.code,
    unit: unitOf(line),
    normal_side: side,
    debit: line.side === 'debit' ? line.amount : 0,
    credit: line.side === 'credit' ? line.amount : 0,
    agreement_id: line.agreement_id ?? null,
    instalment_no: line.instalment_no ?? null,
    charge_id: line.charge_id ?? null,
    bucket,
    payment_id: line.payment_id ?? null,
    lot: line.lot ?? null,
  };
}

/** What one effect put on accounts of one kind; 0 when it was never posted. */
export async function postedAmount(tx: Tx, effectKey: string, code: AccountCode): Promise<number> {
  return (await store.postedAmount.one(tx, { effect_key: effectKey, code })).amount;
}

/**
 * Takes back the journal of this kind that stands for a thing, by one that mirrors it line by line.
 * @returns the new journal's id; null when none stands
 */
export async function reverse(
  tx: Tx,
  of: Pick<Posting, 'refKind' | 'refId' | 'kind'>,
  how: Pick<Posting, 'kind' | 'businessOn'>,
): Promise<string | null> {
  const made = await store.insertReversal.first(tx, {
    journal_id: newId(),
    reversed_kind: of.kind,
    ref_kind: of.refKind,
    ref_id: of.refId,
    kind: how.kind,
    business_on: how.businessOn,
  });
  return made?.journal_id ?? null;
}

/**
 * Takes back what made some charges of an agreement and what was waived of them, each journal by one that mirrors it, all in one statement.
 * @returns how many journals that took
 */
export async function reverseCharges(
  tx: Tx,
  given: { agreement_id: string; charge_ids: readonly string[]; business_on: IsoDate },
): Promise<number> {
  return (await store.insertChargeReversals.one(tx, given)).made;
}

type Part = Omit<Awaited<ReturnType<typeof store.allocationsOf.all>>[number], 'payment_id'>;

/** Where the rupees of each payment of an agreement stand now: its parts by the payment's id. */
export async function allocationsOf(tx: Tx, agreementId: string): Promise<Map<string, Part[]>> {
  const parts = new Map<string, Part[]>();
  for (const { payment_id, ...part } of await store.allocationsOf.all(tx, { agreement_id: agreementId })) {
    const known = parts.get(payment_id);
    if (known) known.push(part);
    else parts.set(payment_id, [part]);
  }
  return parts;
}

export interface BooksCheck {
  rows: { code: string; unit: string; debit: number; credit: number }[];
  isBalanced: boolean;
  /** Sentences for the people who keep the books, e.g. which agreement is off by how much. */
  differences: string[];
}

/** Sums by account and unit of everything that was posted. */
export const trialBalanceOf = (tx: Tx) => store.trialBalance.all(tx, { up_to: null });

/** The whole organisation's books. @internal for tests: the command line and the daily run ask by slices, people `booksOf` */
export const checkBooks = (tx: Tx, upTo: IsoDate | null = null): Promise<BooksCheck> => check(tx, null, upTo);

/**
 * The books that this user may read: a shop its own and its mini-retailers', whoever answers for the organisation all.
 * @param query.upTo a business day, inclusive; null: ever
 * @param query.retailerId only this shop's
 * @throws KistError FORBIDDEN; NOT_FOUND for a shop that is not the caller's
 */
export async function booksOf(
  tx: Tx,
  actor: Actor,
  { upTo = null, retailerId }: { upTo?: IsoDate | null; retailerId?: string | undefined } = {},
): Promise<BooksCheck> {
  const scope = booksScope(actor);
  if (scope === 'none') throw new KistError('FORBIDDEN');
  if (retailerId === undefined) return check(tx, scope === 'organisation' ? null : scope, upTo);
  if (scope === 'organisation') await identity.person(tx, actor, retailerId);
  else if (!scope.includes(retailerId)) throw new KistError('NOT_FOUND');
  return check(tx, [retailerId], upTo);
}

/** Trial balance and every fault of the books in one look: one paisa or one key off is a difference. */
async function check(tx: Tx, ownerIds: readonly string[] | null, upTo: IsoDate | null): Promise<BooksCheck> {
  const rows = await (ownerIds === null
    ? store.trialBalance.all(tx, { up_to: upTo })
    : store.ownTrialBalance.all(tx, { owner_ids: ownerIds, up_to: upTo }));
  const units = new Map<string, number>();
  for (const row of rows) units.set(row.unit, (units.get(row.unit) ?? 0) + row.debit - row.credit);
  const off = [...units].filter(([, paise]) => paise !== 0).map(([unit, paise]) => `trial balance ${unit}: ${paise}`);
  const differences = [...off, ...(await faultsOf(tx, ownerIds))];
  return { rows, isBalanced: differences.length === 0, differences };
}

/** What came in for the instalments of some agreements, late fees apart, in the order in which it was booked; less than nothing where it was taken back. */
export const paidOfInstalments = (tx: Tx, of: { agreement_ids: readonly string[] }) =>
  paidStore.paidOfInstalments.all(tx, of);

export { checkNight, checkWhole } from './self-check.ts';
export type { AccountCode, Line } from './chart.ts';
