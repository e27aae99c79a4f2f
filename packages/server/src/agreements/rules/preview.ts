import type { EmiPreview, EmiTerms } from '@kist/contract/emi-terms';
import type { Paise } from '@kist/contract/money';
import { type Schedule, schedule, type ScheduleTerms } from './schedule.ts';

/** The wire's terms as the engine's. @param feePaise the organisation's fee, due with the first instalment. */
export const termsOf = (terms: EmiTerms, feePaise?: Paise): ScheduleTerms => ({
  method: terms.method,
  cashPricePaise: terms.cash_price,
  downPaymentPaise: terms.down_payment,
  rateBps: terms.rate_bps,
  tenure: terms.tenure,
  frequency: terms.frequency,
  deliveredOn: terms.delivered_on,
  anchorDay: terms.anchor_day,
  rounding: terms.rounding,
  feePaise,
});

/** A schedule as the wire shows it. */
export const previewOf = (result: Schedule): EmiPreview => ({
  financed: result.financedPaise,
  emi: result.emiPaise,
  instalments: result.instalments.map((row) => ({
    no: row.no,
    due_on: row.dueOn,
    principal: row.principalPaise,
    interest: row.interestPaise,
    total: row.totalPaise,
    balance: row.balancePaise,
  })),
  total_interest: result.totalInterestPaise,
  total_payable: result.totalPayablePaise,
  apr_bps: result.aprBps,
});

/** What valid terms come to; nothing is stored. */
export const previewEmi = (terms: EmiTerms, feePaise?: Paise): EmiPreview =>
  previewOf(schedule(termsOf(terms, feePaise)));
