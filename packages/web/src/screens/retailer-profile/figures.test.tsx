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
