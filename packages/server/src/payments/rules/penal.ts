import { daysBetween, type IsoDate } from '@kist/contract/dates';
import { isOverdue } from '@kist/contract/dues';
import { minPaise, mulRate, type Paise, sub, sum, ZERO_PAISE } from '@kist/contract/money';
import type { ChargeState, InstalmentState, StampedPenal } from '#server/agreements/agreements.ts';
import * as agreements from '#server/agreements/agreements.ts';

/**
 * The rule that an agreement was signed under: a fixed sum, disclosed before signing, for each started stretch of `every_days` days that an instalment stays
 * overdue after the days of grace, in all never above a share of what is overdue. A charge, not a rate: nothing is added to the interest, no
 * interest runs on it and none is made for an unpaid charge (Reserve Bank of India, circular of 18 August 2023 on penal charges).
 */
export type PenalTerms = Pick<StampedPenal, 'charge_paise' | 'grace_days' | 'every_days' | 'cap_bps'>;

/** Why there is nothing to charge today. */
export type NoPenalReason = 'NOT_OVERDUE' | 'WITHIN_GRACE' | 'CHARGED_ALREADY' | 'CAP_REACHED';

export type PenalVerdict = { amount_paise: Paise; reason: null } | { amount_paise: Paise; reason: NoPenalReason };

const nothing = (reason: NoPenalReason): PenalVerdict => ({ amount_paise: ZERO_PAISE, reason });

/**
 * The charge to make today for one instalment: what has come up since its due day, less what was charged for it before. Reckoned from the due
 * day each time, so running it twice on a day adds nothing, and a day that was missed is made good by the next.
 *
 * @param charges of the agreement; those of other instalments are not looked at. Charges never enter the sum that the cap is taken of.
 */
export function penalCharge(
  instalment: InstalmentState,
  charges: readonly ChargeState[],
  businessOn: IsoDate,
  rule: PenalTerms,
): PenalVerdict {
  const overduePaise = agreements.instalmentLeft(instalment);
  if (overduePaise === 0 || !isOverdue(instalment.due_on, businessOn)) return nothing('NOT_OVERDUE');
  const days = daysBetween(instalment.due_on, businessOn);
  if (days <= rule.grace_days) return nothing('WITHIN_GRACE');
  const own = charges.filter((charge) => charge.instalment_no === instalment.no);
  const chargedPaise = sum(own.map((charge) => charge.amount_paise));
  const stretches = 1 + Math.floor((days - rule.grace_days - 1) / rule.every_days);
  const comeUpPaise = mulRate(rule.charge_paise, stretches, 1);
  const capPaise = mulRate(overduePaise, rule.cap_bps, 10_000);
  if (chargedPaise >= comeUpPaise) return nothing('CHARGED_ALREADY');
  if (chargedPaise >= capPaise) return nothing('CAP_REACHED');
  return { amount_paise: sub(minPaise(comeUpPaise, capPaise), chargedPaise), reason: null };
}
