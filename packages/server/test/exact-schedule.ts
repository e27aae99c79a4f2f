/**
 * The schedule once more, written from the rules of the business and not from the engine: fractions of big integers, rounded only where the rules
 * round, days counted one calendar month after the other. Slow, plain and without one line of the product's: what the engine says has to be this,
 * to the paisa. Where the rules leave a choice, the comment says which was made.
 */

export interface ExactTerms {
  method: 'FLAT' | 'REDUCING' | 'ZERO';
  frequency: 'MONTHLY' | 'FORTNIGHTLY' | 'WEEKLY';
  rounding: 'RUPEE' | 'PAISE';
  financed: number;
  rateBps: number;
  tenure: number;
  deliveredOn: string;
  anchorDay?: number | undefined;
}

export interface ExactRow {
  no: number;
  dueOn: string;
  principal: bigint;
  interest: bigint;
  total: bigint;
  balance: bigint;
}

/** A fraction; the denominator is positive. Never reduced: the numbers stay small enough for a few hundred rows. */
interface Fraction {
  over: bigint;
  under: bigint;
}
const fraction = (over: bigint, under = 1n): Fraction => ({ over, under });
const times = (left: Fraction, right: Fraction): Fraction => fraction(left.over * right.over, left.under * right.under);
/** To the nearest whole, a half upwards; nothing here is negative. */
const halfUp = ({ over, under }: Fraction): bigint => (2n * over + under) / (2n * under);

/* Days, counted by hand */

const isLeap = (year: number) => year % 400 === 0 || (year % 4 === 0 && year % 100 !== 0);
const monthLength = (year: number, month: number): number =>
  month === 2 ? (isLeap(year) ? 29 : 28) : [4, 6, 9, 11].includes(month) ? 30 : 31;

/** Days since 1 January 1900. */
function dayNumber(date: string): number {
  const [year, month, day] = date.split('-').map(Number) as [number, number, number];
  let days = day - 1;
  for (let each = 1900; each < year; each += 1) days += isLeap(each) ? 366 : 365;
  for (let each = 1; each < month; each += 1) days += monthLength(year, each);
  return days;
}

function dayOf(number: number): string {
  let [left, year, month] = [number, 1900, 1];
  while (left >= (isLeap(year) ? 366 : 365)) {
    left -= isLeap(year) ? 366 : 365;
    year += 1;
  }
  while (left >= monthLength(year, month)) {
    left -= monthLength(year, month);
    month += 1;
  }
  return written(year, month, left + 1);
}

const written = (year: number, month: number, day: number): string =>
  `${year}-${String(month).padStart(2, '0')}-${String(day).padStart(2, '0')}`;

const LEAST_GAP_DAYS = 15;

/** Months are walked one by one from the one after the month of delivery; the first anchor that leaves the least gap begins the schedule. */
function dueDates(terms: ExactTerms): string[] {
  const delivered = dayNumber(terms.deliveredOn);
  if (terms.frequency !== 'MONTHLY') {
    const step = terms.frequency === 'WEEKLY' ? 7 : 14;
    return Array.from({ length: terms.tenure }, (_, index) => dayOf(delivered + (index + 1) * step));
  }
  const found: string[] = [];
  let [year, month, anchor] = terms.deliveredOn.split('-').map(Number) as [number, number, number];
  anchor = terms.anchorDay ?? anchor;
  while (found.length < terms.tenure) {
    month += 1;
    if (month > 12) [year, month] = [year + 1, 1];
    const day = written(year, month, Math.min(anchor, monthLength(year, month)));
    if (found.length > 0 || dayNumber(day) - delivered >= LEAST_GAP_DAYS) found.push(day);
  }
  return found;
}

/** The first period as a part of a whole one: its days over those of the month that begins with the delivery. Weeks and fortnights are whole. */
function firstPeriod(terms: ExactTerms): Fraction {
  const daysTo = (dueOn = '') => BigInt(dayNumber(dueOn) - dayNumber(terms.deliveredOn));
  return fraction(daysTo(dueDates(terms)[0]), daysTo(dueDates({ ...terms, anchorDay: undefined })[0]));
}

/* Amounts */

/** Interest of one period as a fraction of what is owed. */
function periodRate({ rateBps, frequency }: ExactTerms): Fraction {
  const rate = BigInt(rateBps);
  if (frequency === 'MONTHLY') return fraction(rate, 10_000n * 12n);
  return fraction(rate * (frequency === 'WEEKLY' ? 7n : 14n), 10_000n * 364n);
}

const plus = (left: Fraction, right: Fraction): Fraction =>
  fraction(left.over * right.under + right.over * left.under, left.under * right.under);

/**
 * The instalment E that leaves nothing after the last row, found by walking the rows and not by a formula: what is owed after each row is
 * `grown` times the sum lent less `paid` times E, and the two walk on by the interest of each period.
 */
function exactReducingEmi(terms: ExactTerms, first: Fraction): Fraction {
  const { over, under } = periodRate(terms);
  let grown = plus(fraction(1n), times(first, fraction(over, under)));
  // Over one denominator, `under` to the power of the rows walked, so that nothing has to be reduced.
  let [paid, power] = [1n, 1n];
  let growth = 1n;
  for (let no = 2; no <= terms.tenure; no += 1) {
    growth *= under + over;
    power *= under;
    paid = paid * (under + over) + power;
  }
  grown = times(grown, fraction(growth));
  return fraction(BigInt(terms.financed) * grown.over, grown.under * paid);
}

const flatInterest = (terms: ExactTerms): bigint =>
  halfUp(times(fraction(BigInt(terms.financed) * BigInt(terms.tenure)), periodRate(terms)));

type Amounts = Omit<ExactRow, 'no' | 'dueOn'>[];

