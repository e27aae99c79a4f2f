import { expect, it } from 'vitest';
import { EMPTY } from './fields.ts';
import { choosing, usualPlan, withPlan } from './usual.ts';

const plan = (plan_id: number, change: Partial<Parameters<typeof withPlan>[0]> = {}) => ({
  plan_id,
  plan_type: 0,
  name: '',
  app_type: null,
  provisioning_type: 0,
  keys_left: 3,
  is_emi: true,
  last_sold_at: null,
  last_terms: null,
  presets: [],
  ...change,
});
const flat = {
  method: 'FLAT',
  frequency: 'MONTHLY',
  rate_bps: 1850,
  tenure: 9,
  fee_paise: 250_00,
  anchor_day: 7,
} as const;
const zero = { method: 'ZERO', frequency: 'WEEKLY', rate_bps: 0, tenure: 12, fee_paise: 0, anchor_day: 3 } as const;

it('the next sale begins with the plan sold last, while there are keys for it', () => {
  const old = plan(1, { last_sold_at: '2026-11-01T10:00:00Z' });
  const last = plan(2, { last_sold_at: '2026-11-20T10:00:00Z' });
  expect(usualPlan([old, last, plan(3)])?.plan_id).toBe(2);
  expect(usualPlan([old, { ...last, keys_left: 0 }, plan(3)])?.plan_id).toBe(1);
  expect(usualPlan([plan(3)])?.plan_id).toBe(3);
  expect(usualPlan([plan(3), plan(4)])).toBeUndefined();
  expect(usualPlan([plan(3, { is_emi: false })])).toBeUndefined();
});

it('a plan brings what it agreed last; what somebody typed stays', () => {
  const one = plan(1, { last_terms: flat });
  const other = plan(2, { last_terms: zero });
  const begun = { ...EMPTY, ...withPlan(one) };
  expect(begun).toMatchObject({
    plan_id: '1',
    'emi.rate_bps': '18.5',
    'emi.tenure': '9',
    'emi.fee': '25000',
    'emi.anchor_day': '7',
  });
  expect({ ...begun, ...choosing(other, begun, one) }).toMatchObject({
    plan_id: '2',
    'emi.method': 'ZERO',
    'emi.frequency': 'WEEKLY',
    'emi.rate_bps': '',
    'emi.tenure': '12',
    'emi.fee': '',
    // Of weeks the day of a month says nothing.
    'emi.anchor_day': '',
  });
  const typed = { ...begun, 'emi.tenure': '10' };
  expect(choosing(other, typed, one)).toEqual({ plan_id: '2' });
  for (const own of [{ 'emi.fee': '10000' }, { 'emi.anchor_day': '5' }]) {
    expect(choosing(other, { ...begun, ...own }, one)).toEqual({ plan_id: '2' });
    expect(choosing(other, { ...EMPTY, ...own }, undefined)).toEqual({ plan_id: '2' });
  }
  expect(choosing(other, { ...EMPTY, 'emi.tenure': '10' }, undefined)).toEqual({ plan_id: '2' });
  expect(choosing(other, EMPTY, undefined)).toMatchObject({ 'emi.tenure': '12' });
});
