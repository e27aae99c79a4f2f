import { EMI_PAISE, type Fleet, OVERDUE_COUNT, idOf, retailerOf, tokenOf } from '#bench/lib/plant.ts';

/** One thing that a shop wants done, with the key it keeps until it hears that it is done. */
export interface Order {
  phone: number;
  kind: 'payment' | 'lock';
  path: string;
  token: string;
  key: string;
  body: string;
  paise: number;
  /** What befalls its first try, on the network's side. */
  mishap: 'none' | 'cut' | 'twice';
  cutAfterMs: number;
}

/** Part payments of which the eighth clears what is overdue: 8 × 700 ≥ 5 × 1000 > 7 × 700. */
const PART_PAISE = 700_00;
const PARTS_TO_CLEAR = Math.ceil((EMI_PAISE * OVERDUE_COUNT) / PART_PAISE);
/** Of nine customers seven pay up; the others stop half-way and stay locked. */
const PAYS_UP_OF = 9;
const PAYS_UP = 7;
/** Most locks come while the instalment that the customer was warned about is unpaid; the others the gate refuses. */
const ALLOWED_SHARE = 0.8;
const CUT_SHARE = 0.06;
const TWICE_SHARE = 0.03;
const CUT_WITHIN_MS = 30;

/** @returns for each phone, in order, what its shop does: part payments and, somewhere before they clear the dues, a lock */
export function planOrders(fleet: Fleet, random: () => number): Order[][] {
  return Array.from({ length: fleet.phones }, (_, index) => {
    const phone = index + 1;
    const count = phone % PAYS_UP_OF < PAYS_UP ? PARTS_TO_CLEAR : PARTS_TO_CLEAR / 2;
    const orders = Array.from({ length: count }, (_unused, part) => paymentOf(fleet, phone, part, random));
    const isAllowed = random() < ALLOWED_SHARE;
    orders.splice(Math.floor(random() * (isAllowed ? 2 : count)), 0, lockOf(fleet, phone, random));
    return orders;
  });
}

/** The money always goes to the oldest instalment that is not paid yet. */
function paymentOf(fleet: Fleet, phone: number, part: number, random: () => number): Order {
  const oldest = 1 + Math.floor((part * PART_PAISE) / EMI_PAISE);
  return {
    ...common(fleet, phone, random),
    kind: 'payment',
    path: '/country/update_emi_status',
    body: JSON.stringify({
      instalment_id: idOf(fleet.orgId, `instalment-${oldest}`, phone),
      amount: PART_PAISE,
      method: 'CASH',
      reference: `part ${part}`,
    }),
    paise: PART_PAISE,
  };
}

function lockOf(fleet: Fleet, phone: number, random: () => number): Order {
  return {
    ...common(fleet, phone, random),
    kind: 'lock',
    path: '/api/device/commands/lock',
    body: JSON.stringify({ customer_id: idOf(fleet.orgId, 'customer', phone), reason: 'EMI_OVERDUE' }),
    paise: 0,
  };
}

function common(fleet: Fleet, phone: number, random: () => number) {
  const luck = random();
  return {
    phone,
    token: tokenOf(fleet.orgId, retailerOf(fleet, phone)),
    key: uuid(random),
    mishap:
      luck < CUT_SHARE ? ('cut' as const) : luck < CUT_SHARE + TWICE_SHARE ? ('twice' as const) : ('none' as const),
    cutAfterMs: random() * CUT_WITHIN_MS,
  };
}

function uuid(random: () => number): string {
  const hex = Array.from({ length: 32 }, () => Math.floor(random() * 16).toString(16)).join('');
  return `${hex.slice(0, 8)}-${hex.slice(8, 12)}-4${hex.slice(13, 16)}-8${hex.slice(17, 20)}-${hex.slice(20)}`;
}
