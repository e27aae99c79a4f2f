// @vitest-environment jsdom
import { act, fireEvent, render, screen, waitFor } from '@testing-library/react';
import { afterEach, expect, it, vi } from 'vitest';
import { appConfig } from '#web/state/main-slice.ts';
import { appStore } from '#web/state/store.ts';
import { TooOld } from './too-old.tsx';

/** A phone that looks for its worker, and has not found it yet. */
const looked = vi.fn<() => Promise<undefined>>(() => new Promise(() => undefined));
Object.defineProperty(navigator, 'serviceWorker', { value: { getRegistration: looked }, configurable: true });

/** The app of the tests is 0.9.0 (vitest.config.ts). */
const says = (min_app_version: string) =>
  act(() => void appStore.dispatch(appConfig({ min_app_version } as Parameters<typeof appConfig>[0])));
afterEach(() => says(''));

it('an app that the server speaks with says nothing', () => {
  const { container } = render(<TooOld />);
  for (const least of ['', '0.1.0', '0.9.0']) {
    says(least);
    expect(container).toBeEmptyDOMElement();
  }
});

it('an older one says so, takes the newer build when it is asked to and not before, and is still again with a server of its age', async () => {
  const { container } = render(<TooOld />);
  says('0.10.0');
  expect(screen.getByRole('alert')).toHaveTextContent('shell.too_old');
  expect(looked).not.toHaveBeenCalled();
  act(() => void fireEvent.click(screen.getByRole('button', { name: 'shell.reload' })));
  await waitFor(() => expect(looked).toHaveBeenCalledOnce());
  says('0.9.0');
  expect(container).toBeEmptyDOMElement();
});

it.each([
  ['lie on this phone: they are there afterwards', { subtle: {} }, 'states.saved_safe'],
  ['lie in this page alone, over plain http: they are not', {}, 'shell.memory_only'],
])('entries that were not sent %s, and it says so', (_where, crypto, words) => {
  vi.stubGlobal('crypto', crypto);
  render(<TooOld />);
  says('0.10.0');
  expect(screen.getByRole('alert')).toHaveTextContent(`shell.too_old ${words}`);
  vi.unstubAllGlobals();
});

it('a browser that will not tell of its worker: the page is loaded anew', async () => {
  const reload = vi.fn<() => void>();
  vi.stubGlobal('location', { reload });
  looked.mockRejectedValueOnce(new DOMException('The operation is insecure.', 'SecurityError'));
  render(<TooOld />);
  says('0.10.0');
  act(() => void fireEvent.click(screen.getByRole('button', { name: 'shell.reload' })));
  await waitFor(() => expect(reload).toHaveBeenCalledOnce());
  await waitFor(() =>
    expect(screen.getByRole('button', { name: 'shell.reload' })).not.toHaveAttribute('aria-busy', 'true'),
  );
  vi.unstubAllGlobals();
});
