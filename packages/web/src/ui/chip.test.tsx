// @vitest-environment jsdom
import { render, screen } from '@testing-library/react';
import { expect, it } from 'vitest';
import { FilterChip } from './chip.tsx';

it('a chip that adds something is no switch, one that filters is', () => {
  render(
    <>
      <FilterChip>+2</FilterChip>
      <FilterChip pressed={false}>Overdue</FilterChip>
    </>,
  );
  expect(screen.getByRole('button', { name: '+2' })).not.toHaveAttribute('aria-pressed');
  expect(screen.getByRole('button', { name: 'Overdue' })).toHaveAttribute('aria-pressed', 'false');
});
