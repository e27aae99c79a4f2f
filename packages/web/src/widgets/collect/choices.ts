import type { EmiDetails } from '@kist/contract/emi';

/**
 * What a shop usually collects; `ids` are the instalments it covers, oldest first. Before an instalment that is not due yet an open penalty is paid, so it is
 * part of the amount: else the instalment would lack it on its day.
 */
export interface Choice {
  id: 'late' | 'next' | 'all';
  ids: readonly string[];
  paise: number;
  hasPenalty: boolean;
}

/** @returns the usual amounts of an agreement with something left: all late ones, the next one where it is not the only late one, everything. */
export function choicesOf({ agreement, instalments }: EmiDetails): Choice[] {
  const open = instalments.filter((row) => row.left_paise > 0);
  const late = open.filter((row) => row.state === 'overdue');
  const choice = (id: Choice['id'], rows: EmiDetails['instalments']): Choice => {
    const penaltyPaise = rows.some((row) => row.state === 'upcoming') ? agreement.penal_left_paise : 0;
    return {
      id,
      ids: rows.map((row) => row.instalment_id),
      paise: rows.reduce((sum, row) => sum + row.left_paise, penaltyPaise),
      hasPenalty: penaltyPaise > 0,
    };
  };
  const choices = late.length > 0 ? [choice('late', late)] : [];
  if (late.length !== 1) choices.push(choice('next', open.slice(0, 1)));
  if (open.length > Math.max(1, late.length)) choices.push(choice('all', open));
  return choices;
}
