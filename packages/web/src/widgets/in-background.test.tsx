// @vitest-environment jsdom
import { render, screen, waitFor } from '@testing-library/react';
import { expect, it, vi } from 'vitest';
import { inBackground } from './in-background.tsx';

it('what cannot be had takes nothing down, and comes when the network is back', async () => {
  const load = vi.fn<() => Promise<() => React.ReactNode>>().mockRejectedValueOnce(new TypeError('Failed to fetch'));
  load.mockResolvedValue(() => <p>the rest</p>);
  const Rest = inBackground(load);
  render(
    <>
      <h1>screen</h1>
      <Rest />
    </>,
  );
  await waitFor(() => expect(load).toHaveBeenCalledOnce());
  expect(screen.getByText('screen')).toBeInTheDocument();
  window.dispatchEvent(new Event('online'));
  expect(await screen.findByText('the rest')).toBeInTheDocument();
  expect(load).toHaveBeenCalledTimes(2);
});

it('what is there stands at once the next time', async () => {
  const Rest = inBackground(async () => () => <p>the rest</p>);
  const { unmount } = render(<Rest />);
  expect(await screen.findByText('the rest')).toBeInTheDocument();
  unmount();
  render(<Rest />);
  expect(screen.getByText('the rest')).toBeInTheDocument();
});
