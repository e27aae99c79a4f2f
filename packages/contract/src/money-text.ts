import { paise } from './money.ts';

/** 12345678 → 1,23,45,678: the last three digits, then pairs (lakh, crore). */
const groupIndian = (digits: string): string =>
  digits.length <= 3 ? digits : `${digits.slice(0, -3).replace(/\B(?=(\d\d)+$)/g, ',')},${digits.slice(-3)}`;

/**
 * Paise as rupees without the sign of the currency: 1,25,000.50, and 1,25,000 when there are no paise.
 * @param amountPaise integer paise, signed. @throws RangeError when it is none.
 */
export function formatRupees(amountPaise: number): string {
  const amount = paise(amountPaise);
  const absolute = Math.abs(amount);
  const fraction = absolute % 100;
  const whole = groupIndian(String((absolute - fraction) / 100));
  return `${amount < 0 ? '-' : ''}${whole}${fraction === 0 ? '' : `.${String(fraction).padStart(2, '0')}`}`;
}

/** As `formatRupees` with the sign: ₹1,25,000.50, -₹500. @throws RangeError when it is no integer of paise. */
export function formatInr(amountPaise: number): string {
  const text = formatRupees(amountPaise);
  return text.startsWith('-') ? `-₹${text.slice(1)}` : `₹${text}`;
}

/** As `formatInr` in letters that a plain text message has: Rs. 1,25,000.50, -Rs. 500. @throws RangeError when it is no integer of paise. */
export function formatPlainInr(amountPaise: number): string {
  const text = formatRupees(amountPaise);
  return text.startsWith('-') ? `-Rs. ${text.slice(1)}` : `Rs. ${text}`;
}

const UNITS = [
  { from: 1e7, suffix: 'Cr' },
  { from: 1e5, suffix: 'L' },
  { from: 1e3, suffix: 'K' },
] as const;

/**
 * Large numbers made short: 1500 → 1.50K, 125000 → 1.25L, 10000000 → 1.00Cr; below a thousand an integer stays as it is.
 * The unit follows the number itself, before rounding (99,999 is 100.00K).
 * @param value a plain number (rupees, counts: never paise). Empty or no number → 'N/A'.
 */
export function abbreviate(value: number | string | null | undefined): string {
  if (value === null || value === undefined || value === '') return 'N/A';
  const number = Number(value);
  if (!Number.isFinite(number)) return 'N/A';
  const absolute = Math.abs(number);
  const unit = UNITS.find(({ from }) => absolute >= from);
  if (unit) return `${(number / unit.from).toFixed(2)}${unit.suffix}`;
  return Number.isInteger(number) ? String(number) : number.toFixed(2);
}

/**
 * A decimal as people type it, exact and in hundredths: rupees as paise, per cent as basis points.
 * @returns undefined where it is none, has more than two decimals, or more than ten digits before them
 */
export function hundredthsOf(text: string): number | undefined {
  const [, whole, part = ''] = /^(\d{1,10})(?:\.(\d{1,2}))?$/.exec(text) ?? [];
  return whole === undefined ? undefined : Number(whole) * 100 + Number(part.padEnd(2, '0'));
}
