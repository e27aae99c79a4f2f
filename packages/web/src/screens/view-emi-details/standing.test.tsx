// @vitest-environment jsdom
import { render, screen } from '@testing-library/react';
import { expect, it } from 'vitest';
import type { EmiDetails } from '@kist/contract/emi';
import { Standing } from './standing.tsx';

it('of a late agreement all that is late stands there as one amount, not its oldest EMI alone', () => {
  const instalment = (state: string) => ({ state, left_paise: 1_120_00 });
  const details = {
    agreement: {
      state: 'active',
      overdue_paise: 2_240_00,
      outstanding_paise: 3_360_00,
      penal_left_paise: 0,
      days_past_due: 40,
      next_due_on: '2026-02-28',
      paid_count: 0,
      tenure: 3,
    },
    instalments: [instalment('overdue'), instalment('overdue'), instalment('upcoming')],
  } as unknown as EmiDetails;
  render(<Standing details={details} />);
  const amount = (text: string) => screen.queryByText((_, element) => element?.textContent === text);
  expect(screen.getByText('emi.overdue_since')).toBeInTheDocument();
  expect(amount('₹2,240')).toBeInTheDocument();
  expect(amount('₹1,120')).toBeNull();
});
