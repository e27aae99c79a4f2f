import type { CompensationOwed } from '@kist/contract/compensations';
import { lineTextSchema } from '@kist/contract/fields';
import { LIMITS } from '@kist/contract/limits';
import { formatInr, hundredthsOf } from '@kist/contract/money-text';
import { PAYMENT_METHODS } from '@kist/contract/payment-methods';
import { SYSTEM } from '#server/identity/identity.ts';
import * as locking from '#server/locking/locking.ts';
import { UsageError } from './command.ts';
import { idOf } from './dispute-verbs.ts';
import { type Desk, type Given, type Outcome, type Verbs, nounOf } from './verbs.ts';

const said = ({
  agreement_id,
  agreement_no,
  shop,
  owed_paise,
  paid_paise,
  left_paise,
  withdrawn_paise,
  is_running,
}: CompensationOwed): string =>
  [
    agreement_id,
    agreement_no,
    shop,
    `owed ${formatInr(owed_paise)}${is_running ? ' and growing' : ''}`,
    `paid ${formatInr(paid_paise)}`,
    `left ${formatInr(left_paise)}`,
    ...(withdrawn_paise > 0 ? [`no longer ${formatInr(withdrawn_paise)}: the payment was taken back`] : []),
  ].join('  ');

async function list({ database }: Desk, { orgId }: Given): Promise<Outcome> {
  const data = await database.read(orgId, (tx) => locking.compensations(tx, SYSTEM(orgId)));
  return { data, lines: data.length > 0 ? data.map(said) : ['Nothing is owed for a lock.'] };
}

/** @throws UsageError */
function payoutOf(given: Given): Parameters<typeof locking.payCompensation>[2] {
  const amount = hundredthsOf(given.need('amount'));
  if (amount === undefined || amount <= 0)
    throw new UsageError('--amount is rupees, with two decimals at most, and more than nothing');
  const method = PAYMENT_METHODS.find((one) => one === given.need('method'));
  if (!method) throw new UsageError(`--method is one of ${PAYMENT_METHODS.join(', ')}`);
  const reference = lineTextSchema(LIMITS.referenceLength).safeParse(given.need('reference'));
  if (!reference.success || reference.data === '')
    throw new UsageError('--reference is the number of the transfer, or of the receipt that was signed for the cash');
  return { agreement_id: idOf(given, 'AGREEMENT'), amount, method, reference: reference.data };
}

/** What is owed for locks that were wrong, or came off too late. */
export const compensationVerbs: Verbs = {
  list: {
    says: 'what is owed for locks that were wrong or came off too late, by agreement, what was paid out of it, and what fell since a payment was taken back',
    takes: ['ORG'],
    example: 'kist compensation list 20',
    run: list,
  },
  paid: {
    says: 'compensation was paid out to the customer; never more than is left of what is owed, and once for a reference, however often it is typed',
    takes: ['ORG', 'AGREEMENT'],
    options: { amount: { type: 'string' }, method: { type: 'string' }, reference: { type: 'string' } },
    teaches: {
      amount: 'rupees',
      method: PAYMENT_METHODS.join(', '),
      reference: 'number of the transfer, or of the receipt that was signed for the cash',
    },
    example:
      'kist compensation paid 20 01890a5d-ac96-774b-bcce-b302099a8057 --amount 500 --method UPI --reference 412345678901',
    async run({ database }, given) {
      const payout = payoutOf(given);
      const data = await database.transaction(given.orgId, (tx) =>
        locking.payCompensation(tx, SYSTEM(given.orgId), payout),
      );
      const paid = data.is_new ? 'paid' : 'paid before';
      return { data, lines: [`  ${paid} ${formatInr(payout.amount)}, left ${formatInr(data.left_paise)}`] };
    },
  },
};

export const compensationCommands = nounOf(
  'compensation',
  'what is owed for locks that were wrong or came off too late',
  compensationVerbs,
);
