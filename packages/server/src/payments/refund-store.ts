import type { Paise } from '@kist/contract/money';
import type { KeptMethod } from '@kist/contract/payment-methods';
import { as, bool, int8, known, listOf, nullable, text, timestamptz, uuid } from '#server/platform/column-types.ts';
import { statement } from '#server/platform/statement.ts';

const state = as<'open' | 'done' | 'void'>()(text);
const method = as<KeptMethod>()(text);
const paise = as<Paise>()(int8);

export const openTask = statement({
  name: 'payments.open_refund_task',
  takes: { payment_id: uuid, agreement_id: uuid, customer_id: uuid, amount_paise: paise },
  text: `
    insert into refund_tasks (org_id, payment_id, agreement_id, customer_id, amount_paise, opened_at)
    values ($1, $payment_id, $agreement_id, $customer_id, $amount_paise, kist_now())`,
});

/** The same of many payments of one agreement. */
export const openTasks = statement({
  name: 'payments.open_refund_tasks',
  takes: { agreement_id: uuid, customer_id: uuid, payment_ids: listOf(uuid), amounts: listOf(paise) },
  text: `
    insert into refund_tasks (org_id, payment_id, agreement_id, customer_id, amount_paise, opened_at)
    select $1, w.payment_id, $agreement_id, $customer_id, w.paise, kist_now() from unnest($payment_ids, $amounts) as w(payment_id, paise)`,
});

/** What stands of an agreement's payments, the down payment among them; not what went to suspense, which is owed back already. */
export const paidFor = statement({
  name: 'payments.paid_for',
  takes: { agreement_id: uuid },
  gives: { payment_id: uuid, amount_paise: paise, goes_to: as<'dues' | 'down_payment'>()(text) },
  text: `
    select payment_id, amount_paise, goes_to from payments
    where org_id = $1 and agreement_id = $agreement_id and state = 'posted' and goes_to in ('dues', 'down_payment') order by payment_id`,
});

/** No row where it is closed already: of two who close it at once, the second waits and finds it so. */
export const closeTask = statement({
  name: 'payments.close_refund_task',
  takes: { payment_id: uuid, state, closed_by: uuid, method: nullable(method), reference: text },
  text: `
    update refund_tasks set state = $state, closed_at = kist_now(), closed_by = $closed_by, method = $method, reference = $reference
    where org_id = $1 and payment_id = $payment_id and state = 'open'`,
});

/** Whether money is owed back to a customer. */
export const isOwedBack = statement({
  name: 'payments.is_owed_back',
  takes: { customer_id: uuid },
  gives: { is_owed: known(bool) },
  text: `select exists (select from refund_tasks where org_id = $1 and customer_id = $customer_id and state = 'open') as is_owed`,
});

export const findTask = statement({
  name: 'payments.find_refund_task',
  takes: { payment_id: uuid },
  gives: {
    agreement_id: uuid,
    customer_id: uuid,
    amount_paise: paise,
    state,
    closed_by: nullable(uuid),
    method: nullable(method),
    reference: text,
  },
  text: `
    select agreement_id, customer_id, amount_paise, state, closed_by, method, reference from refund_tasks
    where org_id = $1 and payment_id = $payment_id`,
});

/** Open ones first, then those closed in the last thirty days. */
export const tasksOf = statement({
  name: 'payments.refund_tasks_of',
  takes: { owners: listOf(uuid) },
  gives: {
    payment_id: uuid,
    customer_id: uuid,
    first_name: text,
    last_name: text,
    mobile: text,
    receipt_no: nullable(text),
    amount_paise: int8,
    state,
    opened_at: timestamptz,
    closed_at: nullable(timestamptz),
    method: nullable(text),
    reference: text,
  },
  text: `
    select r.payment_id, r.customer_id, c.first_name, c.last_name, c.mobile, p.receipt_no, r.amount_paise, r.state, r.opened_at, r.closed_at, r.method, r.reference
    from refund_tasks r join customers_view c on c.org_id = r.org_id and c.customer_id = r.customer_id
    join payments p on p.org_id = r.org_id and p.payment_id = r.payment_id
    where r.org_id = $1 and c.owner_user_id = any($owners) and (r.state = 'open' or r.closed_at > kist_now() - interval '30 days')
    order by r.state <> 'open', r.opened_at, r.payment_id limit 200`,
});
