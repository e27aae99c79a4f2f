import type { IsoDate } from '@kist/contract/dates';
import type { Receipt } from '@kist/contract/emi';
import type { Paise } from '@kist/contract/money';
import type { KeptMethod } from '@kist/contract/payment-methods';
import { as, date, int4, int8, jsonb, nullable, text, timestamptz, uuid } from '#server/platform/column-types.ts';
import { statement } from '#server/platform/statement.ts';

const method = as<KeptMethod>()(text);
const paise = as<Paise>()(int8);
const day = as<IsoDate>()(date);

/** A payment as it came in: facts that nothing changes. */
const FACTS = {
  payment_id: uuid,
  agreement_id: uuid,
  customer_id: uuid,
  amount_paise: paise,
  method,
  reference: text,
  paid_at: timestamptz,
  paid_on: day,
  recorded_by: uuid,
  receipt_no: text,
  /** What is owed, the price itself when an agreement is signed, or back to who paid it. */
  goes_to: as<'dues' | 'down_payment' | 'suspense'>()(text),
  /** Of the schedule in which it was laid out, and stays. */
  schedule_version: int4,
  /** The penal charge that it is for. */
  for_charge_id: nullable(uuid),
};

/** What stands by it besides: the receipt as it was answered, and the reference it holds. */
const KEPT = { receipt: jsonb<Receipt>(), held_reference: nullable(text) };

const ROW = {
  ...FACTS,
  receipt_no: nullable(text),
  receipt: nullable(KEPT.receipt),
  state: as<'claimed' | 'pending_approval' | 'posted' | 'reversed' | 'refused'>()(text),
  reversed_at: nullable(timestamptz),
  reverse_reason: nullable(text),
};
const COLUMNS = Object.keys(ROW).join(', ');

const WRITTEN = Object.keys({ ...FACTS, ...KEPT });

/** A payment's last statement: whatever it does is done, and the number of its receipt is held by nobody after it. */
export const insertPayment = statement({
  name: 'payments.insert_payment',
  takes: { ...FACTS, ...KEPT },
  text: `
    with move as (
      insert into payment_moves (org_id, payment_id, no, from_state, to_state, moved_by, moved_at, reason)
      values ($1, $payment_id, 1, '', 'posted', $recorded_by, kist_now(), 'recorded')
    )
    insert into payments (org_id, recorded_at, ${WRITTEN.join(', ')})
    values ($1, kist_now(), ${WRITTEN.map((name) => `$${name}`).join(', ')})`,
});

/** The last payment of a version of the schedule that stands, in the order in which payments are laid out. */
export const lastOf = statement({
  name: 'payments.last_of',
  takes: { agreement_id: uuid, schedule_version: int4 },
  gives: { paid_on: day, payment_id: uuid },
  text: `
    select paid_on, payment_id from payments
    where org_id = $1 and agreement_id = $agreement_id and schedule_version = $schedule_version and state = 'posted' and goes_to = 'dues'
    order by paid_on desc, payment_id desc limit 1`,
});

/** The payment that holds a reference. */
export const holderOf = statement({
  name: 'payments.holder_of',
  takes: { reference: text },
  gives: { payment_id: uuid },
  text: 'select payment_id from payments where org_id = $1 and held_reference = $reference',
});

/** Those that pay what is owed, whether they stand or not. */
export const paymentsOf = statement({
  name: 'payments.payments_of',
  takes: { agreement_id: uuid },
  gives: ROW,
  text: `
    select ${COLUMNS} from payments where org_id = $1 and agreement_id = $agreement_id and goes_to = 'dues' and state in ('posted', 'reversed')
    order by paid_at, payment_id`,
});

export const findPayment = statement({
  name: 'payments.find_payment',
  takes: { payment_id: uuid },
  gives: ROW,
  text: `select ${COLUMNS} from payments where org_id = $1 and payment_id = $payment_id`,
});

