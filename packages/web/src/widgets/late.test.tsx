// @vitest-environment jsdom
import { render, screen } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { MemoryRouter } from 'react-router';
import { expect, it, vi } from 'vitest';
import { late } from './late.tsx';

const words = vi.hoisted(() => ({ come: () => Promise.resolve() }));
vi.mock('#web/i18n/i18n.ts', () => ({ loadMore: () => words.come(), currentLanguage: () => 'en' }));

it('code and words come when it is opened; where they cannot be had it says so and tries again', async () => {
  words.come = () => Promise.reject(new Error('no network'));
  const Inside = late(async () => ({ name }: { name: string }) => <p>{`inside of ${name}`}</p>);
  render(
    <MemoryRouter>
      <Inside name="Asha" />
    </MemoryRouter>,
  );
  const again = await screen.findByRole('button', { name: 'common.retry' });
  words.come = () => Promise.resolve();
  await userEvent.click(again);
  expect(await screen.findByText('inside of Asha')).toBeInTheDocument();
});
