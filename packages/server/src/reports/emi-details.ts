import { NEEDS } from '@kist/contract/access';
import { type IsoDate } from '@kist/contract/dates';
import { isOverdue } from '@kist/contract/dues';
import type { EmiDetails, PaymentView } from '@kist/contract/emi';
import { KistError } from '@kist/contract/errors';
import type { ChargeView } from '@kist/contract/penalties';
import { sub, sum } from '@kist/contract/money';
import type { InstalmentState, OpenAccount } from '#server/agreements/agreements.ts';
import * as agreements from '#server/agreements/agreements.ts';
import * as customers from '#server/customers/customers.ts';
import type { Actor } from '#server/identity/identity.ts';
import * as identity from '#server/identity/identity.ts';
import * as locking from '#server/locking/locking.ts';
import { today } from '#server/platform/clock.ts';
import * as payments from '#server/payments/payments.ts';
import type { Tx } from '#server/platform/database.ts';
import * as store from './store.ts';

type State = EmiDetails['instalments'][number]['state'];

/** How an instalment stands on a day, in one word; the app colours its segment by it. */
export function stateOf(row: InstalmentState, today: IsoDate): State {
  const leftPaise = agreements.instalmentLeft(row);
  if (leftPaise === 0) return 'paid';
  if (isOverdue(row.due_on, today)) return 'overdue';
  if (row.due_on === today) return 'due';
  return leftPaise < agreements.instalmentTotal(row) ? 'part' : 'upcoming';
}

function instalmentViews(opened: OpenAccount, today: IsoDate): EmiDetails['instalments'] {
  const places = agreements.placesOf(opened.instalments);
  return opened.instalments.map((row) => {
    const penalties = opened.charges.filter((charge) => charge.instalment_no === row.no);
    return {
      instalment_id: opened.instalmentIds.get(row.no)!,
      no: row.no,
      place: places.get(row.no)!,
      due_on: row.due_on,
      principal_paise: row.principal_paise,
      interest_paise: row.interest_paise,
      fee_paise: row.fee_paise,
      total_paise: agreements.instalmentTotal(row),
      paid_paise: sub(agreements.instalmentTotal(row), agreements.instalmentLeft(row)),
      left_paise: agreements.instalmentLeft(row),
      balance_paise: opened.balances.get(row.no)!,
      state: stateOf(row, today),
      paid_on: row.paid_on,
      penal_paise: sum(penalties.map((charge) => charge.amount_paise)),
      penal_left_paise: sum(penalties.map(agreements.chargeLeft)),
    };
  });
}

async function paymentViews(tx: Tx, { agreement: { agreement_id }, instalments }: OpenAccount): Promise<PaymentView[]> {
  const rows = await store.paymentsOf.all(tx, { agreement_id });
  const places = agreements.placesOf(instalments);
  return rows.map((row) => ({
    ...row,
    allocations: row.allocations.map((part) => ({
      ...part,
      instalment_place: places.get(part.instalment_no ?? 0) ?? null,
    })),
    paid_at: row.paid_at.toISOString(),
    reversed_at: row.reversed_at?.toISOString() ?? null,
  }));
}

/** Who asks for a waiver and why is the shop's own talk: a customer sees the charges alone. */
async function chargeViews(
  tx: Tx,
  actor: Actor,
  { agreement, charges, instalments }: OpenAccount,
): Promise<ChargeView[]> {
  const { agreement_id } = agreement;
  const waivers = actor.userType === 'customer' ? [] : await store.askedWaivers.all(tx, { agreement_id });
  const places = agreements.placesOf(instalments);
  return charges.map((charge) => {
    const asked = waivers.find(({ charge_id }) => charge_id === charge.charge_id);
    return {
      charge_id: charge.charge_id,
      instalment_no: charge.instalment_no,
      instalment_place: places.get(charge.instalment_no)!,
      charged_on: charge.charged_on,
      amount_paise: charge.amount_paise,
      paid_paise: charge.paid_paise,
      waived_paise: charge.waived_paise,
      left_paise: agreements.chargeLeft(charge),
      asked: asked
        ? {
            waiver_id: asked.waiver_id,
            amount_paise: asked.amount_paise,
            reason: asked.reason,
            asked_by: asked.asked_by_name,
            is_own: asked.asked_by === actor.userId,
          }
        : null,
    };
  });
}

/**
 * Agreement, schedule and payments of a customer.
 * @throws KistError NOT_FOUND for somebody else's customer and for one without an agreement.
 */
export async function emiDetails(tx: Tx, actor: Actor, { customer_id }: { customer_id: string }): Promise<EmiDetails> {
  identity.requires(actor, NEEDS.read);
  const customer = await customers.authorize(tx, actor, { customer_id });
  return emiOf(tx, actor, customer, { customer_id });
}

/** The same of one agreement of a customer, whom the caller sees. @throws KistError NOT_FOUND where it is none of theirs */
export async function emiOf(
  tx: Tx,
  actor: Actor,
  customer: customers.AuthorizedCustomer,
  which: agreements.WhichAgreement,
): Promise<EmiDetails> {
  const opened = agreements.asRead(await agreements.account(tx, which));
  const { agreement } = opened;
  if (agreement.customer_id !== customer.customer_id) throw new KistError('NOT_FOUND');
  const on = await today(tx);
  const [chargeable] = payments.chargeableToday(opened, on);
  const state = opened.instalments.length > 0 ? agreements.dues(opened, on) : undefined;
  const phone = await store.deviceName.first(tx, { device_id: agreement.device_id });
  return {
    agreement: {
      ...pick(agreement),
      overdue_paise: state?.overdue_paise ?? 0,
      penal_left_paise: state?.penal_left_paise ?? 0,
      next_due_on: state?.oldestUnpaid?.due_on ?? null,
      days_past_due: state?.days_past_due ?? 0,
      first_name: customer.first_name,
      last_name: customer.last_name,
      mobile: customer.mobile,
      device: phone?.device ?? '',
      loan: (await agreements.loanOf(tx, agreement)) ?? null,
    },
    instalments: instalmentViews(opened, on),
    payments: await paymentViews(tx, opened),
    phone_claim: await locking.phoneClaimOf(tx, agreement),
    charges: await chargeViews(tx, actor, opened),
    chargeable: chargeable
      ? { ...chargeable, instalment_place: agreements.placesOf(opened.instalments).get(chargeable.instalment_no)! }
      : null,
    business_on: on,
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
