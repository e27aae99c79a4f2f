// @vitest-environment jsdom
import { render, screen } from '@testing-library/react';
import { MemoryRouter } from 'react-router';
import { expect, it } from 'vitest';
import type { Dashboard } from '@kist/contract/reports';
import { paths } from '#web/paths.ts';
import { Counts, Figures } from './figures.tsx';

const day = {
  overdue: { paise: 1_000_00, customers: 1 },
  locked: 2,
  unlocked: 7,
  pending_unlock: 3,
  outstanding_paise: 9_000_00,
  statuses: { '1': 11, '0': 10, '6': 16, '5': 15 },
} as unknown as Dashboard;

it('each figure of Home opens the list of what it counts', () => {
  render(
    <MemoryRouter>
      <Figures day={day} />
      <Counts day={day} />
    </MemoryRouter>,
  );
  const opened = (name: RegExp) => screen.getByRole('link', { name }).getAttribute('href');
  expect(opened(/dashboard\.overdue/)).toBe(paths.upcomingEmi('overdue'));
  expect(opened(/lock\.locked/)).toBe(paths.customerList({ lock_status: '1' }));
  expect(opened(/^7\s*lock\.unlocked/)).toBe(paths.customerList({ lock_status: '0' }));
  expect(opened(/^3\s*dashboard\.do_unlock_unconfirmed/)).toBe(paths.customerList({ todo: 'unlock_unconfirmed' }));
  expect(opened(/dashboard\.outstanding/)).toBe(paths.customerList({ due: 'open', sort: 'due' }));
  for (const status of ['1', '0', '6', '5'] as const)
    expect(opened(new RegExp(`status\\.s${status}`))).toBe(paths.customerList({ status }));
});

it('phones that have not said yet that they are free are a tile of their own only while there are some', () => {
  render(
    <MemoryRouter>
      <Counts day={{ ...day, pending_unlock: 0 }} />
    </MemoryRouter>,
  );
  expect(screen.queryByText('dashboard.do_unlock_unconfirmed')).toBeNull();
  expect(screen.getByRole('link', { name: /lock\.unlocked/ })).toBeInTheDocument();
});
