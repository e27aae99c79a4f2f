// @vitest-environment jsdom
import { render, screen, within } from '@testing-library/react';
import { expect, it } from 'vitest';
import { CUSTOMER_STATUS } from '@kist/contract/codes';
import type { CustomerRow } from '@kist/contract/customers';
import { NAMELESS } from '@kist/contract/erased';
import { CustomerRowView, FirstChips } from './row.tsx';

it('a customer who objects stands in the list as disputed, however late and whether locked or not', () => {
  const late = {
    status: CUSTOMER_STATUS.install,
    is_disputed: true,
    days_past_due: 12,
    next_due_on: '2026-02-28',
    lock: { lock_status: 1, pending: null },
  } as unknown as CustomerRow;
  const { rerender } = render(<FirstChips row={late} />);
  expect(screen.getByText('customers.disputed')).toBeInTheDocument();
  // That the phone is held is known besides.
  expect(screen.getByText('lock.locked')).toBeInTheDocument();
  rerender(<FirstChips row={{ ...late, lock: null }} />);
  expect(screen.getByText('customers.disputed')).toBeInTheDocument();
  expect(screen.queryByText('lock.locked')).toBeNull();
  expect(screen.queryByText('customers.late')).toBeNull();
});

it('of a phone that is held, or about to be, is said how late its EMIs are; of one that is free nothing but that', () => {
  const free = { lock_status: 0, pending: null };
  const row = (lock: object, days_past_due: number) =>
    ({ status: CUSTOMER_STATUS.install, next_due_on: '2026-02-28', lock, days_past_due }) as unknown as CustomerRow;
  const pending = { to: 'locked', state: 'QUEUED', since: '2026-03-01T00:00:00Z' };
  const chips = () => [...document.querySelectorAll('[data-chip]')].map((chip) => chip.textContent);
  const { rerender } = render(<FirstChips row={row({ lock_status: 1, pending: null }, 12)} />);
  expect(chips()).toEqual(['lock.locked', 'customers.late']);
  rerender(<FirstChips row={row({ lock_status: 0, pending }, 12)} />);
  expect(chips()).toEqual(['lock.pending_locked', 'customers.late']);
  rerender(<FirstChips row={row({ lock_status: 1, pending: null }, 0)} />);
  expect(chips()).toEqual(['lock.locked']);
  rerender(<FirstChips row={row(free, 12)} />);
  expect(chips()).toEqual(['customers.late']);
  rerender(<FirstChips row={row(free, 0)} />);
  expect(chips()).toEqual(['customers.paid']);
});

it('a row of a phone’s list says who it is: the name, and the mobile as people read it', () => {
  const row = {
    customer_id: 'c',
    status: CUSTOMER_STATUS.install,
    first_name: 'Lakshmi',
    last_name: 'Deshpande',
    mobile: '+919876543210',
    device: 'Redmi 13C',
    lock: null,
    days_past_due: 0,
    next_due_on: '2026-05-31',
    next_due_paise: 250_000,
    overdue_paise: 0,
    paid_count: 2,
    tenure: 6,
  } as unknown as CustomerRow;
  render(<CustomerRowView row={row} onPress={() => undefined} />);
  const button = screen.getByRole('button', { name: /^Lakshmi Deshpande/ });
  expect(within(button).getByText('98765 43210')).toBeVisible();
  expect(within(button).getByText('Redmi 13C')).toBeVisible();
  expect(within(button).getByText('customers.paid_of')).toBeVisible();
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
  render(<FirstChips row={erased} />);
  expect(screen.getByText('lock.pending_unlocked')).toBeVisible();
});
