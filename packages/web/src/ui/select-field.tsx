import type { ComponentProps } from 'react';
import { controlBox, controlInput, Field, type FieldLook } from './field.tsx';
import { Icon } from './icon.tsx';

/** The phone's own picker. @param placeholder a first, empty choice. */
export function SelectField(
  props: FieldLook & {
    options: readonly { value: string; label: string; disabled?: boolean }[];
    placeholder?: string;
  } & Omit<ComponentProps<'select'>, 'children'>,
) {
  const { label, hint, error, hideLabel, optional, options, placeholder, ...select } = props;
  return (
    <Field label={label} hint={hint} error={error} hideLabel={hideLabel} optional={optional}>
      {(control) => (
        <span className={`${controlBox} relative pr-9`}>
          <select {...select} {...control} className={`${controlInput} -mr-9 appearance-none pr-9`}>
            {placeholder !== undefined && <option value="">{placeholder}</option>}
            {options.map((option) => (
              <option key={option.value} value={option.value} disabled={option.disabled} className="bg-card text-ink">
                {option.label}
              </option>
            ))}
          </select>
          <Icon name="down" size={18} className="pointer-events-none absolute right-3 text-ink-2" />
        </span>
      )}
    </Field>
  );
}
