// @vitest-environment jsdom
import { render, screen } from '@testing-library/react';
import { MemoryRouter } from 'react-router';
import { expect, it } from 'vitest';
import { Weeks } from './weeks.tsx';

it('the coming week has a row for each of its days, so that the rows add up', () => {
  const days = [10, 11, 12, 13, 14, 15, 16];
  const upcoming = days.map((day) => ({ due_on: `2026-04-${day}`, paise: day * 100_00, customers: 1 }));
  render(
    <MemoryRouter>
      <Weeks collections={[]} upcoming={upcoming} />
    </MemoryRouter>,
  );
  for (const day of days)
    expect(
      screen.getByText(`₹${day * 100}`.replace(/(\d)(\d{3})$/, '$1,$2')).closest('a'),
      'each opens its own day',
    ).toHaveAttribute('href', `/upcoming-emi?bucket=week&on=2026-04-${day}`);
});

it('what came in opens the payments of as many days as its bars are', () => {
  const collections = [
    { on: '2026-04-08', paise: 900_00 },
    { on: '2026-04-09', paise: 100_00 },
  ];
  render(
    <MemoryRouter>
      <Weeks collections={collections} upcoming={[]} />
    </MemoryRouter>,
  );
  expect(screen.getByRole('link')).toHaveAttribute('href', '/collections?days=2');
  expect(screen.getByRole('link')).toHaveTextContent('₹1,000');
});
