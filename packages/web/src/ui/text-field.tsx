import type { ComponentProps, ReactNode } from 'react';
import { controlBox, controlInput, Field, type FieldLook } from './field.tsx';

/**
 * One line of text. Takes every attribute of <input>, also `ref`, so react-hook-form's `register()` spreads straight in.
 * @param prefix,suffix short text or an icon inside the box.
 */
export function TextField(
  props: FieldLook & { prefix?: ReactNode; suffix?: ReactNode; fieldClassName?: string } & Omit<
      ComponentProps<'input'>,
      'prefix'
    >,
) {
  const { label, hint, error, hideLabel, optional, prefix, suffix, fieldClassName, ...input } = props;
  return (
    <Field label={label} hint={hint} error={error} hideLabel={hideLabel} optional={optional} className={fieldClassName}>
      {(control) => (
        <span className={controlBox}>
          {prefix && <span className="text-ink-2">{prefix}</span>}
          <input {...input} {...control} className={controlInput} />
          {suffix}
        </span>
      )}
    </Field>
  );
}

/** Several lines. */
export function TextArea(props: FieldLook & ComponentProps<'textarea'>) {
  const { label, hint, error, hideLabel, optional, rows = 3, ...input } = props;
  return (
    <Field label={label} hint={hint} error={error} hideLabel={hideLabel} optional={optional}>
      {(control) => (
        <span className={controlBox}>
          <textarea {...input} rows={rows} {...control} className={controlInput} />
        </span>
      )}
    </Field>
  );
}
