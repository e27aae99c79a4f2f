import { useId, type ReactNode } from 'react';
import { cx } from './cx.ts';
import { Spinner } from './spinner.tsx';

/**
 * @param pending the change is asked for but not confirmed: the switch keeps showing what is confirmed and spins.
 * @param detail second line: state in words, age, reason. It is read out with the switch.
 */
export function SwitchRow(props: {
  label: string;
  detail?: ReactNode;
  lead?: ReactNode;
  checked: boolean;
  pending?: boolean;
  disabled?: boolean;
  onChange: (checked: boolean) => void;
}) {
  const { label, detail, lead, checked, pending, disabled, onChange } = props;
  const id = useId();
  return (
    <div className="flex min-h-14 items-center gap-3 px-3.5 py-1.5">
      {lead}
      <span className="min-w-0 flex-1">
        <span id={id} className="block font-semibold">
          {label}
        </span>
        {detail && (
          <span id={`${id}-detail`} className="block text-sm text-ink-2">
            {detail}
          </span>
        )}
      </span>
      {pending && <Spinner size={18} className="text-due" />}
      <button
        type="button"
        role="switch"
        aria-checked={checked}
        aria-labelledby={id}
        aria-describedby={detail ? `${id}-detail` : undefined}
        aria-busy={pending || undefined}
        disabled={disabled}
        onClick={() => onChange(!checked)}
        className="grid h-12 w-14 place-items-center rounded-md disabled:opacity-45"
      >
        <Knob checked={checked} />
      </button>
    </div>
  );
}

const Knob = ({ checked }: { checked: boolean }) => (
  <span
    className={cx(
      'block h-7 w-12 rounded-full border-2 p-0.5 transition-colors duration-100',
      checked ? 'border-accent-text bg-accent-text' : 'border-edge bg-raise',
    )}
  >
    <span
      className={cx(
        'block size-5 rounded-full transition-transform duration-100',
        checked ? 'translate-x-5 bg-card' : 'bg-edge',
      )}
    />
  </span>
);

/** A tick with its sentence; the whole row is the target. */
export function Checkbox(props: {
  checked: boolean;
  onChange: (checked: boolean) => void;
  children: ReactNode;
  error?: string;
  name?: string;
}) {
  const { checked, onChange, children, error, name } = props;
  return (
    <label className="flex min-h-12 items-start gap-3 py-2.5">
      <input
        type="checkbox"
        name={name}
        checked={checked}
        onChange={(event) => onChange(event.currentTarget.checked)}
        aria-invalid={error ? true : undefined}
        className="mt-px size-5 shrink-0 accent-accent-text"
      />
      <span className="min-w-0 flex-1">
        {children}
        {error && <span className="block text-sm text-over">{error}</span>}
      </span>
    </label>
  );
}

interface RadioOption<Value extends string> {
  value: Value;
  label: string;
  detail?: ReactNode;
  lang?: string;
  trail?: ReactNode;
  disabled?: boolean;
}

/** One of several, each a full row with room for a second line. */
export function RadioRows<Value extends string>(props: {
  label: string;
  name: string;
  value: Value | undefined;
  options: readonly RadioOption<Value>[];
  onChange: (value: Value) => void;
  /** Side by side, for few and short ones. */
  inline?: boolean;
}) {
  const { label, name, value, options, onChange, inline = false } = props;
  return (
    <fieldset
      className={cx(
        'overflow-hidden rounded-xl border border-line bg-card divide-line',
        inline ? 'flex flex-wrap divide-x *:flex-auto' : 'divide-y',
      )}
    >
      <legend className="sr-only">{label}</legend>
      {options.map((option) => (
        <RadioRow
          key={option.value}
          name={name}
          option={option}
          checked={option.value === value}
          onChoose={() => onChange(option.value)}
          inline={inline}
        />
      ))}
    </fieldset>
  );
}

function RadioRow<Value extends string>(props: {
  name: string;
  option: RadioOption<Value>;
  checked: boolean;
  onChoose: () => void;
  inline: boolean;
}) {
  const { name, option, checked, onChoose, inline } = props;
  return (
    <label
      className={cx(
        'flex items-center has-checked:bg-accent-soft',
        inline ? 'min-h-12 gap-2 px-3' : 'min-h-14 flex-wrap gap-3 px-3.5 py-2',
        option.disabled && 'opacity-60',
      )}
    >
      <input
        type="radio"
        name={name}
        value={option.value}
        checked={checked}
        disabled={option.disabled}
        onChange={onChoose}
        className="size-5 shrink-0 accent-accent-text"
      />
      <span className={inline ? '' : 'min-w-24 flex-1'}>
        <span lang={option.lang} className="block font-semibold">
          {option.label}
        </span>
        {option.detail && <span className="block text-sm text-ink-2">{option.detail}</span>}
      </span>
      {option.trail}
    </label>
  );
}
