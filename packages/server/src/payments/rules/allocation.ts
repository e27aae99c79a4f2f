import type { IsoDate } from '@kist/contract/dates';
import { add, minPaise, type Paise, sub } from '@kist/contract/money';
import {
  type Account,
  type Bucket,
  BUCKETS,
  type ChargeState,
  type InstalmentState,
} from '#server/agreements/agreements.ts';
import * as agreements from '#server/agreements/agreements.ts';

/** Where a part of a payment went; `charge_id` is set in the penal bucket only. Paise above zero. */
export type AllocationLine =
  | { bucket: Bucket; instalment_no: number; charge_id: null; paise: Paise }
  | { bucket: 'penal'; instalment_no: number; charge_id: string; paise: Paise };

export interface Allocation {
  /** At most one line for each bucket of an instalment and for each charge, in the order in which they were filled. */
  allocations: AllocationLine[];
  /** What exceeded everything owed: the customer's advance. */
  advancePaise: Paise;
}

/**
 * Spreads a payment as of its value day: instalments that are due, oldest first, within each interest → principal → fee; then penal charges that are made;
 * then instalments not due yet, oldest first; what is left is the customer's advance. So nobody who pays what is due stays locked for a penalty, and a
 * penalty can be paid before the last instalment. A payment that names the charge it is for fills that one first.
 *
 * @param amount_paise from nought up. Lines and advance add up to it. The account itself is not changed: see `applied`.
 * @param on the day the money changed hands
 * @param forChargeId the charge that it is for; one that no longer stands changes nothing
 */
export function allocate(
  account: Account,
  amount_paise: Paise,
  on: IsoDate,
  forChargeId: string | null = null,
): Allocation {
  const allocations: AllocationLine[] = [];
  let leftPaise = amount_paise;
  const take = (owedPaise: Paise): Paise => {
    const taken = minPaise(owedPaise, leftPaise);
    leftPaise = sub(leftPaise, taken);
    return taken;
  };
  const payInstalments = (rows: readonly InstalmentState[]) => {
    for (const row of rows)
      for (const bucket of BUCKETS) {
        const paise = take(agreements.leftInBucket(row, bucket));
        if (paise > 0) allocations.push({ bucket, instalment_no: row.no, charge_id: null, paise });
      }
  };
  const payCharges = (charges: readonly ChargeState[]) => {
    for (const charge of charges) {
      const paise = take(agreements.chargeLeft(charge));
      if (paise > 0)
        allocations.push({ bucket: 'penal', instalment_no: charge.instalment_no, charge_id: charge.charge_id, paise });
    }
  };
  const instalments = account.instalments.toSorted(agreements.byDueDate);
  const [named, charges] = split(account.charges.toSorted(agreements.byChargeDate), forChargeId);
  payCharges(named);
  payInstalments(instalments.filter((row) => row.due_on <= on));
  payCharges(charges.filter((charge) => charge.charged_on <= on));
  payInstalments(instalments.filter((row) => row.due_on > on));
  payCharges(charges.filter((charge) => charge.charged_on > on));
  return { allocations, advancePaise: leftPaise };
}

const split = (charges: readonly ChargeState[], id: string | null) =>
  [charges.filter((charge) => charge.charge_id === id), charges.filter((charge) => charge.charge_id !== id)] as const;

/** The account after a payment; an instalment that it completes gets its day. @throws RangeError never, for lines from `allocate`. */
export function applied(account: Account, lines: readonly AllocationLine[], paid_on: IsoDate): Account {
  const instalments = account.instalments.map((before) => {
    let row = before;
    for (const line of lines) {
      if (line.bucket !== 'penal' && line.instalment_no === row.no)
        row = agreements.payInto(row, line.bucket, line.paise);
    }
    return row !== before && agreements.instalmentLeft(row) === 0 ? { ...row, paid_on } : row;
  });
  const charges = account.charges.map((charge) => {
    const line = lines.find((candidate) => candidate.charge_id === charge.charge_id);
    return line ? { ...charge, paid_paise: add(charge.paid_paise, line.paise) } : charge;
  });
  return { instalments, charges };
}
