import type { EmiDetails } from '@kist/contract/emi';
import type { ChargeView } from '@kist/contract/penalties';
import type { OutboxEntry } from '#web/offline/outbox.ts';
import { isUnderWay, payingOf } from '#web/widgets/queued-payments.tsx';

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
  id: string;
  leftPaise: number;
}
const sumOf = (pots: readonly Pot[]) => pots.reduce((sum, { leftPaise }) => sum + leftPaise, 0);

function fill(pots: readonly Pot[], paise: number): void {
  let rest = paise;
  for (const pot of pots) {
    const part = Math.min(rest, pot.leftPaise);
    pot.leftPaise -= part;
    rest -= part;
  }
}

/** Money for one late fee fills that first, and is refused where nothing is left of it: then it fills nothing. */
function fillNamed(named: Pot | undefined, pots: readonly Pot[], paise: number): void {
  if (named && named.leftPaise > 0) fill([named, ...pots], paise);
}

const isDue = ({ state }: EmiDetails['instalments'][number]) => state === 'overdue' || state === 'due';
const potOf = (row: EmiDetails['instalments'][number]): Pot => ({ id: row.instalment_id, leftPaise: row.left_paise });

/** @returns an agreement as it will stand once all that waits on this phone was sent: what may still be collected. */
export function afterQueued(details: EmiDetails, entries: readonly OutboxEntry[]): EmiDetails {
  if (entries.length === 0) return details;
  const { agreement, instalments } = details;
  const fees = details.charges.map(({ charge_id, left_paise }): Pot => ({ id: charge_id, leftPaise: left_paise }));
  const [due, later] = [instalments.filter(isDue).map(potOf), instalments.filter((row) => !isDue(row)).map(potOf)];
  const pots = [...due, ...fees, ...later];
  const before = sumOf([...due, ...later]);
  for (const entry of entries) {
    const { amount, charge_id, instalment_ids: ids = [] } = payingOf(entry);
    const whole = pots.filter(({ id }) => ids.includes(id));
    const paise = entry.paise ?? amount ?? sumOf(whole);
    if (charge_id === undefined) fill(pots, paise);
    else
      fillNamed(
        fees.find(({ id }) => id === charge_id),
        pots,
        paise,
      );
  }
  const left = new Map(pots.map(({ id, leftPaise }) => [id, leftPaise]));
  return {
    ...details,
    agreement: {
      ...agreement,
      penal_left_paise: sumOf(fees),
      outstanding_paise: agreement.outstanding_paise - before + sumOf([...due, ...later]),
    },
    instalments: instalments.map((row) => ({ ...row, left_paise: left.get(row.instalment_id) ?? row.left_paise })),
    charges: details.charges.map((row) => ({ ...row, left_paise: left.get(row.charge_id) ?? row.left_paise })),
  };
}

/** A late fee with what is left of it behind what waits on this phone, and how much of it waits. */
export interface ChargeLeft extends ChargeView {
  queuedPaise: number;
}

/** @returns the late fees as they will stand once all that waits was sent. @param ownId the payment that is being taken right now */
export function chargesLeft(details: EmiDetails, entries: readonly OutboxEntry[], ownId: string): ChargeLeft[] {
  const after = afterQueued(details, notTold(entries.filter(isUnderWay), details, ownId)).charges;
  return after.map((charge, at) => ({
    ...charge,
    queuedPaise: (details.charges[at]?.left_paise ?? charge.left_paise) - charge.left_paise,
  }));
}
