import type { LoanIn } from '@kist/contract/financing';
import { KistError } from '@kist/contract/errors';
import { isRegulated } from '@kist/contract/lock-policy';
import { paise } from '@kist/contract/money';
import * as agreements from '#server/agreements/agreements.ts';
import * as catalogue from '#server/catalogue/catalogue.ts';
import type { Actor } from '#server/identity/identity.ts';
import * as locking from '#server/locking/locking.ts';
import { today } from '#server/platform/clock.ts';
import type { Tx } from '#server/platform/database.ts';
import { type Registered, register } from './registering.ts';
import type { Registration } from './rules.ts';

/** Who lends for phones here, and whether a sale of its loan can be signed now: a regulated lender's only under the regulator's rules. */
export async function lenders(
  tx: Tx,
): Promise<{ financer_id: number; name: string; is_regulated: boolean; is_open: boolean }[]> {
  const all = await catalogue.financers(tx);
  const isStrict = isRegulated(await locking.policyInForce(tx));
  return all.map(({ financer_id, name, is_regulated }) => ({
    financer_id,
    name,
    is_regulated,
    is_open: isStrict || !is_regulated,
  }));
}

const wrong = (path: string, key: string) => new KistError('INVALID_INPUT', { fields: [{ path, key }] });

/**
 * Registers a sale whose loan a financer made: the sale as always, and whose loan it is, in one transaction.
 * @throws KistError as `register`; INVALID_INPUT of a draft, a financer that does not lend here, a sanction of another day or of less than is financed;
 * LENDER_RULES_REQUIRED where a regulated lender's loan would be signed under a shop's own rules; LOAN_NUMBER_USED
 */
export async function registerFinanced(
  tx: Tx,
  actor: Actor,
  { loan, ...body }: Registration & { loan: LoanIn },
): Promise<Registered> {
  const { financer_id, loan_account_no, sanctioned_amount, sanctioned_on } = loan;
  if (body.draft) throw wrong('draft', 'field.choice');
  // First of all whose customer it is; what is refused behind it takes the sale back.
  const sold = await register(tx, actor, body, { financer_id });
  const agreement_id = sold.agreement_id!;
  const lender = await catalogue.financer(tx, { financer_id });
  if (!lender) throw wrong('loan.financer_id', 'field.choice');
  if (sanctioned_on > (await today(tx))) throw wrong('loan.sanctioned_on', 'field.date');
  const { agreement } = await agreements.account(tx, { agreement_id });
  const sanctioned_paise = paise(sanctioned_amount);
  if (agreement.financed_paise > sanctioned_paise) throw wrong('loan.sanctioned_amount', 'field.sanctioned');
  if (lender.is_regulated && !agreement.is_regulated) throw new KistError('LENDER_RULES_REQUIRED');
  await agreements.recordLoan(tx, actor, {
    agreement_id,
    financer_id,
    loan_account_no,
    sanctioned_paise,
    sanctioned_on,
  });
  return sold;
}
