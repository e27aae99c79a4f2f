import type { ComponentProps } from 'react';
import { TextField } from '#web/ui/text-field.tsx';
import type { FieldName } from './fields.ts';
import type { Form } from './use-form.ts';

/** A text field of the form by its name. @param clean what of the typed text is kept. @param wanted Enter in the field before leads here while it is empty. */
export function FormField(
  props: { form: Form; name: FieldName; clean?: (text: string) => string; wanted?: boolean } & Omit<
    ComponentProps<typeof TextField>,
    'form' | 'name' | 'value' | 'onChange' | 'error'
  >,
) {
  const { form, name, clean, wanted, ...look } = props;
  return (
    <TextField
      autoComplete="off"
      data-wanted={wanted || undefined}
      enterKeyHint={wanted ? 'next' : undefined}
      {...look}
      name={name}
      value={form.values[name]}
      error={form.sentences[name]}
      onChange={(event) => {
        const text = event.currentTarget.value;
        form.set({ [name]: clean ? clean(text) : text });
      }}
    />
  );
}
