import { useRead } from '#web/api/use-call.ts';
import { useAppSelector } from '#web/state/store.ts';
import { isFinanced, type Problems, type Values } from './fields.ts';

/** Who lends for phones at this organisation. */
export interface Lenders {
  all: { financer_id: number; name: string; is_open: boolean }[];
  /** The list is the server's; before, nobody can tell who is not in it. */
  isKnown: boolean;
}

/** Asks who lends here; until the answer comes, what the state knows from before. */
export function useLenders(): Lenders {
  const { data } = useRead('financerList', { body: {} });
  const before = useAppSelector((state) => state.product.financer_list);
  return { all: data ?? before, isKnown: data !== undefined };
}

/** @returns the financer that was chosen, where it is known */
export const lenderOf = ({ all }: Lenders, values: Values) =>
  all.find(({ financer_id }) => String(financer_id) === values['loan.financer_id']);

/** @returns the financer's name; undefined for a sale on the shop's own EMI. */
export const lenderName = (lenders: Lenders, values: Values): string | undefined => lenderOf(lenders, values)?.name;

/** What is wrong with the choice itself: a financer that lends here no more, or whose loans are signed under other rules than the organisation's. */
export function lenderProblems(lenders: Lenders, values: Values): Problems {
  if (!isFinanced(values) || !lenders.isKnown) return {};
  const lender = lenderOf(lenders, values);
  if (!lender) return { 'loan.financer_id': 'field.choice' };
  return lender.is_open ? {} : { 'loan.financer_id': 'errors.LENDER_RULES_REQUIRED' };
}
