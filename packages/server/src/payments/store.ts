import type { IsoDate } from '@kist/contract/dates';
import type { Paise } from '@kist/contract/money';
import type { Tx } from '#server/platform/database.ts';

export interface PaymentRow {
  payment_id: string;
  agreement_id: string;
  customer_id: string;
  amount_paise: Paise;
  method: string;
  reference: string;
  paid_at: Date;
  paid_on: IsoDate;
  recorded_by: string;
  receipt_no: string;
  state: 'posted' | 'reversed';
  reversed_at: Date | null;
  reverse_reason: string | null;
}

const COLUMNS =
  'payment_id, agreement_id, customer_id, amount_paise, method, reference, paid_at, paid_on, recorded_by, receipt_no, state, reversed_at, reverse_reason';

export async function insertPayment(
  tx: Tx,
  row: Omit<PaymentRow, 'state' | 'reversed_at' | 'reverse_reason'>,
): Promise<void> {
  await tx.query(
    `insert into payments (org_id, payment_id, agreement_id, customer_id, amount_paise, method, reference, paid_at, paid_on, recorded_at, recorded_by, receipt_no)
     values (kist_org(), $1, $2, $3, $4, $5, $6, $7, $8, kist_now(), $9, $10)`,
    [
      row.payment_id,
      row.agreement_id,
      row.customer_id,
      row.amount_paise,
      row.method,
      row.reference,
      row.paid_at,
      row.paid_on,
      row.recorded_by,
      row.receipt_no,
    ],
  );
}

export async function paymentsOf(tx: Tx, agreementId: string): Promise<PaymentRow[]> {
  const { rows } = await tx.query<PaymentRow>(
    `select ${COLUMNS} from payments where agreement_id = $1 order by paid_at, payment_id`,
    [agreementId],
  );
  return rows;
}

export async function findPayment(tx: Tx, paymentId: string): Promise<PaymentRow | null> {
  const { rows } = await tx.query<PaymentRow>(`select ${COLUMNS} from payments where payment_id = $1`, [paymentId]);
  return rows[0] ?? null;
}

export async function markReversed(tx: Tx, paymentId: string, by: string, reason: string): Promise<void> {
  await tx.query(
    `update payments set state = 'reversed', reversed_at = kist_now(), reversed_by = $2, reverse_reason = $3 where payment_id = $1`,
    [paymentId, by, reason],
  );
}

export interface AllocationRow {
  payment_id: string;
  line_no: number;
  instalment_no: number | null;
  charge_id: string | null;
  bucket: 'interest' | 'principal' | 'fee' | 'penal' | 'advance';
  paise: Paise;
}

export async function allocationsOf(tx: Tx, agreementId: string): Promise<AllocationRow[]> {
  const { rows } = await tx.query<AllocationRow>(
    'select payment_id, line_no, instalment_no, charge_id, bucket, paise from allocations where agreement_id = $1 order by payment_id, line_no',
    [agreementId],
  );
  return rows;
}

/** Puts the allocation of one payment in place of what it was. */
export async function replaceAllocations(
  tx: Tx,
  agreementId: string,
  paymentId: string,
  rows: readonly AllocationRow[],
): Promise<void> {
  await tx.query('delete from allocations where payment_id = $1', [paymentId]);
  await tx.query(
    `insert into allocations (org_id, payment_id, agreement_id, line_no, instalment_no, charge_id, bucket, paise)
     select kist_org(), $1, $2, line_no, instalment_no, charge_id, bucket, paise
     from jsonb_to_recordset($3::jsonb) as r(line_no smallint, instalment_no int, charge_id uuid, bucket text, paise bigint)`,
    [paymentId, agreementId, JSON.stringify(rows)],
  );
}

/** Journals of a payment so far: its allocation may have been posted more than once after replays. */
export async function postings(tx: Tx, paymentId: string): Promise<number> {
  const { rows } = await tx.query<{ n: number }>(
    `select count(*)::int as n from journals where ref_kind = 'payment' and ref_id = $1 and kind = 'payment'`,
    [paymentId],
  );
  return rows[0]!.n;
}

/** Cash that one customer paid on a day, paise. */
export async function cashOnDay(tx: Tx, customerId: string, on: IsoDate): Promise<number> {
  const { rows } = await tx.query<{ paise: number }>(
    `select coalesce(sum(amount_paise), 0)::bigint as paise from payments where customer_id = $1 and paid_on = $2 and method = 'CASH' and state = 'posted'`,
    [customerId, on],
  );
  return rows[0]!.paise;
}
