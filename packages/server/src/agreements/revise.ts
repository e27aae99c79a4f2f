import type { IsoDate } from '@kist/contract/dates';
import { KistError } from '@kist/contract/errors';
import { add, type Paise, sum, ZERO_PAISE } from '@kist/contract/money';
import * as audit from '#server/audit/audit.ts';
import type { Actor } from '#server/identity/identity.ts';
import type { AccountCode } from '#server/ledger/ledger.ts';
import * as ledger from '#server/ledger/ledger.ts';
import { today } from '#server/platform/clock.ts';
import type { Tx } from '#server/platform/database.ts';
import { newId } from '#server/platform/ids.ts';
import { type InstalmentState, instalmentTotal } from './rules/account.ts';
import { asksMore, type Falling, type NewTerms, type Revision, revised, revision } from './rules/revision.ts';
import type { OpenAccount } from './agreements.ts';
import { type AgreementRow, insertInstalments } from './store.ts';
import * as store from './version-store.ts';

/** Terms that change: which, why, and in whose words. */
export interface Revising {
  cause: store.Cause;
  reason: string;
  terms: NewTerms;
  /** By which code the customer agreed, and the hash of what to. */
  consent?: { otp_id: string; hash: Buffer } | undefined;
}

/** What a version changed, before the account is read anew. */
export interface Revised {
  version: number;
  rows: number;
}

/**
 * Makes the next version of a schedule, effective today: what is not due is superseded and its interest and fee are taken back by a journal of their own, the
 * new rows stand behind it with theirs. What was paid before stays where it went.
 * @param opened the account, taken by this transaction
 * @throws KistError STATE_CONFLICT of an agreement that is not active, or with nothing left that is not due
 */
export async function makeVersion(tx: Tx, actor: Actor, opened: OpenAccount, revising: Revising): Promise<Revised> {
  const { agreement, instalments } = opened;
  if (agreement.state !== 'active') throw new KistError('STATE_CONFLICT');
  const on = await today(tx);
  const made = revision(instalments, agreement, on, revising.terms);
  if (!made) throw new KistError('STATE_CONFLICT');
  const { agreement_id } = agreement;
  const version = agreement.schedule_version + 1;
  const before = pick(agreement);
  const after = termsAfter(agreement, instalments, made, revising.terms);
  const taken = { interest: sumOf(made, 'interest_paise'), fee: sumOf(made, 'fee_paise') };
  await store.insertVersion.run(tx, {
    agreement_id,
    version,
    effective_on: on,
    cause: revising.cause,
    reason: revising.reason,
    made_by: actor.userId,
    after,
    before,
    principal_paise: made.principal_paise,
    interest_paise: made.sums.total_interest_paise,
    fee_paise: made.sums.fee_paise,
    dropped_interest_paise: taken.interest,
    dropped_fee_paise: taken.fee,
    counted_principal_paise: made.counted.principal_paise,
    counted_interest_paise: made.counted.interest_paise,
    consent_otp_id: revising.consent?.otp_id ?? null,
    consent_hash: revising.consent?.hash ?? null,
  });
  await store.supersede.run(tx, { agreement_id, version, on, rows: [...made.dropped, ...made.settled.map(untouched)] });
  await insertRows(tx, agreement_id, version, made);
  await store.writeTerms.run(tx, { agreement_id, schedule_version: version, schedule_from: on, ...after });
  const name = `version:${agreement_id}:${version}`;
  const opens = { interest: made.sums.total_interest_paise, fee: made.sums.fee_paise };
  await book(tx, agreement_id, { effectKey: `${name}:taken_back`, kind: 'schedule_taken_back', on, sums: taken });
  await book(tx, agreement_id, { effectKey: name, kind: 'schedule_opened', on, sums: opens });
  const data = { version, cause: revising.cause, effective_on: on, before, after };
  await audit.append(tx, { kind: 'agreement', id: agreement_id, actor, action: 'schedule_revised', data });
  return { version, rows: made.rows.length };
}

/**
 * The next version with the terms and the rows of the one before, effective today: what was allocated before stays with its version.
 * @param agreement taken by this transaction
 * @returns its number
 */
export async function keepTerms(
  tx: Tx,
  actor: Actor,
  agreement: AgreementRow,
  { cause, reason }: Pick<Revising, 'cause' | 'reason'>,
): Promise<number> {
  const { agreement_id } = agreement;
  const effective_on = await today(tx);
  const version = agreement.schedule_version + 1;
  const terms = pick(agreement);
  await store.insertVersion.run(tx, {
    agreement_id,
    version,
    effective_on,
    cause,
    reason,
    made_by: actor.userId,
    after: terms,
    before: terms,
    principal_paise: ZERO_PAISE,
    interest_paise: ZERO_PAISE,
    fee_paise: ZERO_PAISE,
    dropped_interest_paise: ZERO_PAISE,
    dropped_fee_paise: ZERO_PAISE,
    counted_principal_paise: ZERO_PAISE,
    counted_interest_paise: ZERO_PAISE,
    consent_otp_id: null,
    consent_hash: null,
  });
  await store.writeTerms.run(tx, { agreement_id, schedule_version: version, schedule_from: effective_on, ...terms });
  const data = { version, cause, effective_on };
  await audit.append(tx, { kind: 'agreement', id: agreement_id, actor, action: 'schedule_kept', data });
  return version;
}

