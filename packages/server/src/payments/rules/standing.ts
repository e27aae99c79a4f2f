import type { IsoDate } from '@kist/contract/dates';
import { isOverdue } from '@kist/contract/dues';
import type { Account, ChargeState, InstalmentState } from '#server/agreements/agreements.ts';
import * as agreements from '#server/agreements/agreements.ts';
import type { AllocationLine } from './allocation.ts';
import { penalCharge, type PenalTerms } from './penal.ts';

/** A payment that stands: its value day and where it went. */
export interface LaidOut {
  paid_on: IsoDate;
  allocations: readonly AllocationLine[];
}

/** An instalment with what was paid into it by payments of the days before one. */
function asOf(row: InstalmentState, on: IsoDate, payments: readonly LaidOut[]): InstalmentState {
  let state = row;
  for (const { paid_on, allocations } of payments)
    if (paid_on < on)
      for (const line of allocations)
        if (line.bucket !== 'penal' && line.instalment_no === row.no)
          state = agreements.payInto(state, line.bucket, line.paise);
  return state;
}

/** Whether the rule bears a charge out, the instalment being as it was on the day of the charge; without a rule: whether it was overdue at all. */
function isFounded(row: InstalmentState, charge: ChargeState, before: readonly ChargeState[], rule: PenalTerms | null) {
  if (!rule) return agreements.instalmentLeft(row) > 0 && isOverdue(row.due_on, charge.charged_on);
  const { amount_paise, reason } = penalCharge(row, before, charge.charged_on, rule);
  return reason === null && amount_paise >= charge.amount_paise;
}

function unfounded(
  account: Account,
  payments: readonly LaidOut[],
  after: IsoDate,
  rule: PenalTerms | null,
): ChargeState[] {
  const rows = new Map(agreements.unpaid(account).instalments.map((row) => [row.no, row]));
  const kept: ChargeState[] = [];
  const gone: ChargeState[] = [];
  for (const charge of account.charges.toSorted(agreements.byChargeDate)) {
    const row = asOf(rows.get(charge.instalment_no)!, charge.charged_on, payments);
    const stays = charge.charged_on <= after || isFounded(row, charge, kept, rule);
    (stays ? kept : gone).push(charge);
  }
  return gone;
}

/**
 * The penal charges that would not have been made had a payment been known on its value day: those made after it whose instalment the payments of the days
 * before had paid, or paid so far that the rule gives less. A charge goes whole; what the rule still gives the daily run makes anew.
 *
 * What a charge that goes had been paid pays something else, so the payments are laid out again until nothing more goes.
 * @param layOut where the payments go in an account
 * @param after the value day of the payment that came in: charges up to it are not looked at
 */
export function takenBack(
  account: Account,
  layOut: (account: Account) => readonly LaidOut[],
  after: IsoDate,
  rule: PenalTerms | null,
): ChargeState[] {
  const gone = new Set<ChargeState>();
  for (;;) {
    const left = { ...account, charges: account.charges.filter((charge) => !gone.has(charge)) };
    if (!left.charges.some(({ charged_on }) => charged_on > after)) return [...gone];
    const more = unfounded(left, layOut(left), after, rule);
    if (more.length === 0) return [...gone];
    for (const charge of more) gone.add(charge);
  }
}
