import { NEEDS } from '@kist/contract/access';
import { type IsoDate } from '@kist/contract/dates';
import type { EmiDetails, PaymentView } from '@kist/contract/emi';
import { sub, sum } from '@kist/contract/money';
import {
  account,
  chargeLeft,
  dues,
  instalmentLeft,
  type InstalmentState,
  instalmentTotal,
  type OpenAccount,
} from '#server/agreements/agreements.ts';
import { authorize } from '#server/customers/customers.ts';
import { type Actor, requires } from '#server/identity/identity.ts';
import { businessOn, now } from '#server/platform/clock.ts';
import type { Tx } from '#server/platform/database.ts';

type State = EmiDetails['instalments'][number]['state'];

/** How an instalment stands on a day, in one word; the app colours its segment by it. */
export function stateOf(row: InstalmentState, today: IsoDate): State {
  const leftPaise = instalmentLeft(row);
  if (leftPaise === 0) return 'paid';
  if (row.due_on < today) return 'overdue';
  if (row.due_on === today) return 'due';
  return leftPaise < instalmentTotal(row) ? 'part' : 'upcoming';
}

function instalmentViews(opened: OpenAccount, today: IsoDate): EmiDetails['instalments'] {
  return opened.instalments.map((row) => {
    const penalties = opened.charges.filter((charge) => charge.instalment_no === row.no);
    return {
      instalment_id: opened.instalmentIds.get(row.no)!,
      no: row.no,
      due_on: row.due_on,
      principal_paise: row.principal_paise,
      interest_paise: row.interest_paise,
      fee_paise: row.fee_paise,
      total_paise: instalmentTotal(row),
      paid_paise: sub(instalmentTotal(row), instalmentLeft(row)),
      left_paise: instalmentLeft(row),
      balance_paise: opened.balances.get(row.no)!,
      state: stateOf(row, today),
      paid_on: row.paid_on,
      penal_paise: sum(penalties.map((charge) => charge.amount_paise)),
      penal_left_paise: sum(penalties.map(chargeLeft)),
    };
  });
}

async function paymentViews(tx: Tx, agreementId: string): Promise<PaymentView[]> {
  const { rows } = await tx.query<PaymentView & { paid_at: Date; reversed_at: Date | null }>(
    `select p.payment_id, p.receipt_no, p.amount_paise, p.method, p.reference, p.paid_at, p.state, p.reversed_at, p.reverse_reason,
       trim(u.first_name || ' ' || u.last_name) as recorded_by,
       coalesce((select jsonb_agg(jsonb_build_object('instalment_no', x.instalment_no, 'bucket', x.bucket, 'paise', x.paise) order by x.instalment_no, x.charge_id nulls first, array_position(array['interest', 'principal', 'fee', 'penal', 'advance'], x.bucket))
         from allocations x where x.org_id = p.org_id and x.payment_id = p.payment_id), '[]') as allocations
     from payments p left join users u on u.org_id = p.org_id and u.user_id = p.recorded_by
     where p.agreement_id = $1 order by p.paid_at desc, p.payment_id desc`,
    [agreementId],
  );
  return rows.map((row) => ({
    ...row,
    recorded_by: row.recorded_by ?? '',
    paid_at: (row.paid_at as Date).toISOString(),
    reversed_at: (row.reversed_at as Date | null)?.toISOString() ?? null,
  }));
}

/**
 * Agreement, schedule and payments of a customer.
 * @throws KistError NOT_FOUND for somebody else's customer and for one without an agreement.
 */
export async function emiDetails(tx: Tx, actor: Actor, customerId: string): Promise<EmiDetails> {
  requires(actor, NEEDS.read);
  const customer = await authorize(tx, actor, { customer_id: customerId });
  const opened = await account(tx, { customer_id: customerId });
  const { agreement } = opened;
  const today = businessOn(await now(tx)) as IsoDate;
  const state = dues(opened, today);
  const { rows } = await tx.query<{ device: string }>(
    `select trim(brand || ' ' || model) as device from devices where device_id = $1`,
    [agreement.device_id],
  );
  const { penal_left_paise } = state;
  return {
    agreement: {
      ...pick(agreement),
      overdue_paise: state.overdue_paise,
      penal_left_paise,
      next_due_on: state.oldestUnpaid?.due_on ?? null,
      days_past_due: state.days_past_due,
      first_name: customer.first_name,
      last_name: customer.last_name,
      mobile: customer.mobile,
      device: rows[0]?.device ?? '',
    },
    instalments: instalmentViews(opened, today),
    payments: await paymentViews(tx, agreement.agreement_id),
    business_on: today,
  };
}

function pick({
  agreement_id,
  agreement_no,
  customer_id,
  state,
  method,
  frequency,
  cash_price_paise,
  down_payment_paise,
  fee_paise,
  financed_paise,
  emi_paise,
  rate_bps,
  apr_bps,
  tenure,
  total_interest_paise,
  total_payable_paise,
  outstanding_paise,
  advance_paise,
  delivered_on,
  paid_count,
}: OpenAccount['agreement']) {
  return {
    agreement_id,
    agreement_no,
    customer_id,
    state,
    method,
    frequency,
    cash_price_paise,
    down_payment_paise,
    fee_paise,
    financed_paise,
    emi_paise,
    rate_bps,
    apr_bps,
    tenure,
    total_interest_paise,
    total_payable_paise,
    outstanding_paise,
    advance_paise,
    delivered_on,
    paid_count,
  };
}
