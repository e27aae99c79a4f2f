import type { IsoDate } from '@kist/contract/dates';
import type { EmiTerms } from '@kist/contract/emi-terms';
import { isRegulated, type LockPolicy } from '@kist/contract/lock-policy';
import { ZERO_PAISE } from '@kist/contract/money';
import * as audit from '#server/audit/audit.ts';
import type { Actor } from '#server/identity/identity.ts';
import * as ledger from '#server/ledger/ledger.ts';
import type { Tx } from '#server/platform/database.ts';
import { newId } from '#server/platform/ids.ts';
import type { Account } from './rules/account.ts';
import { dues } from './rules/dues.ts';
import { type Schedule, schedule } from './rules/schedule.ts';
import { openingOf } from './opening.ts';
import * as store from './historic-store.ts';

/** How many go into one statement: joining the lines of more journals grows with the square of them. */
const SLICE = 100;

/** An agreement that ran before Kist, with what of it is paid. */
export interface HistoricAgreement {
  agreement_id: string;
  agreement_no: string;
  customer_id: string;
  device_id: string;
  owner_user_id: string;
  plan_type: number;
  terms: EmiTerms;
  /** The schedule of the terms with what payments filled of it. */
  account: Account;
  /** The shop's own name for it, and the hash (hex) of what its book said. */
  row_ref: string;
  row_hash: string;
}

/** Rows of a book that came in before, by the shop's own names for them: the hash (hex) of what they said. Until the end of the transaction nobody else imports. */
export async function knownHistoric(tx: Tx, row_refs: readonly string[]): Promise<Map<string, string>> {
  await store.takeTurn.run(tx, {});
  await store.searchByIndex.run(tx, {});
  const rows = await store.knownRows.all(tx, { row_refs });
  return new Map(rows.map(({ row_ref, row_hash }) => [row_ref, row_hash.toString('hex')]));
}

/** The shop's own name for an agreement; undefined of one that was signed here. */
export const rowRefOf = async (tx: Tx, { agreement_id }: { agreement_id: string }): Promise<string | undefined> =>
  (await store.rowRefOf.first(tx, { agreement_id }))?.row_ref;

/** The next numbers of the series of agreements that ran before Kist (`20-H00007`); whoever asked `knownHistoric` before has them alone. */
export async function historicNumbers(tx: Tx, { orgId }: Actor, count: number): Promise<string[]> {
  const { n } = await store.countHistoric.one(tx, {});
  return Array.from({ length: count }, (_, index) => `${orgId}-H${String(n + index + 1).padStart(5, '0')}`);
}

/** The account of terms before anything is paid. */
export const unpaidAccount = (terms: EmiTerms): Account => ({
  instalments: schedule(terms).instalments.map((row) => ({
    ...row,
    paid_principal_paise: ZERO_PAISE,
    paid_interest_paise: ZERO_PAISE,
    paid_fee_paise: ZERO_PAISE,
    paid_on: null,
  })),
  charges: [],
});

/**
 * Writes agreements that ran before Kist, marked as such: `historicNumbers`, the opening journal, no consent, no penal rule (none
 * was stamped at their signing). They say already what is paid; whoever brings the payments posts them and calls `fillHistoric`, in the same transaction.
 */
export async function openHistoric(
  tx: Tx,
  actor: Actor,
  { agreements, policy, on }: { agreements: readonly HistoricAgreement[]; policy: LockPolicy; on: IsoDate },
): Promise<void> {
  for (let from = 0; from < agreements.length; from += SLICE) {
    const made = agreements.slice(from, from + SLICE).map((given) => {
      const scheduled = schedule(given.terms);
      return { given, scheduled, row: rowOf(given, scheduled, { policy, on }) };
    });
    await store.insertAgreements.run(tx, { columns: made.map(({ row }) => row), moved_by: actor.userId });
    await store.insertInstalments.run(tx, { rows: made.flatMap(instalmentsOf) });
    await ledger.postMany(
      tx,
      made.map(({ row }) => openingOf(row)),
    );
    await note(tx, actor, made);
  }
}

interface Made {
  given: HistoricAgreement;
  scheduled: Schedule;
  row: store.NewAgreement;
}

function rowOf(
  { terms, account, row_ref: _ref, row_hash: _hash, ...sold }: HistoricAgreement,
  { instalments: _rows, ...sums }: Schedule,
  { policy, on }: { policy: LockPolicy; on: IsoDate },
): store.NewAgreement {
  const { cash_price, down_payment, fee, anchor_day = null, ...agreed } = terms;
  const state = dues(account, on);
  return {
    ...sold,
    ...agreed,
    ...sums,
    state: 'active',
    cash_price_paise: cash_price,
    down_payment_paise: down_payment,
    fee_paise: fee,
    anchor_day,
    is_regulated: isRegulated(policy),
    policy_version: policy.version,
    policy,
    penal: null,
    oldest_due_on: state.oldestUnpaid?.due_on ?? null,
    oldest_due_paise: state.oldestUnpaid?.left_paise ?? ZERO_PAISE,
    last_due_on: state.last_due_on,
    outstanding_paise: state.outstanding_paise,
    paid_count: state.paid_count,
    advance_paise: ZERO_PAISE,
    version: 1,
    schedule_version: 1,
    schedule_from: null,
    exchanged_at: null,
  };
}

const instalmentsOf = ({ given: { agreement_id }, scheduled }: Made) =>
  scheduled.instalments.map((row) => ({ ...row, agreement_id, instalment_id: newId() }));

/** Fills the instalments with what was paid of them; the journals of those payments stand by now. */
export async function fillHistoric(
  tx: Tx,
  agreements: readonly Pick<HistoricAgreement, 'agreement_id' | 'account'>[],
): Promise<void> {
  for (let from = 0; from < agreements.length; from += SLICE) {
    const rows = agreements
      .slice(from, from + SLICE)
      .flatMap(({ agreement_id, account }) => account.instalments.map((row) => ({ ...row, agreement_id })))
      .filter((row) => row.paid_principal_paise > 0 || row.paid_interest_paise > 0 || row.paid_fee_paise > 0);
    await store.fillInstalments.run(tx, { rows });
  }
}

async function note(tx: Tx, actor: Actor, made: readonly Made[]): Promise<void> {
  const agreement_ids = made.map(({ given }) => given.agreement_id);
  await store.insertHistoric.run(tx, {
    agreement_ids,
    row_refs: made.map(({ given }) => given.row_ref),
    row_hashes: made.map(({ given }) => given.row_hash),
  });
  const datas = made.map(
    ({ given: { row_ref, device_id }, row: { agreement_no, financed_paise, emi_paise, outstanding_paise } }) => ({
      agreement_no,
      row_ref,
      device_id,
      financed_paise,
      emi_paise,
      outstanding_paise,
    }),
  );
  await audit.appendMany(tx, 'agreement', agreement_ids, actor, 'agreement_imported', datas);
}
