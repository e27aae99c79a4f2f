// @vitest-environment jsdom
import { cleanup, render } from '@testing-library/react';
import { afterEach, expect, it } from 'vitest';
import type { EmiPreview } from '@kist/contract/emi-terms';
import { EMPTY } from './fields.ts';
import { FirstPeriod } from './first-period.tsx';

afterEach(cleanup);

function said(method: string, days: number, whole_days: number): string | null {
  const figures = { first_period: { days, whole_days } } as unknown as EmiPreview;
  return render(<FirstPeriod figures={figures} values={{ ...EMPTY, 'emi.method': method }} />).container.textContent;
}

it('says when the first EMI comes, and nothing more when its period is a whole one', () => {
  expect(said('REDUCING', 31, 31)).toBe('add.first_whole');
});

it('of a longer or shorter period says what it does to the interest, where there is any', () => {
  expect(said('REDUCING', 42, 31)).toBe('add.first_longer add.first_REDUCING');
  expect(said('REDUCING', 16, 31)).toBe('add.first_shorter add.first_REDUCING');
  expect(said('FLAT', 42, 31)).toBe('add.first_longer add.first_FLAT');
  expect(said('ZERO', 42, 31)).toBe('add.first_longer');
});
