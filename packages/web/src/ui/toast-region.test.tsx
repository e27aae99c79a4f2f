// @vitest-environment jsdom
import { act, render, screen, within } from '@testing-library/react';
import { expect, it } from 'vitest';
import { Sheet } from './sheet.tsx';
import { ToastRegion } from './toast-region.tsx';
import { toast } from './toast.ts';

const Page = ({ isOpen }: { isOpen: boolean }) => (
  <>
    <ToastRegion />
    <Sheet open={isOpen} onClose={() => {}} title="Exchange">
      <p>words</p>
    </Sheet>
  </>
);

it('a refusal is told in the sheet that is open, in a region that stood there before it, and on the page once the sheet is gone', () => {
  const { rerender } = render(<Page isOpen />);
  const sheet = screen.getByRole('dialog');
  const region = within(sheet).getByRole('status');
  expect(region).toBeEmptyDOMElement();
  act(() => toast.error('This IMEI is on EMI'));
  expect(within(sheet).getByRole('status')).toBe(region);
  expect(region).toHaveTextContent('This IMEI is on EMI');
  expect(screen.getAllByText('This IMEI is on EMI')).toHaveLength(1);
  rerender(<Page isOpen={false} />);
  expect(screen.getByText('This IMEI is on EMI').closest('dialog')).toBeNull();
});

it('news, which nobody asked for, waits until the sheet is gone', () => {
  act(() => toast.close());
  const { rerender } = render(<Page isOpen />);
  act(() => toast.ok('Ready to work offline', { isNews: true }));
  expect(screen.queryByText('Ready to work offline')).toBeNull();
  rerender(<Page isOpen={false} />);
  expect(screen.getByText('Ready to work offline')).toBeInTheDocument();
});
