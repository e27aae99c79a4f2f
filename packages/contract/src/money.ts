import type { $brand } from 'zod';

/**
 * The largest amount either way: ±2^51 paise (about 22 lakh crore rupees). Two such amounts add up, and double, without leaving the
 * integers that a JavaScript number holds exactly (2^53), so a sum is always checked before it can be wrong.
 */
export const MAX_PAISE = 2 ** 51;

/** Integer paise, signed (a reversal is negative). The only way in is `paise`, a schema of fields.ts, or arithmetic on other amounts. */
export type Paise = number & $brand<'Paise'>;
/** Integer basis points a year: 1,200 is 12 %. */
export type Bps = number & $brand<'Bps'>;

/** @throws RangeError when the number is no integer or beyond ±2^51: a programming error, never a customer's input. */
export function paise(value: number): Paise {
  if (!Number.isInteger(value) || Math.abs(value) > MAX_PAISE) throw new RangeError(`not an amount in paise: ${value}`);
  // Minus zero equals zero but prints and compares as another value in some places; money has one nought.
  return (value === 0 ? 0 : value) as Paise;
}

/** @throws RangeError when the number is no integer from 0 up. */
export function bps(value: number): Bps {
  if (!Number.isSafeInteger(value) || value < 0) throw new RangeError(`not a rate in basis points: ${value}`);
  return value as Bps;
}

export const ZERO_PAISE = paise(0);

/** Whole rupees as paise. @throws RangeError for a fraction of a rupee or beyond the bound. @internal for tests, which reckon in rupees */
export function rupees(value: number): Paise {
  if (!Number.isInteger(value)) throw new RangeError(`not whole rupees: ${value}`);
  return paise(value * 100);
}

/** @throws RangeError beyond ±2^51. */
export const add = (left: Paise, right: Paise): Paise => paise(left + right);
/** @throws RangeError beyond ±2^51. */
export const sub = (left: Paise, right: Paise): Paise => paise(left - right);
/** Sum, checked after every step. @throws RangeError when a partial sum leaves ±2^51. */
export const sum = (amounts: Iterable<Paise>): Paise => {
  let total = ZERO_PAISE;
  for (const amount of amounts) total = add(total, amount);
  return total;
};
export const minPaise = (left: Paise, right: Paise): Paise => (left < right ? left : right);

/**
 * numerator ÷ denominator to the nearest integer, a half away from zero: half up for what is owed, and a reversal of −x mirrors x.
 * Exact: no floating point. The denominator is positive.
 */
export function divideHalfUp(numerator: bigint, denominator: bigint): bigint {
  if (numerator < 0n) return -divideHalfUp(-numerator, denominator);
  return (2n * numerator + denominator) / (2n * denominator);
}

/**
 * amount × numerator ÷ denominator, exact, rounded once to the paisa (half away from zero).
 * A rate of `rateBps` a year over a month is `mulRate(amount, rateBps, 120_000)`.
 * @throws RangeError for a denominator that is not positive, or a result beyond ±2^51.
 */
export function mulRate(amount: Paise, numerator: bigint | number, denominator: bigint | number): Paise {
  const divisor = BigInt(denominator);
  if (divisor <= 0n) throw new RangeError(`not a positive denominator: ${divisor}`);
  return paise(Number(divideHalfUp(BigInt(amount) * BigInt(numerator), divisor)));
}
