// @vitest-environment jsdom
import { fireEvent, render, screen } from '@testing-library/react';
import { beforeEach, expect, it, vi } from 'vitest';
import { Sheet } from './sheet.tsx';

beforeEach(() => {
  // jsdom has no dialogs.
  HTMLDialogElement.prototype.showModal = function showModal() {
    this.open = true;
  };
});

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
