import type { EmiDetails } from '@kist/contract/emi';
import type { OutboxEntry } from '#web/offline/outbox.ts';
import { payingOf } from '#web/widgets/queued-payments.tsx';

/** What of it the server has not told of yet: the answer to one that arrived may have been lost. @param ownId the payment that is being taken right now */
export const notTold = (
  entries: readonly OutboxEntry[],
  { payments }: EmiDetails,
  ownId: string,
): readonly OutboxEntry[] =>
  entries.filter((entry) => {
    const { payment_id: id } = payingOf(entry);
    return id !== ownId && !payments.some(({ payment_id }) => payment_id === id);
  });

/** What money fills, in the order in which the server does it: what is due, late fees, what is to come. */
interface Pot {
  id: string | null;
  leftPaise: number;
}

function fill(pots: readonly Pot[], paise: number): void {
  let rest = paise;
  for (const pot of pots) {
    const part = Math.min(rest, pot.leftPaise);
    pot.leftPaise -= part;
    rest -= part;
  }
}

/** @returns an agreement as it will stand once all that waits on this phone was sent: what may still be collected. */
export function afterQueued(details: EmiDetails, entries: readonly OutboxEntry[]): EmiDetails {
  if (entries.length === 0) return details;
  const { agreement, instalments } = details;
  const isDue = ({ state }: EmiDetails['instalments'][number]) => state === 'overdue' || state === 'due';
  const potOf = (row: EmiDetails['instalments'][number]): Pot => ({ id: row.instalment_id, leftPaise: row.left_paise });
  const fees: Pot = { id: null, leftPaise: agreement.penal_left_paise };
  const pots = [...instalments.filter(isDue).map(potOf), fees, ...instalments.filter((row) => !isDue(row)).map(potOf)];
  const sumOf = (some: readonly Pot[]) => some.reduce((sum, { leftPaise }) => sum + leftPaise, 0);
  const before = sumOf(pots) - fees.leftPaise;
  for (const entry of entries) {
    const { amount, charge_id, instalment_ids: ids = [] } = payingOf(entry);
    const whole = pots.filter(({ id }) => id !== null && ids.includes(id));
    fill(charge_id ? [fees, ...pots] : pots, entry.paise ?? amount ?? sumOf(whole));
  }
  const left = new Map(pots.map(({ id, leftPaise }) => [id, leftPaise]));
  const after = sumOf(pots) - fees.leftPaise;
  return {
    ...details,
    agreement: {
      ...agreement,
      penal_left_paise: fees.leftPaise,
      outstanding_paise: agreement.outstanding_paise - before + after,
    },
    instalments: instalments.map((row) => ({ ...row, left_paise: left.get(row.instalment_id) ?? row.left_paise })),
  };
}
