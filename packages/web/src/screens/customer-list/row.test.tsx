// @vitest-environment jsdom
import { render, screen } from '@testing-library/react';
import { expect, it } from 'vitest';
import { CUSTOMER_STATUS } from '@kist/contract/codes';
import type { CustomerRow } from '@kist/contract/customers';
import { FirstChip } from './row.tsx';

it('a customer who objects stands in the list as disputed, however late and whether locked or not', () => {
  const late = {
    status: CUSTOMER_STATUS.install,
    is_disputed: true,
    days_past_due: 12,
    next_due_on: '2026-02-28',
    lock: { lock_status: 1, pending: null },
  } as unknown as CustomerRow;
  const { rerender } = render(<FirstChip row={late} />);
  expect(screen.getByText('customers.disputed')).toBeInTheDocument();
  rerender(<FirstChip row={{ ...late, lock: null }} />);
  expect(screen.getByText('customers.disputed')).toBeInTheDocument();
  expect(screen.queryByText('customers.late')).toBeNull();
});
