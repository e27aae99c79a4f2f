import { useId, type ReactNode } from 'react';
import { cx } from './cx.ts';
import { Icon } from './icon.tsx';

export interface FieldLook {
  label: string;
  /** Shown below the control while there is no error. */
  hint?: string;
  /** The sentence to show; turns the control red and is tied to it. */
  error?: string;
  /** For a control whose label is plain from its place (a search box): the label stays for screen readers. */
  hideLabel?: boolean;
  optional?: string;
}
export interface FieldControl {
  id: string;
  'aria-invalid': true | undefined;
  'aria-describedby': string | undefined;
}

/** The frame of every control: label, control, hint or error, wired together. */
export function Field(props: FieldLook & { className?: string; children: (control: FieldControl) => ReactNode }) {
  const { label, hint, error, hideLabel, optional, className, children } = props;
  const id = useId();
  const described = error ? `${id}-error` : hint ? `${id}-hint` : undefined;
  return (
    <div className={cx('grid grid-cols-[minmax(0,1fr)] content-start gap-1.5', className)}>
      <label htmlFor={id} className={hideLabel ? 'sr-only' : 'text-sm font-semibold'}>
        {label}
        {optional && <span className="font-normal text-ink-2"> · {optional}</span>}
      </label>
      {children({ id, 'aria-invalid': error ? true : undefined, 'aria-describedby': described })}
      {error ? (
        <p id={`${id}-error`} className="flex gap-1 text-sm text-over">
          <Icon name="warning" size={16} className="mt-px" />
          {error}
        </p>
      ) : (
        hint && (
          <p id={`${id}-hint`} className="text-sm text-ink-2">
            {hint}
          </p>
        )
      )}
    </div>
  );
}

/** The box that a control sits in; the red frame of an invalid one has 2 px, so that colour is not the only sign. */
export const controlBox =
  'flex min-h-12 w-full items-center gap-2 rounded-lg border border-edge bg-card px-3 text-base focus-within:outline-2 focus-within:outline-offset-1 focus-within:outline-accent-text has-aria-invalid:border-2 has-aria-invalid:border-over';
export const controlInput = 'min-w-0 flex-1 self-stretch bg-transparent py-2 outline-none disabled:text-ink-2';
