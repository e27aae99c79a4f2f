import { newId } from '#server/platform/ids.ts';

/** SQL, each as the product has it when nothing is said. */
export interface Forged {
  receiptNo?: string;
  postedAt?: string;
  postedOn?: string;
  recordedAt?: string;
  movedAt?: string;
  paidAt?: string;
  paidOn?: string;
  /** Of the schedule, when it was paid. */
  version?: number;
  /** Claimed by the customer first. */
  isClaimed?: boolean;
}

const NEXT_NO = `(select right(name, 5) || '/01/' || lpad(last::text, 4, '0') from counters where name like 'receipt:%')`;

/**
 * A payment of one paisa of the first row's principal, whole: the counter, journal, row, agreement, payment and moves, in that order.
 * @param of an agreement whose first row owes principal and no interest
 */
export function forgedPayment(
  ORG: number,
  of: { agreement_id: string; customer_id: string },
  by: string,
  forged: Forged = {},
): string[] {
  const said = {
    receiptNo: NEXT_NO,
    postedAt: 'kist_now()',
    postedOn: 'kist_today()',
    recordedAt: 'kist_now()',
    movedAt: 'kist_now()',
    paidAt: 'kist_now()',
    paidOn: 'kist_today()',
    version: 1,
    isClaimed: false,
    ...forged,
  };
  const { agreement_id } = of;
  const id = newId();
  return [
    ...(forged.receiptNo ? [] : [`update counters set last = last + 1 where name like 'receipt:%'`]),
    `with j as (insert into journals (org_id, journal_id, effect_key, kind, ref_kind, ref_id, business_on, posted_at)
       values (${ORG}, gen_random_uuid(), 'payment:${id}', 'payment', 'payment', '${id}', ${said.postedOn}, ${said.postedAt}) returning journal_id)
     insert into journal_lines (org_id, journal_id, line_no, account_id, unit, debit, credit, agreement_id, instalment_no, bucket, payment_id)
     select ${ORG}, j.journal_id, n.no, a.account_id, 'INR', (n.no = 1)::int, (n.no = 2)::int, '${agreement_id}', n.row_no, n.bucket, '${id}'
     from j, (values (1, 'clearing_cash', null::int, null), (2, 'receivable_principal', 1, 'principal')) as n(no, code, row_no, bucket)
     join accounts a on a.org_id = ${ORG} and a.code = n.code`,
    `update instalments set paid_principal_paise = paid_principal_paise + 1 where agreement_id = '${agreement_id}' and no = 1`,
    `update agreements set outstanding_paise = outstanding_paise - 1, oldest_due_paise = oldest_due_paise - 1 where agreement_id = '${agreement_id}'`,
    ...rowOf({ ORG, id, by, ...of }, said),
  ];
}

/** The payment itself with its moves: posted at once, or by the shop's yes. */
function rowOf(
  {
    ORG,
    id,
    by,
    agreement_id,
    customer_id,
  }: { ORG: number; id: string; by: string; agreement_id: string; customer_id: string },
  { receiptNo, recordedAt, movedAt, paidAt, paidOn, version, isClaimed }: Required<Forged>,
): string[] {
  const [no, state] = isClaimed ? ['null', 'claimed'] : [receiptNo, 'posted'];
  // A claim is the customer's.
  const told = isClaimed ? `(select user_id from customer_logins where customer_id = '${customer_id}')` : `'${by}'`;
  const move = (n: number, from: string, to: string, by: string) =>
    `insert into payment_moves (org_id, payment_id, no, from_state, to_state, moved_by, moved_at, reason)
     values (${ORG}, '${id}', ${n}, '${from}', '${to}', ${by}, ${movedAt}, 'recorded')`;
  return [
    ...(isClaimed
      ? [
          `insert into users (org_id, user_id, user_type, mobile, first_name)
           select org_id, '${id}', 'customer', mobile, 'Irfan' from customers where customer_id = '${customer_id}' on conflict do nothing`,
          `insert into customer_logins (org_id, customer_id, user_id, since)
           select c.org_id, c.customer_id, u.user_id, kist_now() from customers c join users u using (org_id, mobile) where c.customer_id = '${customer_id}' on conflict do nothing`,
          `select audit_append('agreement', array['${agreement_id}'], jsonb_build_object('user_id', ${told}, 'user_type', 'customer'), 'payment_claimed',
             array[jsonb_build_object('payment_id', '${id}')])`,
        ]
      : []),
    `insert into payments (org_id, payment_id, agreement_id, customer_id, amount_paise, method, paid_at, paid_on, recorded_at, recorded_by, receipt_no, schedule_version, state)
     values (${ORG}, '${id}', '${agreement_id}', '${customer_id}', 1, 'CASH', ${paidAt}, ${paidOn}, ${recordedAt}, ${told}, ${no}, ${version}, '${state}')`,
    move(1, '', state!, told),
    ...(isClaimed
      ? [
          move(2, 'claimed', 'posted', `'${by}'`),
          `update payments set state = 'posted', receipt_no = ${receiptNo}, posted_by = '${by}' where payment_id = '${id}'`,
        ]
      : []),
  ];
}
