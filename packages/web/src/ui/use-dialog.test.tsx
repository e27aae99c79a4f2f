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
