// @vitest-environment jsdom
import { act, render, screen, within } from '@testing-library/react';
import { afterEach, expect, it, vi } from 'vitest';
import { Sheet } from './sheet.tsx';
import { ToastRegion } from './toast-region.tsx';
import { toast } from './toast.ts';

afterEach(() => vi.restoreAllMocks());

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

it('with large letters the words of a message keep a line’s width, and what closes it goes below', () => {
  render(<ToastRegion />);
  act(() => toast.ok('Agreement ready'));
  const words = screen.getByText('Agreement ready');
  expect(words).toHaveClass('min-w-[min(100%,5rem)]');
  expect(words.parentElement).toHaveClass('flex-wrap');
  act(() => toast.close());
});

it('a message that goes along to another screen stands where that one needs it least', () => {
  // jsdom lays nothing out: what is pressed stands where the message does until it moves.
  vi.spyOn(HTMLElement.prototype, 'getBoundingClientRect').mockImplementation(() => new DOMRect(16, 480, 328, 48));
  const screenWith = (on: string, isCovered: boolean) => (
    <>
      {isCovered && <button type="button">Pay</button>}
      <ToastRegion on={on} />
    </>
  );
  const { rerender } = render(screenWith('/one', true));
  act(() => toast.ok('Saved'));
  const region = screen.getByRole('status');
  expect(region.style.top).not.toBe('');
  rerender(screenWith('/two', false));
  expect(region.style.top).toBe('');
  expect(region).toHaveTextContent('Saved');
  act(() => toast.close());
});
