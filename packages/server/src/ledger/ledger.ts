import type { IsoDate } from '@kist/contract/dates';
import { KistError } from '@kist/contract/errors';
import type { Actor } from '#server/identity/identity.ts';
import type { Tx } from '#server/platform/database.ts';
import { newId } from '#server/platform/ids.ts';
import { CHART, type AccountCode, type Line, nonZero, reversed, unitOf } from './chart.ts';
import { booksScope } from './policy.ts';
import {
  ensureAccounts,
  insertJournal,
  linesOf,
  ownTrialBalance,
  receivableDifferences,
  trialBalance,
  walletDifferences,
} from './store.ts';

export interface Posting {
  /** What this journal is the effect of (`payment:<id>`); posting it twice changes nothing. */
  effectKey: string;
  kind: string;
  refKind: string;
  refId: string;
  businessOn: IsoDate;
  lines: Line[];
  reversesJournalId?: string;
}

const ORGANISATION = 'organisation';

/**
 * Posts one journal. Zero lines are left out; the database refuses a journal whose debits and credits differ in any unit (at commit).
 * @returns the new journal's id, or null when this effect was posted before.
 */
export async function post(tx: Tx, posting: Posting): Promise<string | null> {
  const lines = nonZero(posting.lines);
  if (lines.length === 0) return null;
  const accountIds = await ensureAccounts(
    tx,
    lines.map((line) => ({
      account_id: newId(),
      owner_kind: CHART[line.code].owner,
      owner_id: CHART[line.code].owner === ORGANISATION ? ORGANISATION : line.ownerId!,
      code: line.code,
      unit: unitOf(line),
      side: CHART[line.code].side,
    })),
  );
  const journalId = newId();
  const isNew = await insertJournal(
    tx,
    {
      journalId,
      effectKey: posting.effectKey,
      kind: posting.kind,
      refKind: posting.refKind,
      refId: posting.refId,
      reversesJournalId: posting.reversesJournalId ?? null,
      businessOn: posting.businessOn,
    },
    lines.map((line, index) => ({
      lineNo: index + 1,
      accountId: accountIds[index]!,
      unit: unitOf(line),
      debit: line.side === 'debit' ? line.amount : 0,
      credit: line.side === 'credit' ? line.amount : 0,
    })),
  );
  return isNew ? journalId : null;
}

/** What one effect put on accounts of one kind; 0 when it was never posted. */
export async function postedAmount(tx: Tx, effectKey: string, code: AccountCode): Promise<number> {
  const rows = (await linesOf(tx, effectKey)).filter((row) => row.code === code);
  return rows.reduce((sum, { debit, credit }) => sum + debit + credit, 0);
}

/** Posts the reversing journal of an effect. @returns its id; null when there is nothing to reverse or it was reversed before. */
export async function reverse(
  tx: Tx,
  effectKey: string,
  how: Omit<Posting, 'lines' | 'reversesJournalId'>,
): Promise<string | null> {
  const rows = await linesOf(tx, effectKey);
  if (rows.length === 0) return null;
  const lines = rows.map((row): Line => ({
    code: row.code as AccountCode,
    ownerId: row.owner_id,
    ...(row.unit === 'INR' ? {} : { planType: Number(row.unit.slice(4)) }),
    side: row.debit > 0 ? 'debit' : 'credit',
    amount: row.debit > 0 ? row.debit : row.credit,
  }));
  return post(tx, { ...how, lines: reversed(lines), reversesJournalId: rows[0]!.journal_id });
}

export interface BooksCheck {
  rows: { code: string; unit: string; debit: number; credit: number }[];
  isBalanced: boolean;
  /** Sentences for the people who keep the books, e.g. which agreement is off by how much. */
  differences: string[];
}

/** The whole organisation's books, for its own nightly check and command line. People ask `booksOf`. */
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
  if (scope !== 'organisation' && !scope.includes(retailerId)) throw new KistError('NOT_FOUND');
  return check(tx, [retailerId], upTo);
}

/** Trial balance, schedule against ledger, wallet against ledger: one paisa or one key off is a difference. */
async function check(tx: Tx, ownerIds: readonly string[] | null, upTo: IsoDate | null): Promise<BooksCheck> {
  const rows = await (ownerIds === null ? trialBalance(tx, upTo) : ownTrialBalance(tx, ownerIds, upTo));
  const units = new Map<string, number>();
  for (const row of rows) units.set(row.unit, (units.get(row.unit) ?? 0) + row.debit - row.credit);
  const differences = [...units].filter(([, off]) => off !== 0).map(([unit, off]) => `trial balance ${unit}: ${off}`);
  for (const row of await receivableDifferences(tx, ownerIds))
    differences.push(`agreement ${row.agreement_id}: ledger ${row.ledger_paise}, schedule ${row.schedule_paise}`);
  for (const row of await walletDifferences(tx, ownerIds))
    differences.push(`wallet ${row.user_id} ${row.plan_type} ${row.code}: ledger ${row.ledger}, wallet ${row.wallet}`);
  return { rows, isBalanced: differences.length === 0, differences };
}
