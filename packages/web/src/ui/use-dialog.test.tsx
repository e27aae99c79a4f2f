// @vitest-environment jsdom
import { fireEvent, render, screen } from '@testing-library/react';
import { beforeEach, expect, it, vi } from 'vitest';
import { Sheet } from './sheet.tsx';

beforeEach(() => {});

it('a sheet that closes over another takes it not along', () => {
  const [outer, inner] = [vi.fn<() => void>(), vi.fn<() => void>()];
  render(
    <Sheet open onClose={outer} title="Exchange">
      <Sheet open onClose={inner} title="Scan">
        <p>camera</p>
      </Sheet>
    </Sheet>,
  );
  fireEvent(screen.getByRole('dialog', { name: 'Scan' }), new Event('close'));
  expect(inner).toHaveBeenCalledOnce();
  expect(outer).not.toHaveBeenCalled();
  fireEvent(screen.getByRole('dialog', { name: 'Exchange' }), new Event('close'));
  expect(outer).toHaveBeenCalledOnce();
});

it('closes for a press beside it, and not for words that were marked past its edge', () => {
  const onClose = vi.fn<() => void>();
  render(
    <Sheet open onClose={onClose} title="Exchange">
      <textarea aria-label="Reason" />
    </Sheet>,
  );
  const sheet = screen.getByRole('dialog', { name: 'Exchange' });
  fireEvent.pointerDown(screen.getByLabelText('Reason'));
  fireEvent.click(sheet);
  expect(onClose).not.toHaveBeenCalled();
  fireEvent.pointerDown(sheet);
  fireEvent.click(sheet);
  expect(onClose).toHaveBeenCalledOnce();
});

it('from a later step going back and Escape lead to the one before; from the first they close it', async () => {
  const onClose = vi.fn<() => void>();
  const onStepBack = vi.fn<() => void>();
  const sheet = (step?: () => void) => (
    <Sheet open onClose={onClose} onStepBack={step} title="Late fees">
      <input type="file" aria-label="Picture" />
    </Sheet>
  );
  const settled = () => new Promise((done) => setTimeout(done, 120));
  await settled();
  const { rerender } = render(sheet(onStepBack));
  window.history.back();
  await settled();
  expect([onStepBack.mock.calls.length, onClose.mock.calls.length]).toEqual([1, 0]);
  const escape = () => {
    const event = new Event('cancel', { cancelable: true, bubbles: false });
    fireEvent(screen.getByRole('dialog', { name: 'Late fees' }), event);
    return event.defaultPrevented;
  };
  expect(escape()).toBe(true);
  expect([onStepBack.mock.calls.length, onClose.mock.calls.length]).toEqual([2, 0]);
  // A picture that was not chosen says so with an event of the same name.
  fireEvent(screen.getByLabelText('Picture'), new Event('cancel', { bubbles: true }));
  expect(onStepBack).toHaveBeenCalledTimes(2);
  rerender(sheet());
  await settled();
  expect(escape()).toBe(false);
  window.history.back();
  await settled();
  expect([onStepBack.mock.calls.length, onClose.mock.calls.length]).toEqual([2, 1]);
});

it('one that was closed by who opened it is not said to have been pushed away', () => {
  const onClose = vi.fn<() => void>();
  const sheet = (open: boolean) => (
    <Sheet open={open} onClose={onClose} title="Fingerprint">
      <p>Use it?</p>
    </Sheet>
  );
  HTMLDialogElement.prototype.close = function close() {
    this.open = false;
    this.dispatchEvent(new Event('close'));
  };
  const { rerender } = render(sheet(true));
  rerender(sheet(false));
  expect(onClose).not.toHaveBeenCalled();
});
