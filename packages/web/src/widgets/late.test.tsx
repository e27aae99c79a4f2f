// @vitest-environment jsdom
import { render, screen } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import type { ReactNode } from 'react';
import { MemoryRouter } from 'react-router';
import { expect, it } from 'vitest';
import { late } from './late.tsx';

it('code and words come when it is opened; where they cannot be had it says so and tries again', async () => {
  let words = () => Promise.reject<void>(new Error('no network'));
  const Inside = late(
    async () =>
      ({ name }: { name: string }) => <p>{`inside of ${name}`}</p>,
    () => words(),
  );
  render(
    <MemoryRouter>
      <Inside name="Asha" />
    </MemoryRouter>,
  );
  const again = await screen.findByRole('button', { name: 'common.retry' });
  words = () => Promise.resolve();
  await userEvent.click(again);
  expect(await screen.findByText('inside of Asha')).toBeInTheDocument();
});

it('what was fetched ahead stands at once; what could not be had is tried again when it is shown', async () => {
  let code = () => Promise.reject<() => ReactNode>(new Error('no network'));
  const Inside = late(
    () => code(),
    () => Promise.resolve(),
  );
  await Inside.ahead();
  expect(Inside.isThere()).toBe(false);
  code = async () => () => <p>inside</p>;
  await Inside.ahead();
  expect(Inside.isThere()).toBe(true);
  render(<Inside />);
  expect(screen.getByText('inside')).toBeInTheDocument();
});
