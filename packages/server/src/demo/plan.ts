import { PLAN, PROVISIONING } from '@kist/contract/codes';
import { type IsoDate, addDays, daysBetween, isoDate } from '@kist/contract/dates';
import { type EmiTerms, emiTermsSchema } from '@kist/contract/emi-terms';
import * as agreements from '#server/agreements/agreements.ts';
import { type Dice, dice } from './random.ts';
import { CITIES, CUSTOMER_MOBILE, FIRST_NAMES, IPHONE, LANGUAGES_SPOKEN, LAST_NAMES, PHONES, STAFF } from './people.ts';

/** What kind of customer this is; every kind is in the demo shop. */
export type CustomerKind =
  | 'live' // a phone that runs in the lab
  | 'regular' // pays on the day, or a day late
  | 'part' // the last instalment paid in part
  | 'overdue' // `lateDays` past due today
  | 'disputed' // overdue, and says it is wrong
  | 'maturing' // last instalment within 30 days
  | 'completed'
  | 'uninstalled'
  | 'apple' // Apple phone, sold and paid for, its key set aside: none enrols here
  | 'apple_removed'
  | 'waiting' // signed, QR not scanned
  | 'draft';

/** What happens besides, today. */
export type Incident = 'claim' | 'refund' | 'waiver' | 'ahead' | 'reversal';

/** To which of a kind; the places of the overdue are those of `LATE_STAGES`. */
const INCIDENTS: Partial<Record<CustomerKind, Record<number, Incident>>> = {
  regular: { 0: 'ahead', 10: 'reversal', 40: 'ahead', 50: 'reversal' },
  overdue: { 3: 'claim', 8: 'waiver', 13: 'claim' },
  completed: { 0: 'refund', 7: 'refund' },
};

export interface PlannedPayment {
  no: number;
  on: IsoDate;
  share: number;
  method: 'CASH' | 'UPI';
}
export interface PlannedCustomer {
  n: number;
  kind: CustomerKind;
  shopMobile: string;
  firstName: string;
  lastName: string;
  mobile: string;
  /** Known of every third. */
  birthOn: IsoDate | null;
  city: string;
  pincode: string;
  language: (typeof LANGUAGES_SPOKEN)[number];
  brand: string;
  model: string;
  imei1: string;
  serial: string;
  planId: number;
  provisioningType: number;
  soldOn: IsoDate;
  terms: EmiTerms;
  payments: PlannedPayment[];
  lateDays: number;
  incident: Incident | null;
}

/** How many of each kind; 240 in all. `lateDays`: the stages of being overdue, one customer each, round and round. */
const CAST: readonly [CustomerKind, number][] = [
  ['live', 12],
  ['regular', 126],
  ['part', 14],
  ['overdue', 26],
  ['disputed', 4],
  ['maturing', 12],
  ['completed', 20],
  ['uninstalled', 3],
  ['apple', 6],
  ['apple_removed', 2],
  ['waiting', 8],
  ['draft', 7],
];
const LATE_STAGES = [1, 2, 3, 5, 8, 12, 20, 35, 64, 95] as const;
/** Of the twelve phones in the lab: due soon, due today, and held at each level. */
const LIVE_STAGES = [-5, -3, -1, 0, 0, 1, 2, 3, 4, 8, -10, -2] as const;

/** IMEI with a right check digit; the type allocation code is not in use by any maker. */
function imeiOf(n: number): string {
  const body = `350000${String(n).padStart(8, '0')}`;
  let sum = 0;
  for (let i = 0; i < 14; i++) {
    const doubled = Number(body[i]) * (i % 2 === 1 ? 2 : 1);
    sum += doubled > 9 ? doubled - 9 : doubled;
  }
  return body + String((10 - (sum % 10)) % 10);
}

function makeTerms(
  roll: Dice,
  n: number,
  rupees: number,
  tenure: number,
  deliveredOn: IsoDate,
  isApple: boolean,
): EmiTerms {
  const method = (['REDUCING', 'FLAT', 'ZERO'] as const)[n % 3]!;
  const frequency = isApple || n % 8 !== 5 ? 'MONTHLY' : n % 16 === 5 ? 'WEEKLY' : 'FORTNIGHTLY';
  const downRupees = Math.round((rupees * roll.between(15, 30)) / 100 / 100) * 100;
  return emiTermsSchema.parse({
    method,
    frequency,
    tenure,
    rate_bps: method === 'ZERO' ? 0 : roll.pick([1200, 1500, 1800, 2400]),
    cash_price: rupees * 100,
    down_payment: downRupees * 100,
    // A processing fee, with the first instalment: of some of those who do not run in the lab.
    fee: n > 12 && n % 7 === 0 ? 250_00 : 0,
    delivered_on: deliveredOn,
  });
}