function reducingRows(terms: ExactTerms, emi: bigint, first: Fraction): Amounts {
  const rate = periodRate(terms);
  const rows: Amounts = [];
  let owed = BigInt(terms.financed);
  for (let no = 1; no <= terms.tenure; no += 1) {
    const interest = halfUp(times(fraction(owed), no === 1 ? times(rate, first) : rate));
    const principal = no === terms.tenure ? owed : emi - interest;
    owed -= principal;
    rows.push({ principal, interest, total: principal + interest, balance: owed });
  }
  return rows;
}

/**
 * Where even a paisa of rounding grows past the last row, the balance is the exact one of each row rounded by itself: every row asks for the EMI,
 * never gives principal back and never takes more of it than it asks for.
 */
function trackedRows(terms: ExactTerms, emi: bigint, exact: Fraction, first: Fraction): Amounts {
  const rate = periodRate(terms);
  const rows: Amounts = [];
  let [owed, exactly] = [BigInt(terms.financed), fraction(BigInt(terms.financed) * exact.under, exact.under)];
  for (let no = 1; no < terms.tenure; no += 1) {
    const growth = plus(fraction(1n), no === 1 ? times(rate, first) : rate);
    // The denominators are powers of one another, so the instalment is brought under the balance's and not multiplied into it.
    const under = exactly.under * growth.under;
    exactly = fraction(exactly.over * growth.over - (exact.over * under) / exact.under, under);
    const target = halfUp(exactly);
    const step = target < owed ? owed - target : 0n;
    const principal = step < emi ? step : emi;
    owed -= principal;
    rows.push({ principal, interest: emi - principal, total: emi, balance: owed });
  }
  const interest = halfUp(times(fraction(owed), terms.tenure === 1 ? times(rate, first) : rate));
  return [...rows, { principal: owed, interest, total: owed + interest, balance: 0n }];
}

/** FLAT and ZERO: the interest is spread evenly, to the paisa, and the last row takes what is left. */
function evenRows(terms: ExactTerms, emi: bigint, interestInAll: bigint): Amounts {
  const count = BigInt(terms.tenure);
  const rows: Amounts = [];
  let [owed, charged] = [BigInt(terms.financed), 0n];
  for (let no = 1n; no <= count; no += 1n) {
    const interest = halfUp(fraction(interestInAll * no, count)) - charged;
    const principal = no === count ? owed : emi - interest;
    owed -= principal;
    charged += interest;
    rows.push({ principal, interest, total: principal + interest, balance: owed });
  }
  return rows;
}

/** Nothing negative and no empty row. */
const isSound = (rows: Amounts): boolean =>
  rows.every((row) => row.total > 0n && row.interest >= 0n && row.principal >= 0n);

const toRupee = (exact: Fraction): bigint => halfUp(times(exact, fraction(1n, 100n))) * 100n;

/** What the instalment was rounded to: the rupee where it is asked for and sound, else the paisa, else what is sound whatever the terms. */
export type RoundedTo = 'rupee' | 'paisa' | 'last resort';

function settled(
  terms: ExactTerms,
  exact: Fraction,
  rowsOf: (emi: bigint) => Amounts,
): [RoundedTo, Amounts] | undefined {
  const tries: [RoundedTo, bigint][] = [['paisa', halfUp(exact)]];
  if (terms.rounding === 'RUPEE') tries.unshift(['rupee', toRupee(exact)]);
  for (const [to, emi] of tries) {
    const rows = rowsOf(emi);
    if (isSound(rows)) return [to, rows];
  }
  return undefined;
}

function reducing(terms: ExactTerms, first: Fraction): [RoundedTo, Amounts] {
  const exact = exactReducingEmi(terms, first);
  const found = settled(terms, exact, (emi) => reducingRows(terms, emi, first));
  return found ?? ['last resort', trackedRows(terms, halfUp(exact), exact, first)];
}

function even(terms: ExactTerms): [RoundedTo, Amounts] {
  const interest = terms.method === 'FLAT' ? flatInterest(terms) : 0n;
  const exact = fraction(BigInt(terms.financed) + interest, BigInt(terms.tenure));
  const rowsOf = (emi: bigint) => evenRows(terms, emi, interest);
  return settled(terms, exact, rowsOf) ?? ['last resort', rowsOf(exact.over / exact.under)];
}

/** The rows of these terms, and to what their instalment was rounded. */
export function exactSchedule(terms: ExactTerms): { roundedTo: RoundedTo; rows: ExactRow[] } {
  const dates = dueDates(terms);
  const hasBalance = terms.method === 'REDUCING' && terms.rateBps > 0;
  const [roundedTo, rows] = hasBalance ? reducing(terms, firstPeriod(terms)) : even(terms);
  return { roundedTo, rows: rows.map((row, index) => ({ no: index + 1, dueOn: dates[index] ?? '', ...row })) };
}

/**
 * What the instalments are worth beyond the sum lent, at a yearly rate in half basis points and on the last due day: above nothing when the rate is
 * below the APR. The sign is exact; the size means nothing.
 */
export function exactSurplus(terms: ExactTerms, totals: readonly bigint[], halfBps: number): bigint {
  const periods = { MONTHLY: 12n, FORTNIGHTLY: 26n, WEEKLY: 52n }[terms.frequency];
  const [over, under] = [BigInt(halfBps), 20_000n * periods];
  const first = firstPeriod(terms);
  const lent = fraction(BigInt(terms.financed));
  const owed = plus(lent, times(lent, times(first, fraction(over, under))));
  let [debt, scale] = [owed.over, owed.under];
  totals.forEach((total, index) => {
    if (index > 0) [debt, scale] = [debt * (under + over), scale * under];
    debt -= total * scale;
  });
  return -debt;
}
