import type { CallReply } from '#web/api/calls.ts';
import type { Values } from './fields.ts';

type Plan = CallReply<'listPlans'>[number];
const TERMS = ['emi.method', 'emi.frequency', 'emi.rate_bps', 'emi.tenure', 'emi.fee', 'emi.anchor_day'] as const;
/** Empty until somebody types them, or a plan brings them. */
const TYPED = ['emi.tenure', 'emi.fee', 'emi.anchor_day'] as const;

/** @returns what a shop most likely sells next: on what it sold last, or the only plan that it has keys for; undefined where nobody can tell. */
export function usualPlan(plans: readonly Plan[]): Plan | undefined {
  const sellable = plans.filter((plan) => plan.is_emi && plan.keys_left > 0);
  const last = sellable
    .filter((plan) => plan.last_sold_at !== null)
    .toSorted((one, other) => (other.last_sold_at ?? '').localeCompare(one.last_sold_at ?? ''))[0];
  return last ?? (sellable.length === 1 ? sellable[0] : undefined);
}

/** @returns the plan with what its last sale agreed beside the price. */
export function withPlan(plan: Plan): Partial<Values> {
  const terms = plan.last_terms;
  return {
    plan_id: String(plan.plan_id),
    ...(terms && {
      'emi.method': terms.method,
      'emi.frequency': terms.frequency,
      'emi.rate_bps': terms.method === 'ZERO' ? '' : String(terms.rate_bps / 100),
      'emi.tenure': String(terms.tenure),
      'emi.fee': terms.fee_paise ? String(terms.fee_paise) : '',
      // Other EMIs fall due on the weekday of the delivery.
      'emi.anchor_day': terms.frequency === 'MONTHLY' && terms.anchor_day ? String(terms.anchor_day) : '',
    }),
  };
}

/**
 * @param values what the form holds. @param before the plan chosen until now.
 * @returns what choosing another plan changes: terms that somebody typed stay as they were typed.
 */
export function choosing(plan: Plan, values: Values, before: Plan | undefined): Partial<Values> {
  const usual: Partial<Values> = before ? withPlan(before) : {};
  const isOwn = values['emi.tenure'] !== '' && TERMS.some((name) => values[name] !== (usual[name] ?? values[name]));
  const isTyped = TYPED.some((name) => values[name] !== '' && usual[name] === undefined);
  return isOwn || isTyped ? { plan_id: String(plan.plan_id) } : withPlan(plan);
}
