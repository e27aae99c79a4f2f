import { expect, test } from 'vitest';
import { z } from 'zod';
import { EMI_LIMITS } from './emi-limits.ts';
import { emiTermsSchema } from './emi-terms.ts';

const terms = {
  method: 'REDUCING',
  cash_price: 15_500_00,
  down_payment: 0,
  rate_bps: 1200,
  tenure: 6,
  frequency: 'MONTHLY',
  delivered_on: '2026-01-15',
};
const issuesOf = (change: Record<string, unknown>) =>
  emiTermsSchema
    .safeParse({ ...terms, ...change })
    .error?.issues.map((issue) => `${issue.path.join('.')} ${issue.message}`) ?? [];

test('rounding is to the rupee unless asked otherwise', () => {
  expect(emiTermsSchema.parse(terms).rounding).toBe('RUPEE');
  expect(emiTermsSchema.parse({ ...terms, rounding: 'PAISE', anchor_day: 31 })).toMatchObject({
    rounding: 'PAISE',
    anchor_day: 31,
  });
});

test('every bound holds at its edge', () => {
  expect(issuesOf({ cash_price: EMI_LIMITS.cashPriceMaxPaise, rate_bps: 10_000, tenure: 120 })).toEqual([]);
  expect(issuesOf({ frequency: 'WEEKLY', tenure: 520 })).toEqual([]);
  expect(issuesOf({ cash_price: 12, down_payment: 0, tenure: 6 })).toEqual([]);
  expect(issuesOf({ method: 'ZERO', rate_bps: 0 })).toEqual([]);
});

test.each([
  [{ cash_price: EMI_LIMITS.cashPriceMaxPaise + 1 }, 'cash_price field.cash_price'],
  [{ cash_price: 0 }, 'cash_price field.cash_price'],
  [{ cash_price: 100.5 }, 'cash_price field.cash_price'],
  [{ cash_price: '100' }, 'cash_price field.cash_price'],
  [{ cash_price: 11 }, 'cash_price field.financed_too_small'],
  [{ down_payment: 15_500_00 }, 'down_payment field.down_payment'],
  [{ down_payment: -1 }, 'down_payment field.amount'],
  [{ rate_bps: 10_001 }, 'rate_bps field.rate'],
  [{ rate_bps: -1 }, 'rate_bps field.rate'],
  [{ method: 'ZERO' }, 'rate_bps field.rate_zero'],
  [{ method: 'EASY' }, 'method field.choice'],
  [{ tenure: 0 }, 'tenure field.tenure'],
  [{ tenure: 121 }, 'tenure field.tenure'],
  [{ tenure: 261, frequency: 'FORTNIGHTLY' }, 'tenure field.tenure'],
  [{ tenure: 521, frequency: 'WEEKLY' }, 'tenure field.tenure'],
  [{ anchor_day: 32 }, 'anchor_day field.anchor_day'],
  [{ anchor_day: 0 }, 'anchor_day field.anchor_day'],
  [{ delivered_on: '2026-02-30' }, 'delivered_on field.date'],
  [{ delivered_on: '1999-12-31' }, 'delivered_on field.date'],
  [{ rounding: 'NONE' }, 'rounding field.choice'],
  [{ frequency: 'DAILY' }, 'frequency field.choice'],
])('%j is refused by name', (change, issue) => expect(issuesOf(change)).toContain(issue));

test('a fee is nothing unless it is said, and never more than what is financed', () => {
  expect(emiTermsSchema.parse(terms).fee).toBe(0);
  expect(issuesOf({ fee: 15_500_00 })).toEqual([]);
  expect(issuesOf({ fee: 15_500_00, down_payment: 1 })).toEqual(['fee field.fee']);
  expect(issuesOf({ fee: -1 })).toEqual(['fee field.fee']);
  expect(issuesOf({ fee: 0.5 })).toEqual(['fee field.fee']);
});

test('an unknown field is refused', () => {
  expect(emiTermsSchema.safeParse({ ...terms, fees: 1 }).error?.issues[0]?.code).toBe('unrecognized_keys');
});

test('the published schema states the bounds', () => {
  const published = z.toJSONSchema(emiTermsSchema, { io: 'input' });
  expect(published.properties).toMatchObject({
    cash_price: { maximum: EMI_LIMITS.cashPriceMaxPaise },
    rate_bps: { maximum: 10_000 },
  });
  expect(published.additionalProperties).toBe(false);
});
