import type { IsoDate } from '@kist/contract/dates';
import { KistError } from '@kist/contract/errors';
import type { Paise } from '@kist/contract/money';
import * as audit from '#server/audit/audit.ts';
import type { Actor } from '#server/identity/identity.ts';
import type { Tx } from '#server/platform/database.ts';
import * as store from './loan-store.ts';

/** The loan behind an agreement, as who made it knows it. */
interface Loan {
  agreement_id: string;
  financer_id: number;
  loan_account_no: string;
  sanctioned_paise: Paise;
  sanctioned_on: IsoDate;
}

/** Keeps whose loan an agreement is. @throws KistError LOAN_NUMBER_USED where another agreement has the financer's number */
export async function recordLoan(tx: Tx, actor: Actor, loan: Loan): Promise<void> {
  if (!(await store.insertLoan.first(tx, { ...loan, recorded_by: actor.userId })))
    throw new KistError('LOAN_NUMBER_USED');
  const { agreement_id, ...data } = loan;
  await audit.append(tx, { kind: 'agreement', id: agreement_id, actor, action: 'loan_recorded', data });
}

/** The loan behind an agreement; undefined of a shop's own credit. */
export const loanOf = (tx: Tx, of: { agreement_id: string }) => store.loanOf.first(tx, of);