/** From when each version of a schedule counts; the one that was signed is not among them. */
export async function versionDays(tx: Tx, which: { agreement_id: string }): Promise<Map<number, IsoDate>> {
  const rows = await store.versionDays.all(tx, which);
  return new Map(rows.map(({ version, effective_on }) => [version, effective_on]));
}

/** What was left of instalments that a version put aside; others of these ids are not among them. */
export const putAside = (tx: Tx, of: { agreement_id: string; instalment_ids: readonly string[] }) =>
  store.putAside.all(tx, of);

/** A schedule by its rows and by what they come to. */
interface Laid {
  terms: InForce;
  rows: Falling[];
}
/** What new terms would make of a schedule. */
export interface RevisionPreview {
  before: Laid;
  after: Laid;
  /** On some day more would have fallen due than before. */
  asks_more: boolean;
  /** As many rows are new. */
  made: number;
}

/**
 * What new terms would make of an account on a day; nothing is written.
 * @returns undefined where nothing is left that is not due, or too little for so many rows
 */
export function previewRevision(
  { agreement, instalments }: OpenAccount,
  on: IsoDate,
  terms: NewTerms,
): RevisionPreview | undefined {
  const made = revision(instalments, agreement, on, terms);
  if (!made) return undefined;
  const before = instalments.map((row) => ({ due_on: row.due_on, total_paise: instalmentTotal(row) }));
  const after = revised(instalments, made);
  return {
    before: { terms: pick(agreement), rows: before },
    after: { terms: termsAfter(agreement, instalments, made, terms), rows: after },
    asks_more: asksMore(before, after),
    made: made.rows.length,
  };
}

/** Nothing of it goes. */
const untouched = (no: number) => ({
  no,
  principal_paise: ZERO_PAISE,
  interest_paise: ZERO_PAISE,
  fee_paise: ZERO_PAISE,
});

const sumOf = ({ dropped }: Revision, bucket: 'interest_paise' | 'fee_paise'): Paise =>
  sum(dropped.map((row) => row[bucket]));

type Terms = Parameters<typeof store.writeTerms.run>[1];
type InForce = Omit<Terms, 'agreement_id' | 'schedule_version' | 'schedule_from'>;

const pick = (agreement: AgreementRow): InForce =>
  Object.fromEntries(Object.keys(store.TERMS).map((name) => [name, agreement[name as keyof InForce]])) as InForce;

/** The whole agreement as it stands then: rows that stay with what stays of them, and the new ones. */
function termsAfter(
  agreement: AgreementRow,
  rows: readonly InstalmentState[],
  made: Revision,
  { method, rate_bps, rounding }: NewTerms,
): InForce {
  const gone = new Map(made.dropped.map((row) => [row.no, row]));
  const isWholly = (row: InstalmentState): boolean => {
    const dropped = gone.get(row.no);
    const sumDropped = dropped ? sum([dropped.principal_paise, dropped.interest_paise, dropped.fee_paise]) : 0;
    return sumDropped === instalmentTotal(row);
  };
  const { emi_paise, apr_bps } = made.sums;
  const total_interest_paise = add(
    sum(rows.map((row) => row.interest_paise)),
    (made.sums.total_interest_paise - sumOf(made, 'interest_paise')) as Paise,
  );
  const fee_paise = add(
    sum(rows.map((row) => row.fee_paise)),
    (made.sums.fee_paise - sumOf(made, 'fee_paise')) as Paise,
  );
  return {
    method,
    rate_bps,
    rounding,
    tenure: rows.filter((row) => !isWholly(row)).length + made.rows.length,
    emi_paise,
    fee_paise,
    total_interest_paise,
    total_payable_paise: sum([agreement.financed_paise, total_interest_paise, fee_paise]),
    apr_bps,
    last_due_on: made.rows.at(-1)!.due_on,
  };
}

async function insertRows(tx: Tx, agreement_id: string, version: number, { rows }: Revision): Promise<void> {
  const { no: last } = await store.lastRow.one(tx, { agreement_id });
  await insertInstalments.run(tx, {
    agreement_id,
    version,
    rows: rows.map((row) => ({ ...row, no: last + row.no, instalment_id: newId() })),
  });
}

/** Interest and fee against what is not earned yet: on the customer's side more when a version opens, less when one is taken back. */
async function book(
  tx: Tx,
  agreement_id: string,
  {
    effectKey,
    kind,
    on,
    sums,
  }: {
    effectKey: string;
    kind: 'schedule_taken_back' | 'schedule_opened';
    on: Terms['schedule_from'];
    sums: { interest: Paise; fee: Paise };
  },
): Promise<void> {
  const [owed, unearned] = kind === 'schedule_opened' ? (['debit', 'credit'] as const) : (['credit', 'debit'] as const);
  await ledger.post(tx, {
    effectKey,
    kind,
    refKind: 'agreement',
    refId: agreement_id,
    businessOn: on,
    lines: (['interest', 'fee'] as const).flatMap((bucket) => [
      { agreement_id, code: `receivable_${bucket}` satisfies AccountCode, side: owed, amount: sums[bucket] },
      { agreement_id, code: `unearned_${bucket}` satisfies AccountCode, side: unearned, amount: sums[bucket] },
    ]),
  });
}
