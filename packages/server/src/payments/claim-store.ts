import type { IsoDate } from '@kist/contract/dates';
import type { Receipt } from '@kist/contract/emi';
import type { Paise } from '@kist/contract/money';
import type { KeptMethod } from '@kist/contract/payment-methods';
import {
  type RowOf,
  as,
  date,
  int4,
  int8,
  jsonb,
  nullable,
  text,
  timestamptz,
  uuid,
} from '#server/platform/column-types.ts';
import { statement } from '#server/platform/statement.ts';

const method = as<KeptMethod>()(text);
const state = as<'claimed' | 'pending_approval' | 'posted' | 'reversed' | 'refused'>()(text);

const CLAIMED = {
  payment_id: uuid,
  agreement_id: uuid,
  customer_id: uuid,
  amount_paise: as<Paise>()(int8),
  method,
  reference: text,
  paid_at: timestamptz,
  paid_on: as<IsoDate>()(date),
  recorded_by: uuid,
};
const ROW = { ...CLAIMED, state, receipt: nullable(jsonb<Receipt>()) };
export type ClaimRow = RowOf<typeof ROW>;
const COLUMNS = Object.keys(ROW).join(', ');

/** What a customer says was paid: no number and no lines. */
export const insertClaim = statement({
  name: 'payments.insert_claim',
  takes: CLAIMED,
  text: `
    with move as (
      insert into payment_moves (org_id, payment_id, no, from_state, to_state, moved_by, moved_at, reason)
      values ($1, $payment_id, 1, '', 'claimed', $recorded_by, kist_now(), 'claimed by the customer')
    )
    insert into payments (org_id, recorded_at, state, ${Object.keys(CLAIMED).join(', ')})
    values ($1, kist_now(), 'claimed', ${Object.keys(CLAIMED)
      .map((name) => `$${name}`)
      .join(', ')})`,
});

export const findClaim = statement({
  name: 'payments.find_claim',
  takes: { payment_id: uuid },
  gives: ROW,
  text: `select ${COLUMNS} from payments where org_id = $1 and payment_id = $payment_id`,
});

/** How many of a customer's claims nobody has answered. */
export const openClaims = statement({
  name: 'payments.open_claims',
  takes: { customer_id: uuid },
  gives: { n: int4 },
  text: `select count(*)::int as n from payments where org_id = $1 and customer_id = $customer_id and state = 'claimed'`,
});

/** A customer's claim of this amount by this UPI reference, open or proved. */
export const claimByReference = statement({
  name: 'payments.claim_by_reference',
  takes: { customer_id: uuid, amount_paise: int8, reference: text },
  gives: ROW,
  text: `
    select ${COLUMNS} from payments
    where org_id = $1 and customer_id = $customer_id and method = 'UPI'
      and amount_paise + coalesce((receipt #>> '{overpaid,amount_paise}')::bigint, 0) = $amount_paise
      and (state = 'claimed' or (state = 'posted' and posted_by is not null))
      and upper(regexp_replace(reference, '\\s+', '', 'g')) = $reference
    order by recorded_at limit 1`,
});

/** A claim becomes a payment, its last statement. */
export const postClaim = statement({
  name: 'payments.post_claim',
  takes: {
    payment_id: uuid,
    posted_by: uuid,
    /** Less than was claimed where not all of it was owed: the rest is a payment of its own. */
    amount_paise: as<Paise>()(int8),
    receipt_no: text,
    receipt: jsonb<Receipt>(),
    goes_to: as<'dues' | 'down_payment' | 'suspense'>()(text),
    held_reference: nullable(text),
    /** In force when it is posted, not when it was claimed: before that it was laid out nowhere. */
    schedule_version: int4,
  },
  text: `
    with move as (
      insert into payment_moves (org_id, payment_id, no, from_state, to_state, moved_by, moved_at, reason)
      select $1, p.payment_id, (select max(m.no) + 1 from payment_moves m where m.org_id = $1 and m.payment_id = p.payment_id), p.state, 'posted',
        $posted_by, kist_now(), 'the shop received it'
      from payments p where p.org_id = $1 and p.payment_id = $payment_id
    )
    update payments set state = 'posted', amount_paise = $amount_paise, receipt_no = $receipt_no, receipt = $receipt, goes_to = $goes_to, posted_by = $posted_by,
      held_reference = $held_reference, schedule_version = $schedule_version
    where org_id = $1 and payment_id = $payment_id`,
});

export const refuseClaim = statement({
  name: 'payments.refuse_claim',
  takes: { payment_id: uuid, refused_by: uuid, reason: text },
  text: `
    with move as (
      insert into payment_moves (org_id, payment_id, no, from_state, to_state, moved_by, moved_at, reason)
      select $1, p.payment_id, (select max(m.no) + 1 from payment_moves m where m.org_id = $1 and m.payment_id = p.payment_id), p.state, 'refused',
        $refused_by, kist_now(), $reason
      from payments p where p.org_id = $1 and p.payment_id = $payment_id
    )
    update payments set state = 'refused' where org_id = $1 and payment_id = $payment_id`,
});
