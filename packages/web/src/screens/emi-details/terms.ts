import type { EmiDetails } from '@kist/contract/emi';
import { EMI_LIMITS, type EmiMethod } from '@kist/contract/emi-limits';

/** New terms as they are typed. */
export interface Typed {
  method: EmiMethod;
  /** Percent a year. */
  rate: string;
  tenure: string;
}

/** EMIs that are not due yet: only they change. */
export const ahead = ({ instalments, business_on }: EmiDetails) =>
  instalments.filter((row) => row.due_on > business_on && row.left_paise > 0);

/** The terms as they stand, to begin with. */
export const typedOf = (details: EmiDetails): Typed => ({
  method: details.agreement.method as EmiMethod,
  rate: details.agreement.method === 'ZERO' ? '' : String(details.agreement.rate_bps / 100),
  tenure: String(ahead(details).length),
});

const isRate = (text: string) => /^\d{1,3}(\.\d{1,2})?$/.test(text) && Number(text) * 100 <= EMI_LIMITS.rateMaxBps;

/** What is wrong with what is typed, by the key of its sentence. */
export const faultsOf = ({ method, rate, tenure }: Typed): { rate?: string; tenure?: string } => ({
  ...(method !== 'ZERO' && !isRate(rate) && { rate: 'field.rate' }),
  ...((!/^\d{1,3}$/.test(tenure) || Number(tenure) < 1) && { tenure: 'field.tenure' }),
});

/** What is asked of the server; null while something is wrong. */
export function termsOf(typed: Typed): { method: EmiMethod; rate_bps: number; tenure: number } | null {
  if (Object.keys(faultsOf(typed)).length > 0) return null;
  const { method, rate, tenure } = typed;
  return { method, rate_bps: method === 'ZERO' ? 0 : Math.round(Number(rate) * 100), tenure: Number(tenure) };
}
