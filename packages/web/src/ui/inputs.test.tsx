// @vitest-environment jsdom
import { render, screen } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { useState } from 'react';
import { describe, expect, it, vi } from 'vitest';
import { Button } from './button.tsx';
import { MoneyField } from './money-field.tsx';
import { OtpInput } from './otp-input.tsx';
import { PinPad } from './pin-pad.tsx';
import { TextField } from './text-field.tsx';

const type = () => userEvent.setup();

function Otp(props: { onComplete: (digits: string) => void }) {
  const [value, setValue] = useState('');
  return <OtpInput label="Code" length={6} value={value} onValue={setValue} onComplete={props.onComplete} />;
}

describe('a one-time code', () => {
  it('takes a paste with spaces into one native input and completes once', async () => {
    const done = vi.fn<(digits: string) => void>();
    render(<Otp onComplete={done} />);
    const box = screen.getByLabelText('Code');
    expect(box).toHaveAttribute('autocomplete', 'one-time-code');
    await type().click(box);
    await type().paste('Your code: 123 456');
    expect(box).toHaveValue('123456');
    expect(done.mock.calls).toEqual([['123456']]);
  });
  it('takes typed digits, drops letters and stops at six', async () => {
    const done = vi.fn<(digits: string) => void>();
    render(<Otp onComplete={done} />);
    await type().type(screen.getByLabelText('Code'), '12a34567');
    expect(screen.getByLabelText('Code')).toHaveValue('123456');
    expect(done).toHaveBeenCalledTimes(1);
  });
});

describe('the M-PIN pad', () => {
  function Pad(props: { onComplete: (digits: string) => void }) {
    const [value, setValue] = useState('');
    return <PinPad label="M-PIN" length={4} value={value} onValue={setValue} onComplete={props.onComplete} />;
  }
  it('works by thumb, by keyboard and by autofill alike, and never shows the digits', async () => {
    const done = vi.fn<(digits: string) => void>();
    render(<Pad onComplete={done} />);
    const user = type();
    for (const key of ['4', '0', '2']) await user.click(screen.getByRole('button', { name: key }));
    await user.click(screen.getByRole('button', { name: 'common.delete_digit' }));
    await user.type(screen.getByLabelText('M-PIN'), '71');
    expect(done.mock.calls).toEqual([['4071']]);
    expect(screen.getByLabelText('M-PIN')).toHaveAttribute('type', 'password');
  });
});

describe('an amount', () => {
  function Amount(props: { onPaise: (paise: number | undefined) => void; isProposed?: boolean }) {
    const [paise, setPaise] = useState<number | undefined>(undefined);
    const take = (value: number | undefined) => {
      setPaise(value);
      props.onPaise(value);
    };
    return (
      <>
        <MoneyField label="Price" valuePaise={paise} onPaise={take} isProposed={props.isProposed} />
        <button type="button" onClick={() => take(4_281_00)}>
          fill
        </button>
      </>
    );
  }
  it('shows lakh grouping and gives paise; a value from outside replaces what is shown', async () => {
    const got = vi.fn<(paise: number | undefined) => void>();
    render(<Amount onPaise={got} />);
    const box = screen.getByLabelText('Price');
    await type().type(box, '125000');
    expect(box).toHaveValue('1,25,000');
    expect(got).toHaveBeenLastCalledWith(12_500_000);
    await type().click(screen.getByRole('button', { name: 'fill' }));
    expect(box).toHaveValue('4,281');
    await type().clear(box);
    expect(got).toHaveBeenLastCalledWith(undefined);
  });
  it('that is proposed gives way to what is typed after a touch; after a second touch it is written into', async () => {
    const got = vi.fn<(paise: number | undefined) => void>();
    render(<Amount onPaise={got} isProposed />);
    const hand = type();
    const box = screen.getByLabelText<HTMLInputElement>('Price');
    await hand.click(screen.getByRole('button', { name: 'fill' }));
    await hand.click(box);
    await hand.keyboard('1');
    expect(box).toHaveValue('1');
    expect(got).toHaveBeenLastCalledWith(1_00);
    await hand.click(screen.getByRole('button', { name: 'fill' }));
    await hand.click(box);
    await hand.click(box);
    box.setSelectionRange(5, 5);
    await hand.keyboard('0');
    expect(box).toHaveValue('42,810');
  });
});

describe('a field', () => {
  it('ties its error to the control', () => {
    render(<TextField label="Name" error="This is a required field." />);
    const box = screen.getByLabelText('Name');
    expect(box).toBeInvalid();
    expect(box).toHaveAccessibleDescription('This is a required field.');
  });
});

describe('a busy button', () => {
  it('swallows presses but keeps its name', async () => {
    const press = vi.fn<() => void>();
    render(
      <Button busy onClick={press}>
        Pay
      </Button>,
    );
    await type().click(screen.getByRole('button', { name: 'Pay' }));
    expect(press).not.toHaveBeenCalled();
  });
});
