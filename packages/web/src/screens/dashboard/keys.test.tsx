// @vitest-environment jsdom
import { render, screen } from '@testing-library/react';
import { MemoryRouter } from 'react-router';
import { expect, it } from 'vitest';
import { paths } from '#web/paths.ts';
import { Keys } from './keys.tsx';

it('the keys of each type open one’s own shop, where keys are listed, also when they have run out', () => {
  render(
    <MemoryRouter>
      <Keys
        keys={[
          { plan_type: 0, name: 'DPC', left: 8 },
          { plan_type: 2, name: 'APPLE', left: 0 },
        ]}
      />
    </MemoryRouter>,
  );
  for (const name of [/plan\.DPC/, /plan\.APPLE/])
    expect(screen.getByRole('link', { name })).toHaveAttribute('href', paths.retailerProfile('me'));
});