const PERIOD_DAYS = { MONTHLY: 30.4, FORTNIGHTLY: 14, WEEKLY: 7 } as const;

/** Looks for a day of sale such that an instalment falls due exactly `daysAgo` days ago (negative: ahead), with `paidBefore` paid before it. */
function soldOnFor(
  roll: Dice,
  today: IsoDate,
  daysAgo: number,
  paidBefore: number,
  make: (soldOn: IsoDate) => EmiTerms,
): { terms: EmiTerms; soldOn: IsoDate } {
  const target = addDays(today, -daysAgo);
  const days = PERIOD_DAYS[make(today).frequency];
  const guess = addDays(target, -Math.round((paidBefore + 1) * days));
  for (const shift of [0, -1, 1, -2, 2, -3, 3]) {
    const soldOn = addDays(guess, shift);
    const terms = make(soldOn);
    if (agreements.schedule(terms).instalments[paidBefore]?.due_on === target) return { terms, soldOn };
  }
  const soldOn = addDays(guess, roll.between(0, 0));
  return { terms: make(soldOn), soldOn };
}

/** What the person does about each instalment until today. */
function paymentsOf(
  roll: Dice,
  kind: CustomerKind,
  terms: EmiTerms,
  today: IsoDate,
  lateDays: number,
): PlannedPayment[] {
  const rows = agreements.schedule(terms).instalments;
  const stopsBefore =
    kind === 'overdue' || kind === 'disputed' || kind === 'live' ? addDays(today, -lateDays) : addDays(today, 1);
  const payments: PlannedPayment[] = [];
  for (const row of rows) {
    if (row.due_on >= stopsBefore) break;
    const late = roll.chance(80) ? roll.between(-2, 0) : roll.between(0, 1);
    const on = addDays(row.due_on, late);
    payments.push({ no: row.no, on: on > today ? today : on, share: 1, method: roll.chance(60) ? 'CASH' : 'UPI' });
  }
  if (kind === 'completed')
    return rows.map(
      (row) => payments.find((p) => p.no === row.no) ?? { no: row.no, on: today, share: 1, method: 'CASH' as const },
    );
  const next = rows[payments.length];
  if (kind === 'part' && next && daysBetween(today, next.due_on) < 45)
    payments.push({
      no: next.no,
      on: addDays(today, -roll.between(0, 3)),
      share: roll.pick([0.3, 0.5, 0.6]),
      method: 'CASH',
    });
  return payments;
}

/** Tenure and how many instalments lie behind, for each kind. */
function ageOf(roll: Dice, kind: CustomerKind): { tenure: number; paidBefore: number } {
  if (kind === 'waiting' || kind === 'draft') return { tenure: roll.pick([6, 8, 10, 12]), paidBefore: 0 };
  if (kind === 'completed') return { tenure: roll.pick([4, 5, 6]), paidBefore: 0 };
  if (kind === 'maturing') {
    const tenure = roll.pick([5, 6, 8]);
    return { tenure, paidBefore: tenure - 1 };
  }
  const tenure = roll.pick([6, 8, 9, 10, 12]);
  return { tenure, paidBefore: roll.between(1, Math.min(tenure - 2, 9)) };
}

/** How many days ago the instalment in question fell due. */
function dueAgo(roll: Dice, kind: CustomerKind, index: number): number {
  if (kind === 'live') return LIVE_STAGES[index % LIVE_STAGES.length]!;
  if (kind === 'overdue') return LATE_STAGES[index % LATE_STAGES.length]!;
  if (kind === 'disputed') return roll.pick([2, 4, 9]);
  return -roll.between(kind === 'regular' ? 0 : 1, 24);
}

/** The whole cast of the demo shop for a day: the same day gives the same shop. */
export function planShop(today: IsoDate, seed = 20): PlannedCustomer[] {
  const roll = dice(seed);
  const shops = [...STAFF.retailers.map((shop) => shop.mobile), ...STAFF.miniretailers.map((shop) => shop.mobile)];
  const customers: PlannedCustomer[] = [];
  for (const [kind, count] of CAST) {
    for (let index = 0; index < count; index++)
      customers.push(planCustomer(roll, customers.length + 1, kind, index, today, shops));
  }
  return customers;
}

