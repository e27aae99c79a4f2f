import { as, int8, nullable, text, timestamptz, uuid } from '#server/platform/column-types.ts';
import type { Paise } from '@kist/contract/money';
import { statement } from '#server/platform/statement.ts';

/** What was, or is still, to be paid back to a customer. */
export const refundsKept = statement({
  name: 'payments.refunds_kept',
  takes: { customer_id: uuid },
  gives: {
    payment_id: uuid,
    amount_paise: as<Paise>()(int8),
    state: text,
    opened_at: timestamptz,
    closed_at: nullable(timestamptz),
    method: nullable(text),
    reference: text,
  },
  text: `
    select payment_id, amount_paise, state, opened_at, closed_at, method, reference from refund_tasks
    where org_id = $1 and customer_id = $customer_id order by opened_at desc, payment_id desc`,
});
