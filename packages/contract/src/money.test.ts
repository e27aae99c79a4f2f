import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { paiseSchema } from './fields.ts';
import { abbreviate, formatInr, formatPlainInr, formatRupees, hundredthsOf } from './money-text.ts';
import { add, bps, divideHalfUp, MAX_PAISE, minPaise, mulRate, paise, rupees, sub, sum } from './money.ts';

const amounts = fc.integer({ min: -MAX_PAISE, max: MAX_PAISE }).map(paise);

describe('paise', () => {
  test('only integers within ±2^51 are amounts', () => {
    expect(paise(MAX_PAISE)).toBe(2 ** 51);
    expect(paise(-MAX_PAISE)).toBe(-(2 ** 51));
    for (const bad of [MAX_PAISE + 1, -MAX_PAISE - 1, 0.5, Number.NaN, Infinity])
      expect(() => paise(bad)).toThrow(RangeError);
    for (const bad of [MAX_PAISE + 1, 0.5, Number.NaN, '5', null])
      expect(paiseSchema.safeParse(bad).success).toBe(false);
    expect(paiseSchema.safeParse(-1).success).toBe(false);
    expect(paiseSchema.parse(MAX_PAISE)).toBe(MAX_PAISE);
  });
  test('there is one nought', () => expect(Object.is(paise(-0), 0)).toBe(true));
  test('whole rupees become paise, a fraction is refused', () => {
    expect(rupees(15_500)).toBe(15_50_000);
    expect(() => rupees(1.5)).toThrow(RangeError);
  });
  test('typed decimals are exact, and what is none is nothing', () => {
    fc.assert(
      fc.property(fc.integer({ min: 0, max: 10 ** 12 - 1 }), (paise) => {
        expect(hundredthsOf(`${Math.floor(paise / 100)}.${String(paise % 100).padStart(2, '0')}`)).toBe(paise);
      }),
    );
    expect(['99', '99.5', '0.29', '007'].map(hundredthsOf)).toEqual([9900, 9950, 29, 700]);
    for (const bad of ['', ' 1', '-1', '+1', '1.', '.5', '1.005', '1,000', '1e3', '12345678901', '१'])
      expect(hundredthsOf(bad), bad).toBeUndefined();
  });
  test('rates are integers from nought up', () => {
    expect(bps(999)).toBe(999);
    for (const bad of [-1, 0.5, Number.NaN]) expect(() => bps(bad)).toThrow(RangeError);
  });
  test('no sum leaves the bound unnoticed', () => {
    expect(() => add(paise(MAX_PAISE), paise(1))).toThrow(RangeError);
    expect(() => sub(paise(-MAX_PAISE), paise(1))).toThrow(RangeError);
    expect(() => sum([paise(MAX_PAISE), paise(1), paise(-1)])).toThrow(RangeError);
    expect(sum([])).toBe(0);
    expect(minPaise(paise(1), paise(2))).toBe(1);
  });
  test('add and sub undo each other', () => {
    fc.assert(
      fc.property(amounts, amounts, (a, b) => {
        fc.pre(Math.abs(a + b) <= MAX_PAISE);
        expect(sub(add(a, b), b)).toBe(a);
      }),
    );
  });
});

describe('mulRate', () => {
  test('a month of 12 % on 15,500 is 155 rupees', () => expect(mulRate(rupees(15_500), 1200, 120_000)).toBe(155_00));
  test('a half rounds up, less rounds down', () => {
    expect(mulRate(paise(1), 1, 2)).toBe(1);
    expect(mulRate(paise(3), 1, 2)).toBe(2);
    expect(mulRate(paise(1), 49, 100)).toBe(0);
  });
  test('a reversal mirrors its charge to the paisa', () => {
    fc.assert(
      fc.property(
        fc.integer({ min: 0, max: 5e8 }),
        fc.integer({ min: 0, max: 10_000 }),
        fc.integer({ min: 1, max: 520_000 }),
        (a, n, d) => {
          expect(mulRate(paise(-a), n, d)).toBe(sub(paise(0), mulRate(paise(a), n, d)));
        },
      ),
    );
  });
  test('the result is within half a paisa of the exact product, by integers alone', () => {
    fc.assert(
      fc.property(
        fc.integer({ min: 0, max: MAX_PAISE }),
        fc.integer({ min: 0, max: 10_000 }),
        fc.integer({ min: 10_000, max: 520_000 }),
        (a, n, d) => {
          const twiceError = 2n * (BigInt(mulRate(paise(a), n, d)) * BigInt(d) - BigInt(a) * BigInt(n));
          expect(twiceError <= BigInt(d) && twiceError > -BigInt(d)).toBe(true);
        },
      ),
    );
  });
  test('a bad denominator or an overflow is refused', () => {
    expect(() => mulRate(paise(1), 1, 0)).toThrow(RangeError);
    expect(() => mulRate(paise(MAX_PAISE), 2, 1)).toThrow(RangeError);
    expect(divideHalfUp(-3n, 2n)).toBe(-2n);
  });
});

describe('amounts as text', () => {
  test.each([
    [0, '0'],
    [5, '0.05'],
    [99_900, '999'],
    [100_000, '1,000'],
    [1_25_000_50, '1,25,000.50'],
    [1_00_000_00, '1,00,000'],
    [12_34_56_789_01, '12,34,56,789.01'],
    [-1_25_000_00, '-1,25,000'],
  ])('%i paise read %s', (value, text) => {
    expect(formatRupees(value)).toBe(text);
    expect(formatInr(value)).toBe(text.startsWith('-') ? `-₹${text.slice(1)}` : `₹${text}`);
    expect(formatPlainInr(value)).toBe(text.startsWith('-') ? `-Rs. ${text.slice(1)}` : `Rs. ${text}`);
  });
  test('the text says the amount again', () => {
    fc.assert(
      fc.property(amounts, (a) => {
        expect(paise(Math.round(Number(formatRupees(a).replaceAll(',', '')) * 100))).toBe(a);
      }),
    );
  });
  test.each([
    [0, '0'],
    [999, '999'],
    [12.5, '12.50'],
    [1000, '1.00K'],
    [1500, '1.50K'],
    [99_999, '100.00K'],
    [1e5, '1.00L'],
    [12_34_567, '12.35L'],
    [1e7, '1.00Cr'],
    [-2_50_000, '-2.50L'],
    ['45000', '45.00K'],
    ['', 'N/A'],
    [null, 'N/A'],
    [undefined, 'N/A'],
    [Number.NaN, 'N/A'],
    ['soon', 'N/A'],
  ])('%s is shortened to %s', (value, text) => expect(abbreviate(value)).toBe(text));
});
