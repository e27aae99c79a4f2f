import type { ClipboardEvent, ComponentProps } from 'react';
import { cx } from './cx.ts';
import { Field } from './field.tsx';

/**
 * A one-time code in ONE native input, so that autofill, paste ('123 456'), screen readers and the keyboard's suggestion work;
 * the boxes behind it are drawn only.
 * @param onComplete called when the last digit arrives.
 */
export function OtpInput(
  props: {
    label: string;
    length: number;
    value: string;
    onValue: (digits: string) => void;
    onComplete?: (digits: string) => void;
    error?: string;
    hint?: string;
  } & Omit<ComponentProps<'input'>, 'value' | 'onChange'>,
) {
  const { label, length, value, onValue, onComplete, error, hint, ...input } = props;
  const take = (text: string) => {
    const digits = text.replace(/\D/g, '').slice(0, length);
    if (digits === value) return;
    onValue(digits);
    if (digits.length === length) onComplete?.(digits);
  };
  const paste = (event: ClipboardEvent) => {
    event.preventDefault();
    take(event.clipboardData.getData('text'));
  };
  return (
    <Field label={label} error={error} hint={hint}>
      {(control) => (
        <span className="relative block max-w-88">
          <Boxes length={length} value={value} isWrong={Boolean(error)} />
          <input
            {...input}
            {...control}
            value={value}
            onChange={(event) => take(event.currentTarget.value)}
            onPaste={paste}
            inputMode="numeric"
            autoComplete="one-time-code"
            pattern="[0-9]*"
            className="absolute inset-0 w-full rounded-lg bg-transparent text-transparent caret-transparent"
          />
        </span>
      )}
    </Field>
  );
}

/** One box for each digit, the next one framed. */
const Boxes = ({ length, value, isWrong }: { length: number; value: string; isWrong: boolean }) => (
  <span aria-hidden className="grid gap-2" style={{ gridTemplateColumns: `repeat(${length}, minmax(0, 1fr))` }}>
    {Array.from({ length }, (_, place) => (
      <span
        key={place}
        className={cx(
          'grid h-14 place-items-center rounded-lg border bg-card text-2xl font-semibold',
          isWrong
            ? 'border-2 border-over'
            : place === Math.min(value.length, length - 1)
              ? 'border-2 border-accent-text'
              : 'border-edge',
        )}
      >
        {value[place]}
      </span>
    ))}
  </span>
);