/** When the phone was sold, so that its instalments stand as the kind of customer asks for. */
function dayOfSale(
  roll: Dice,
  kind: CustomerKind,
  given: {
    today: IsoDate;
    index: number;
    lateDays: number;
    paidBefore: number;
    make: (soldOn: IsoDate) => EmiTerms;
  },
): { terms: EmiTerms; soldOn: IsoDate } {
  const { today, index, lateDays, paidBefore, make } = given;
  const recent = addDays(today, -roll.between(0, 4));
  const longAgo = addDays(today, -roll.between(200, 330));
  if (kind === 'waiting' || kind === 'draft') return { soldOn: recent, terms: make(recent) };
  if (kind === 'completed') return { soldOn: longAgo, terms: make(longAgo) };
  const daysAgo = kind === 'live' ? LIVE_STAGES[index]! : lateDays || -roll.between(0, 24);
  return soldOnFor(roll, today, daysAgo, paidBefore, make);
}

/** Grown up, with a birthday today for every sixtieth customer of the shop that the README signs in to. */
function bornOn(n: number, today: IsoDate): IsoDate {
  const day = addDays(today, n % 60 === 0 ? 0 : 1 + ((n * 11) % 360)).slice(5);
  return isoDate(`${1964 + ((n * 7) % 38)}-${day === '02-29' ? '02-28' : day}`);
}

function planCustomer(
  roll: Dice,
  n: number,
  kind: CustomerKind,
  index: number,
  today: IsoDate,
  shops: readonly string[],
): PlannedCustomer {
  const isApple = kind === 'apple' || kind === 'apple_removed';
  const [brand, model, rupees] = isApple ? IPHONE : roll.pick(PHONES);
  const isLink = !isApple && kind === 'regular' && index % 9 === 4;
  const { tenure, paidBefore } = ageOf(roll, kind);
  const lateDays = Math.max(0, dueAgo(roll, kind, index));
  const make = (soldOn: IsoDate) => makeTerms(dice(n * 7919), n, rupees, tenure, soldOn, isApple);
  const placed = dayOfSale(roll, kind, { today, index, lateDays, paidBefore, make });
  const [city, pincode] = roll.pick(CITIES);
  // The lab's phones, and every second customer besides, belong to the shop that the README signs in to.
  const shopMobile = kind === 'live' || n % 2 === 0 ? shops[0]! : shops[n % shops.length]!;
  return {
    n,
    kind,
    shopMobile,
    firstName: roll.pick(FIRST_NAMES),
    lastName: roll.pick(LAST_NAMES),
    mobile: n === 1 ? CUSTOMER_MOBILE : `+9198${String(10_000_000 + n * 37_813).slice(0, 8)}`,
    birthOn: n % 3 === 0 ? bornOn(n, today) : null,
    city,
    pincode,
    language: roll.pick(LANGUAGES_SPOKEN),
    brand,
    model,
    imei1: imeiOf(n),
    serial: `KD${String(n).padStart(6, '0')}`,
    planId: isApple ? PLAN_IDS.APPLE : isLink ? PLAN_IDS.LINKFL : PLAN_IDS.DPC,
    provisioningType: isApple ? PROVISIONING.APPLE : isLink ? PROVISIONING.LINKFL : PROVISIONING.DPC,
    soldOn: placed.soldOn,
    terms: placed.terms,
    lateDays,
    incident: INCIDENTS[kind]?.[index] ?? null,
    payments: kind === 'waiting' || kind === 'draft' ? [] : paymentsOf(roll, kind, placed.terms, today, lateDays),
  };
}

/** Plans of the demo organisation by their ids. */
export const PLAN_IDS = { DPC: 1, LINKFL: 2, APPLE: 3 } as const;
export const DEMO_PLANS = [
  { planId: PLAN_IDS.DPC, planType: PLAN.DPC, name: 'EMI Secure (Android)' },
  { planId: PLAN_IDS.LINKFL, planType: PLAN.LINKFL, name: 'EMI Link (phone in use)' },
  { planId: PLAN_IDS.APPLE, planType: PLAN.APPLE, name: 'EMI iPhone' },
] as const;
