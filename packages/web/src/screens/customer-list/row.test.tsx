// @vitest-environment jsdom
import { render, screen } from '@testing-library/react';
import { expect, it } from 'vitest';
import { CUSTOMER_STATUS } from '@kist/contract/codes';
import type { CustomerRow } from '@kist/contract/customers';
import { NAMELESS } from '@kist/contract/erased';
import { CustomerRowView, FirstChip } from './row.tsx';

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

it('a customer who was erased is called that, with nothing to press but the row', () => {
  const erased = {
    customer_id: 'c',
    status: CUSTOMER_STATUS.inactive,
    first_name: NAMELESS,
    last_name: '',
    mobile: '',
    device: 'Vivo Y28',
    paid_count: 6,
    tenure: 6,
  } as unknown as CustomerRow;
  render(<CustomerRowView row={erased} onPress={() => undefined} />);
  expect(screen.getByRole('button', { name: /^customers.erased/ })).toBeVisible();
  expect(screen.queryByText('status.s0')).toBeNull();
  expect(screen.queryByRole('link')).toBeNull();
});

it('a customer who was erased while the phone has not said that it is free has that said', () => {
  const lock = { lock_status: 1, pending: { to: 'unlocked', state: 'QUEUED', since: '2026-03-01T00:00:00Z' } };
  const erased = { first_name: NAMELESS, lock } as unknown as CustomerRow;
  render(<FirstChip row={erased} />);
  expect(screen.getByText('lock.pending_unlocked')).toBeVisible();
});
