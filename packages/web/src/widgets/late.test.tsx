// @vitest-environment jsdom
import { render, screen } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import type { ReactNode } from 'react';
import { MemoryRouter } from 'react-router';
import { beforeEach, expect, it, vi } from 'vitest';
import { late } from './late.tsx';

const reload = vi.fn<() => void>();
beforeEach(() => {
  sessionStorage.clear();
  reload.mockReset();
  vi.stubGlobal('location', { reload });
});

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

/** Its file went with the build that it was of. */
const gone = () =>
  late(
    () => Promise.reject(new TypeError('Failed to fetch dynamically imported module: https://shop.example/a-1.js')),
    () => Promise.resolve(),
  );
const show = (Inside: ReturnType<typeof gone>) =>
  render(
    <MemoryRouter>
      <Inside />
    </MemoryRouter>,
  );
const answer = (isThere: boolean) =>
  vi.stubGlobal('fetch', () =>
    isThere ? Promise.resolve(new Response('', { status: 404 })) : Promise.reject(new TypeError('Failed to fetch')),
  );

it('code that a newer build took from the server: a fresh page, once; where that does not help, no word of the network', async () => {
  answer(true);
  const first = show(gone());
  await vi.waitFor(() => expect(reload).toHaveBeenCalledOnce());
  first.unmount();
  show(gone());
  expect(await screen.findByText(/^states\.unexpected_body /)).toBeInTheDocument();
  expect(screen.queryByText('shell.server_away')).toBeNull();
  expect(reload).toHaveBeenCalledOnce();
  await userEvent.click(screen.getByRole('button', { name: 'shell.reload' }));
  expect(reload).toHaveBeenCalledTimes(2);
});

it('code that no way led to: it says so, and the page stays until the server is there', async () => {
  answer(false);
  show(gone());
  expect(await screen.findByText('shell.server_away')).toBeInTheDocument();
  expect(reload).not.toHaveBeenCalled();
  answer(true);
  window.dispatchEvent(new Event('online'));
  await vi.waitFor(() => expect(reload).toHaveBeenCalledOnce());
});
