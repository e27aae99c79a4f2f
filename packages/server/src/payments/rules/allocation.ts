import type { IsoDate } from '@kist/contract/dates';
import { add, minPaise, type Paise, sub } from '@kist/contract/money';
import {
  type Account,
  type Bucket,
  BUCKETS,
  byChargeDate,
  byDueDate,
  chargeLeft,
  instalmentLeft,
  leftInBucket,
  payInto,
} from '#server/agreements/agreements.ts';

/** Where a part of a payment went; `chargeId` is set in the penal bucket only. Paise above zero. */
export type AllocationLine =
  | { bucket: Bucket; instalmentNo: number; chargeId: null; paise: Paise }
  | { bucket: 'penal'; instalmentNo: number; chargeId: string; paise: Paise };

export interface Allocation {
  /** At most one line for each bucket of an instalment and for each charge, in the order in which they were filled. */
  allocations: AllocationLine[];
  /** What exceeded everything owed: the customer's advance. */
  advancePaise: Paise;
}

/**
 * Spreads a payment: oldest instalment first, within it interest → principal → fee; a surplus goes on into the next instalments, due or not;
 * penal charges last of everything; what is left is the customer's advance.
 *
 * Penal charges come after instalments that are not due yet, too: whoever pays an instalment a day early, or in two parts, must find it paid
 * on the day, or a penalty would lock a phone whose instalments were all paid.
 *
 * @param amountPaise from nought up. Lines and advance add up to it. The account itself is not changed: see `applied`.
 */
export function allocate(account: Account, amountPaise: Paise): Allocation {
  const allocations: AllocationLine[] = [];
  let leftPaise = amountPaise;
  const take = (owedPaise: Paise): Paise => {
    const taken = minPaise(owedPaise, leftPaise);
    leftPaise = sub(leftPaise, taken);
    return taken;
  };
  for (const row of account.instalments.toSorted(byDueDate)) {
    for (const bucket of BUCKETS) {
      const paise = take(leftInBucket(row, bucket));
      if (paise > 0) allocations.push({ bucket, instalmentNo: row.no, chargeId: null, paise });
    }
  }
  for (const charge of account.charges.toSorted(byChargeDate)) {
    const paise = take(chargeLeft(charge));
    if (paise > 0)
      allocations.push({ bucket: 'penal', instalmentNo: charge.instalmentNo, chargeId: charge.chargeId, paise });
  }
  return { allocations, advancePaise: leftPaise };
}

/** The account after a payment; an instalment that it completes gets its day. @throws RangeError never, for lines from `allocate`. */
export function applied(account: Account, lines: readonly AllocationLine[], paidOn: IsoDate): Account {
  const instalments = account.instalments.map((before) => {
    let row = before;
    for (const line of lines) {
      if (line.bucket !== 'penal' && line.instalmentNo === row.no) row = payInto(row, line.bucket, line.paise);
    }
    return row !== before && instalmentLeft(row) === 0 ? { ...row, paidOn } : row;
  });
  const charges = account.charges.map((charge) => {
    const line = lines.find((candidate) => candidate.chargeId === charge.chargeId);
    return line ? { ...charge, paidPaise: add(charge.paidPaise, line.paise) } : charge;
  });
  return { instalments, charges };
}
