import { useTranslation } from 'react-i18next';
import { cx } from './cx.ts';
import { Icon } from './icon.tsx';

const DIGITS = ['1', '2', '3', '4', '5', '6', '7', '8', '9'] as const;
const keyLook =
  'grid h-16 place-items-center rounded-xl text-2xl font-semibold active:bg-accent-soft disabled:opacity-40';

/**
 * Dots over one native password input (paste, autofill and a keyboard work) and a big pad below for the thumb.
 * @param onComplete called with the full PIN; the caller clears `value` when it was wrong.
 */
export function PinPad(props: {
  label: string;
  length: number;
  value: string;
  onValue: (digits: string) => void;
  onComplete?: (digits: string) => void;
  error?: string;
  disabled?: boolean;
  autoComplete?: string;
}) {
  const { label, length, value, onValue, onComplete, error, disabled, autoComplete = 'current-password' } = props;
  const take = (text: string) => {
    const digits = text.replace(/\D/g, '').slice(0, length);
    if (disabled || digits === value) return;
    onValue(digits);
    if (digits.length === length) onComplete?.(digits);
  };
  return (
    <div className="grid gap-6">
      <label className="relative mx-auto block px-6 py-4">
        <span className="sr-only">{label}</span>
        <input
          type="password"
          inputMode="none"
          // The pad is all there is to do here; no on-screen keyboard comes up, a real one works at once.
          // oxlint-disable-next-line jsx-a11y/no-autofocus
          autoFocus
          value={value}
          onChange={(event) => take(event.currentTarget.value)}
          autoComplete={autoComplete}
          disabled={disabled}
          aria-invalid={error ? true : undefined}
          aria-describedby={error ? 'pin-error' : undefined}
          className="absolute inset-0 w-full rounded-full bg-transparent text-transparent caret-transparent"
        />
        <Dots length={length} filled={value.length} isWrong={Boolean(error)} />
      </label>
      <p id="pin-error" role="alert" className="min-h-5 text-center text-sm text-over">
        {error}
      </p>
      <Keys
        disabled={disabled}
        isEmpty={!value}
        onDigit={(digit) => take(value + digit)}
        onDelete={() => onValue(value.slice(0, -1))}
      />
    </div>
  );
}

const Dots = ({ length, filled, isWrong }: { length: number; filled: number; isWrong: boolean }) => (
  <span aria-hidden className="flex gap-5">
    {Array.from({ length }, (_, place) => (
      <span
        key={place}
        className={cx(
          'size-4 rounded-full border-2 transition-transform duration-100',
          place < filled ? 'scale-110 border-accent-text bg-accent-text' : isWrong ? 'border-over' : 'border-edge',
        )}
      />
    ))}
  </span>
);

function Keys(props: {
  disabled: boolean | undefined;
  isEmpty: boolean;
  onDigit: (digit: string) => void;
  onDelete: () => void;
}) {
  const { disabled, isEmpty, onDigit, onDelete } = props;
  const { t } = useTranslation();
  const key = (digit: string) => (
    <button key={digit} type="button" disabled={disabled} className={keyLook} onClick={() => onDigit(digit)}>
      {digit}
    </button>
  );
  return (
    <div className="mx-auto grid w-full max-w-72 grid-cols-3 gap-2">
      {DIGITS.map(key)}
      <span />
      {key('0')}
      <button
        type="button"
        disabled={disabled || isEmpty}
        className={keyLook}
        aria-label={t('common.delete_digit')}
        onClick={onDelete}
      >
        <Icon name="backspace" size={26} />
      </button>
    </div>
  );
}
