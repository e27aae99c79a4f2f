// @vitest-environment jsdom
import { fireEvent, render, screen } from '@testing-library/react';
import { useState } from 'react';
import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { useFirstWrong } from './first-wrong.ts';
import { Sheet } from './sheet.tsx';
import { TextField } from './text-field.tsx';

const scrolled = vi.fn<(how?: boolean | ScrollIntoViewOptions) => void>();
beforeEach(() => {
  scrolled.mockClear();
  vi.spyOn(Element.prototype, 'scrollIntoView').mockImplementation(scrolled);
});
afterEach(() => vi.restoreAllMocks());

function Form({ name, wrongOnes }: { name: string; wrongOnes: readonly string[] }) {
  const [isSent, setSent] = useState(false);
  const lead = useFirstWrong();
  const send = () => {
    setSent(true);
    if (wrongOnes.length > 0) lead();
  };
  return (
    <>
      {['first', 'second', 'third'].map((field) => (
        <TextField
          key={field}
          label={`${name} ${field}`}
          error={isSent && wrongOnes.includes(field) ? 'wrong' : undefined}
        />
      ))}
      <button onClick={send}>{`Send ${name}`}</button>
    </>
  );
}
const send = (name: string) => fireEvent.click(screen.getByText(`Send ${name}`));

it('a form that was not taken has the focus on its first wrong field, in the middle of the screen, as often as it is sent', () => {
  render(<Form name="shop" wrongOnes={['second', 'third']} />);
  send('shop');
  expect(screen.getByLabelText('shop second')).toHaveFocus();
  expect(scrolled).toHaveBeenCalledWith({ block: 'center' });
  expect(scrolled.mock.contexts).toEqual([screen.getByLabelText('shop second')]);
  screen.getByText('Send shop').focus();
  send('shop');
  expect(screen.getByLabelText('shop second')).toHaveFocus();
});

it('one in a sheet leads to its own fields, not to those of the page below', () => {
  render(
    <>
      <Form name="page" wrongOnes={['first']} />
      <Sheet open onClose={() => undefined} title="Over it">
        <Form name="sheet" wrongOnes={['third']} />
      </Sheet>
    </>,
  );
  send('page');
  send('sheet');
  expect(screen.getByLabelText('sheet third')).toHaveFocus();
});

it('nothing is led anywhere while nothing is wrong', () => {
  render(<Form name="shop" wrongOnes={[]} />);
  screen.getByText('Send shop').focus();
  send('shop');
  expect(screen.getByText('Send shop')).toHaveFocus();
  expect(scrolled).not.toHaveBeenCalled();
});
