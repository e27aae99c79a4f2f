// @vitest-environment jsdom
import { render, screen } from '@testing-library/react';
import { MemoryRouter } from 'react-router';
import { expect, it } from 'vitest';
import type { RetailerProfile } from '@kist/contract/people';
import { Figures } from './figures.tsx';

const link = (customers: number) => {
  const figures = {
    customers,
    collected_today_paise: 0,
    collected_month_paise: 0,
    outstanding_paise: 0,
    keys: [],
  } as unknown as NonNullable<RetailerProfile['figures']>;
  const { unmount } = render(
    <MemoryRouter>
      <Figures userId="m1" figures={figures} />
    </MemoryRouter>,
  );
  const href = screen.queryByRole('link', { name: 'customers.title' })?.getAttribute('href');
  unmount();
  return href;
};

it('opens the list of the shop’s own customers, where it has any', () => {
  expect(link(7)).toBe('/customers?retailer_id=m1');
  expect(link(0)).toBeUndefined();
});

it('each figure stands by its own name: what came in today, this month, what is owed, and the keys of each plan, paid and given', () => {
  const figures = {
    customers: 7,
    installed: 5,
    overdue: 2,
    collected_today_paise: 1_000_00,
    collected_month_paise: 20_000_00,
    outstanding_paise: 300_000_00,
    mini_retailers: 0,
    keys: [
      { plan_type: 1, name: 'ANDROID', paid: 4, granted: 3 },
      { plan_type: 2, name: 'IOS', paid: 0, granted: 0 },
      { plan_type: 3, name: 'ANTIHACKING', paid: 0, granted: 1 },
    ],
  } as unknown as NonNullable<RetailerProfile['figures']>;
  const { container } = render(
    <MemoryRouter>
      <Figures userId="m1" figures={figures} />
    </MemoryRouter>,
  );
  const terms = [...container.querySelectorAll('dt')].map((term) => [
    term.textContent,
    term.parentElement!.querySelector('dd')!.textContent,
  ]);
  expect(terms).toEqual([
    ['retailers.collected_today', '₹1,000'],
    ['retailers.collected_month', '₹20,000'],
    ['dashboard.outstanding', '₹3,00,000'],
    ['customers.title', '7'],
    ['status.s1', '5'],
    ['customers.quick_overdue', '2'],
    ['plan.ANDROID', '7'],
    ['plan.ANTIHACKING', '1'],
  ]);
});