/** The payment of an id that came with a mark before, its own or the one under which a mark met a claim, and who brought it. */
export const broughtUnder = statement({
  name: 'payments.brought_under',
  takes: { payment_id: uuid },
  gives: { ...ROW, brought_by: uuid },
  text: `
    select ${COLUMNS}, coalesce((select g.given_by from payment_given_ids g where g.org_id = $1 and g.given_id = $payment_id), recorded_by) as brought_by
    from payments where org_id = $1
      and payment_id = coalesce((select g.payment_id from payment_given_ids g where g.org_id = $1 and g.given_id = $payment_id), $payment_id)`,
});

/** The id of a mark that met a claim: it is used for ever, as a payment's own. */
export const keepGivenId = statement({
  name: 'payments.keep_given_id',
  takes: { given_id: uuid, payment_id: uuid, given_by: uuid },
  text: `
    insert into payment_given_ids (org_id, given_id, payment_id, given_by, given_at) values ($1, $given_id, $payment_id, $given_by, kist_now())
    on conflict do nothing`,
});

export const markReversed = statement({
  name: 'payments.mark_reversed',
  takes: { payment_id: uuid, reversed_by: uuid, reverse_reason: text },
  text: `
    with move as (
      insert into payment_moves (org_id, payment_id, no, from_state, to_state, moved_by, moved_at, reason)
      select $1, p.payment_id, (select max(m.no) + 1 from payment_moves m where m.org_id = $1 and m.payment_id = p.payment_id), p.state, 'reversed',
        $reversed_by, kist_now(), $reverse_reason
      from payments p where p.org_id = $1 and p.payment_id = $payment_id
    )
    update payments set state = 'reversed', reversed_at = kist_now(), reversed_by = $reversed_by, reverse_reason = $reverse_reason,
      held_reference = null
    where org_id = $1 and payment_id = $payment_id`,
});

/** The number of the note that a payment was taken back by. */
export const writeNote = statement({
  name: 'payments.write_note',
  takes: { payment_id: uuid, note_no: text },
  text: 'update payments set note_no = $note_no where org_id = $1 and payment_id = $payment_id',
});

/** Cash that one person paid on a day, whatever rows of the customer list it is booked under; paise. */
export const cashOnDay = statement({
  name: 'payments.cash_on_day',
  takes: { customer_id: uuid, paid_on: date },
  gives: { paise: int8 },
  text: `
    select coalesce(sum(p.amount_paise), 0)::bigint as paise from same_person_view s
      join payments p on p.org_id = s.org_id and p.customer_id = s.same_customer_id
    where s.org_id = $1 and s.customer_id = $customer_id and p.paid_on = $paid_on and p.method = 'CASH' and p.state = 'posted'`,
});

export type PaymentRow = Awaited<ReturnType<typeof paymentsOf.all>>[number];

/** Payments of a shop's book from before Kist: no receipt of ours stands by them. */
export const insertHistoric = statement({
  name: 'payments.insert_historic',
  takes: { rows: jsonb<readonly HistoricRow[]>(), moved_by: uuid },
  text: `
    with move as (
      insert into payment_moves (org_id, payment_id, no, from_state, to_state, moved_by, moved_at, reason)
      select $1, payment_id, 1, '', 'posted', $moved_by, kist_now(), 'brought in from a book'
      from jsonb_populate_recordset(null::payments, $rows)
    )
    insert into payments (org_id, payment_id, agreement_id, customer_id, amount_paise, method, reference, paid_at, paid_on, recorded_by, receipt_no, goes_to, recorded_at)
    select $1, payment_id, agreement_id, customer_id, amount_paise, 'OTHER', '', paid_at, paid_on, recorded_by, receipt_no, goes_to, kist_now()
    from jsonb_populate_recordset(null::payments, $rows)`,
});

export interface HistoricRow {
  payment_id: string;
  agreement_id: string;
  customer_id: string;
  amount_paise: number;
  paid_at: string;
  paid_on: IsoDate;
  recorded_by: string;
  receipt_no: string;
  goes_to: 'dues' | 'down_payment';
}
