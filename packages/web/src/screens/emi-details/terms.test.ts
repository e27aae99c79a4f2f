import { describe, expect, it } from 'vitest';
import type { EmiDetails } from '@kist/contract/emi';
import { ahead, faultsOf, termsOf, typedOf } from './terms.ts';

const row = (no: number, due_on: string, left_paise: number) => ({ no, due_on, left_paise });
const details = {
  agreement: { method: 'REDUCING', rate_bps: 1835 },
  business_on: '2026-04-10',
  instalments: [
    row(1, '2026-03-10', 100),
    row(2, '2026-04-10', 100),
    row(3, '2026-05-10', 0),
    row(4, '2026-06-10', 50),
    row(5, '2026-07-10', 100),
  ],
} as unknown as EmiDetails;

describe('new terms', () => {
  it('begin with those that stand, for the EMIs that are not due and not paid', () => {
    expect(ahead(details).map(({ no }) => no)).toEqual([4, 5]);
    expect(typedOf(details)).toEqual({ method: 'REDUCING', rate: '18.35', tenure: '2' });
    expect(termsOf(typedOf(details))).toEqual({ method: 'REDUCING', rate_bps: 1835, tenure: 2 });
  });
  it('without interest have no rate, whatever was typed', () => {
    expect(termsOf({ method: 'ZERO', rate: '18', tenure: '3' })).toEqual({ method: 'ZERO', rate_bps: 0, tenure: 3 });
  });
  it.each([
    [{ method: 'FLAT', rate: '', tenure: '3' }, { rate: 'field.rate' }],
    [{ method: 'FLAT', rate: '101', tenure: '3' }, { rate: 'field.rate' }],
    [{ method: 'FLAT', rate: '12', tenure: '0' }, { tenure: 'field.tenure' }],
    [{ method: 'FLAT', rate: '12', tenure: '' }, { tenure: 'field.tenure' }],
  ] as const)('%j are not asked of the server', (typed, faults) => {
    expect(faultsOf(typed)).toEqual(faults);
    expect(termsOf(typed)).toBeNull();
  });
});
