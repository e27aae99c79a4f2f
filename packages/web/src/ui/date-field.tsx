import type { ComponentProps } from 'react';
import { controlBox, controlInput, Field, type FieldLook } from './field.tsx';

/** The phone's own date picker; value, min and max are 'YYYY-MM-DD'. */
export function DateField(props: FieldLook & Omit<ComponentProps<'input'>, 'type'>) {
  const { label, hint, error, hideLabel, optional, ...input } = props;
  return (
    <Field label={label} hint={hint} error={error} hideLabel={hideLabel} optional={optional}>
      {(control) => (
        <span className={controlBox}>
          <input {...input} type="date" {...control} className={controlInput} />
        </span>
      )}
    </Field>
  );
}
