import type { IsoDate } from '@kist/contract/dates';
import { KistError } from '@kist/contract/errors';
import { add, type Paise, sum, ZERO_PAISE } from '@kist/contract/money';
import * as audit from '#server/audit/audit.ts';
import type { Actor } from '#server/identity/identity.ts';
import type { Line } from '#server/ledger/ledger.ts';
import * as ledger from '#server/ledger/ledger.ts';
import { today } from '#server/platform/clock.ts';
import type { Tx } from '#server/platform/database.ts';
import type { Agreement, OpenAccount } from './agreements.ts';
import { chargeLeft, instalmentLeft, instalmentTotal, leftInBucket } from './rules/account.ts';
import { dues } from './rules/dues.ts';
import * as store from './store.ts';

/** What an agreement is still owed, by what it is owed for: all of it is given up when it is cancelled. */
const leftOf = ({ instalments }: OpenAccount, bucket: 'principal' | 'interest' | 'fee'): Paise =>
  sum(instalments.map((row) => leftInBucket(row, bucket)));

/** Everything that is not paid: EMIs with their interest and fee, and late fees. */
export const givenUp = (opened: OpenAccount): Paise =>
  add(
    sum((['principal', 'interest', 'fee'] as const).map((bucket) => leftOf(opened, bucket))),
    sum(opened.charges.map(chargeLeft)),
  );

/** Off what the customer owes: the price against the sale, interest and fee against what was not earned, late fees against their income. */
function linesOf(opened: OpenAccount): Line[] {
  const { agreement_id } = opened.agreement;
  const of = { agreement_id };
  return [
    { ...of, code: 'receivable_principal', side: 'credit', amount: leftOf(opened, 'principal') },
    { ...of, code: 'sales', side: 'debit', amount: leftOf(opened, 'principal') },
    { ...of, code: 'receivable_interest', side: 'credit', amount: leftOf(opened, 'interest') },
    { ...of, code: 'unearned_interest', side: 'debit', amount: leftOf(opened, 'interest') },
    { ...of, code: 'receivable_fee', side: 'credit', amount: leftOf(opened, 'fee') },
    { ...of, code: 'unearned_fee', side: 'debit', amount: leftOf(opened, 'fee') },
    ...opened.charges.flatMap((charge): Line[] => {
      const { instalment_no, charge_id } = charge;
      const amount = chargeLeft(charge);
      return [
        { ...of, instalment_no, charge_id, code: 'receivable_penal', side: 'credit', amount },
        { ...of, instalment_no, charge_id, code: 'income_penal', side: 'debit', amount },
      ];
    }),
  ];
}

/**
 * Cancels a running agreement: what is still owed is taken back by a journal of its own, and nothing brings it to life again. What was paid is owed back by
 * who calls, in the same transaction: the database refuses it otherwise.
 * @param opened the account, taken by this transaction
 * @param given.owed what is owed back with it, and the payments that it is owed for
 * @throws KistError STATE_CONFLICT of an agreement that is not active
 */
export async function cancel(
  tx: Tx,
  actor: Actor,
  opened: OpenAccount,
  { reason, owed }: { reason: string; owed?: { refund_paise: Paise; refunds: readonly string[] } },
): Promise<Agreement> {
  const { agreement } = opened;
  if (agreement.state !== 'active') throw new KistError('STATE_CONFLICT');
  const { agreement_id } = agreement;
  await ledger.post(tx, {
    effectKey: `cancelled:${agreement_id}`,
    kind: 'agreement_cancelled',
    refKind: 'agreement',
    refId: agreement_id,
    businessOn: await today(tx),
    lines: linesOf(opened),
  });
  const data = { given_up_paise: givenUp(opened), reason, ...owed };
  await audit.append(tx, { kind: 'agreement', id: agreement_id, actor, action: 'agreement_cancelled', data });
  return store.writeCancelled.one(tx, { agreement_id, moved_by: actor.userId, reason });
}

/** What is owed and what of it is overdue, as people are told: nothing of a cancelled agreement. */
export function owedAsRead(opened: OpenAccount, on: IsoDate): { outstanding_paise: Paise; overdue_paise: Paise } {
  if (opened.agreement.state === 'cancelled') return { outstanding_paise: ZERO_PAISE, overdue_paise: ZERO_PAISE };
  const { outstanding_paise, overdue_paise } = dues(opened, on);
  return { outstanding_paise, overdue_paise };
}

/** An account as people read it: of a cancelled agreement what was paid of it, and nothing that is owed. Rows of which nothing was paid are not there. */
export function asRead(opened: OpenAccount): OpenAccount {
  const { agreement, instalments } = opened;
  if (agreement.state !== 'cancelled') return opened;
  return {
    ...opened,
    agreement: { ...agreement, outstanding_paise: ZERO_PAISE },
    charges: [],
    instalments: instalments
      .filter((row) => instalmentLeft(row) < instalmentTotal(row))
      .map((row) => ({
        ...row,
        principal_paise: row.paid_principal_paise,
        interest_paise: row.paid_interest_paise,
        fee_paise: row.paid_fee_paise,
      })),
  };
}
