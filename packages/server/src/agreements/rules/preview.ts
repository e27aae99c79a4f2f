import type { EmiPreview, EmiTerms } from '@kist/contract/emi-terms';
import { periodDays } from './due-dates.ts';
import { type Schedule, schedule } from './schedule.ts';

/** A schedule as the wire shows it. */
const previewOf = (result: Schedule, terms: EmiTerms): EmiPreview => ({
  financed: result.financed_paise,
  emi: result.emi_paise,
  instalments: result.instalments.map((row) => ({
    no: row.no,
    due_on: row.due_on,
    principal: row.principal_paise,
    interest: row.interest_paise,
    fee: row.fee_paise,
    total: row.total_paise,
    balance: row.balance_paise,
  })),
  total_interest: result.total_interest_paise,
  fee: terms.fee,
  total_payable: result.total_payable_paise,
  apr_bps: result.apr_bps,
  first_period: periodDays(terms),
});

/** What valid terms come to; nothing is stored. */
export const previewEmi = (terms: EmiTerms): EmiPreview => previewOf(schedule(terms), terms);
