import { expect, it } from 'vitest';
import { EMPTY } from './fields.ts';
import { presetOf, withPreset, withPrice } from './presets.ts';

const nine = { name: '9', method: 'FLAT', frequency: 'MONTHLY', rate_bps: 1850, tenure: 9, down_bps: 2000 } as const;
const zero = { name: '3', method: 'ZERO', frequency: 'MONTHLY', rate_bps: 0, tenure: 3, down_bps: 3333 } as const;
const all = [nine, zero];

it('one press fills method, EMIs, rate and the share that is paid down, to the rupee', () => {
  const values = { ...EMPTY, 'emi.cash_price': '1249900', ...withPreset(zero, '1249900') };
  expect(values).toMatchObject({
    'emi.method': 'ZERO',
    'emi.rate_bps': '',
    'emi.tenure': '3',
    'emi.down_payment': '416600',
  });
  expect(presetOf(all, values)).toBe(zero);
  expect({ ...values, ...withPreset(nine, '1249900') }).toMatchObject({
    'emi.method': 'FLAT',
    'emi.rate_bps': '18.5',
    'emi.tenure': '9',
    'emi.down_payment': '250000',
  });
});

it('the share follows the price while the preset is on, and stays as typed once it is not', () => {
  const begun = { ...EMPTY, ...withPreset(nine, '') };
  expect(presetOf(all, begun)).toBe(nine);
  const priced = { ...begun, ...withPrice(all, begun, '1000000') };
  expect(priced['emi.down_payment']).toBe('200000');
  expect({ ...priced, ...withPrice(all, priced, '1200000') }['emi.down_payment']).toBe('240000');
  const own = { ...priced, 'emi.down_payment': '150000' };
  expect(presetOf(all, own)).toBeUndefined();
  expect(withPrice(all, own, '1200000')).toEqual({ 'emi.cash_price': '1200000' });
});
