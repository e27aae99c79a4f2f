import { expect, it } from 'vitest';
import { DPD_DAYS } from './dpd-stretches.ts';

it('every number of days past due lies in one stretch, and in no other', () => {
  for (let days = 0; days <= 200; days += 1) {
    const holding = Object.entries(DPD_DAYS).filter(
      ([, [first, last]]) => first <= days && (last === null || days <= last),
    );
    expect(holding, `${days} days`).toHaveLength(1);
  }
});
