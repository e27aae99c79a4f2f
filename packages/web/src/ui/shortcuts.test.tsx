// @vitest-environment jsdom
import { fireEvent, render, screen } from '@testing-library/react';
import { afterEach, expect, it, vi } from 'vitest';
import { openDialogs } from './open-dialogs.ts';
import { turnShortcuts, useShortcut } from './shortcuts.ts';

afterEach(() => turnShortcuts(true));

function Collect({ run, isOffered = true }: { run: () => void; isOffered?: boolean }) {
  const shortcuts = useShortcut('c', isOffered ? run : undefined);
  return (
    <>
      <button type="button" aria-keyshortcuts={shortcuts}>
        collect
      </button>
      <input aria-label="name" />
    </>
  );
}
function Find({ run }: { run: () => void }) {
  useShortcut('/', run);
  return null;
}

it('a letter does what it says on the page, and is a letter in a field', () => {
  const run = vi.fn<() => void>();
  render(<Collect run={run} />);
  fireEvent.keyDown(screen.getByRole('textbox', { name: 'name' }), { key: 'c' });
  expect(run).not.toHaveBeenCalled();
  fireEvent.keyDown(document.body, { key: 'c' });
  expect(run).toHaveBeenCalledTimes(1);
  expect(screen.getByRole('button')).toHaveAttribute('aria-keyshortcuts', 'C');
});

it('on a keyboard of another script the letter is where c would be', () => {
  const run = vi.fn<() => void>();
  render(<Collect run={run} />);
  fireEvent.keyDown(document.body, { key: 'म', code: 'KeyC' });
  expect(run).toHaveBeenCalledTimes(1);
  // On another Latin layout that place has another letter, which is meant.
  fireEvent.keyDown(document.body, { key: 'j', code: 'KeyC' });
  expect(run).toHaveBeenCalledTimes(1);
});

it('nothing is done with another key held, under a dialog, or where it is not offered', () => {
  const run = vi.fn<() => void>();
  const { rerender } = render(<Collect run={run} />);
  fireEvent.keyDown(document.body, { key: 'c', ctrlKey: true });
  fireEvent.keyDown(document.body, { key: 'c', altKey: true });
  fireEvent.keyDown(document.body, { key: 'c', isComposing: true });
  const dialog = document.createElement('dialog');
  openDialogs.add(dialog);
  fireEvent.keyDown(document.body, { key: 'c' });
  openDialogs.remove(dialog);
  rerender(<Collect run={run} isOffered={false} />);
  fireEvent.keyDown(document.body, { key: 'c' });
  expect(run).not.toHaveBeenCalled();
  expect(screen.getByRole('button')).not.toHaveAttribute('aria-keyshortcuts');
});

it('what came last has the key, and gives it back', () => {
  const under = vi.fn<() => void>();
  const over = vi.fn<() => void>();
  render(<Collect run={under} />);
  const { unmount } = render(<Find run={over} />);
  const { unmount: gone } = render(<Collect run={over} />);
  fireEvent.keyDown(document.body, { key: 'c' });
  expect([under.mock.calls.length, over.mock.calls.length]).toEqual([0, 1]);
  gone();
  unmount();
  fireEvent.keyDown(document.body, { key: 'c' });
  expect(under).toHaveBeenCalledTimes(1);
});

it('single keys can be turned off; with Ctrl they stay', () => {
  const find = vi.fn<() => void>();
  const collect = vi.fn<() => void>();
  render(<Find run={find} />);
  render(<Collect run={collect} />);
  turnShortcuts(false);
  fireEvent.keyDown(document.body, { key: 'c' });
  fireEvent.keyDown(document.body, { key: '/' });
  expect([find.mock.calls.length, collect.mock.calls.length]).toEqual([0, 0]);
  fireEvent.keyDown(document.body, { key: 'k', ctrlKey: true });
  expect(find).toHaveBeenCalledTimes(1);
});
