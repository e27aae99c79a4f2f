// @vitest-environment jsdom
import { render, screen } from '@testing-library/react';
import { MemoryRouter } from 'react-router';
import { expect, it } from 'vitest';
import { paths } from '#web/paths.ts';
import { DoNow } from './do-now.tsx';

it('who is overdue is something to do, and the line opens the list of just those it counts, the longest late first', () => {
  render(
    <MemoryRouter>
      <DoNow items={[{ kind: 'overdue', count: 3, params: {} }]} />
    </MemoryRouter>,
  );
  expect(screen.queryByText('dashboard.nothing_to_do')).toBeNull();
  expect(screen.getByRole('link', { name: /dashboard\.do_overdue/ })).toHaveAttribute(
    'href',
    paths.customerList({ todo: 'overdue', sort: 'overdue' }),
  );
});
