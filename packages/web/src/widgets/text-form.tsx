import { type ComponentProps, useEffect, useState } from 'react';
import { useTranslation } from 'react-i18next';
import type { ApiError } from '#web/api/errors.ts';
import { isMobile } from '#web/i18n/mobile.ts';
import { useTyped } from '#web/state/typed.ts';
import { useFirstWrong } from '#web/ui/first-wrong.ts';
import { TextField } from '#web/ui/text-field.tsx';
import { useProblem } from './use-problem.ts';

export const pincodeDigits = (text: string): string => text.replace(/\D/g, '').slice(0, 6);

/**
 * What is typed into the fields of a form, by the names that the server knows them by, and what is wrong with each.
 * @param about what it is about, by which it is found again on a page that was loaded anew.
 * @param first what stands in them where nothing was typed, as the server has it now
 */
export function useTextForm<Name extends string>(about: string, first: Record<Name, string>) {
  const { t } = useTranslation();
  const problem = useProblem();
  const lead = useFirstWrong();
  const [taken, setTaken] = useState<Record<Name, string>>();
  const [typed, type, forget] = useTyped<Record<Name, string>>(about);
  // Whoever goes elsewhere gives it up: it would go along with a later change.
  useEffect(() => forget, [forget]);
  const values: Record<Name, string> = { ...first, ...taken, ...typed };
  const [wrong, setWrong] = useState<Partial<Record<Name, string>>>({});
  const placeOf = (path: string): Name | undefined =>
    (Object.keys(values) as Name[]).find((name) => name === path.split('.').at(-1));
  return {
    values,
    wrong,
    set: (name: Name, value: string) => {
      type({ [name]: value } as Partial<Record<Name, string>>);
      setWrong((before) => ({ ...before, [name]: undefined }));
    },
    /** It was taken: nothing of it is kept, and it stands there until the screen has gone, on a slow line for a while. */
    take: () => {
      setTaken(values);
      forget();
    },
    /** The server said no: beside the fields that it means, else as a message. */
    refused: (error: ApiError) => {
      const places = error.fields.flatMap(({ path, message }) => {
        const place = placeOf(path);
        return place ? [[place, message] as const] : [];
      });
      setWrong(Object.fromEntries(places) as typeof wrong);
      if (places.length === 0) problem(error);
      else lead();
    },
    /** @returns whether these are there, a mobile number whole; what is not says so. */
    has: (needed: readonly Name[]): boolean => {
      const isMissing = (name: Name) => (name === 'mobile' ? !isMobile(values[name]) : values[name].trim() === '');
      const missing = needed.filter(isMissing);
      const says = (name: Name) => t(name === 'mobile' && values[name] !== '' ? 'field.mobile' : 'field.required');
      if (missing.length === 0) return true;
      setWrong(Object.fromEntries(missing.map((name) => [name, says(name)])) as typeof wrong);
      lead();
      return false;
    },
  };
}

interface TextForm<Name extends string> {
  values: Record<Name, string>;
  wrong: Partial<Record<Name, string>>;
  set: (name: Name, value: string) => void;
}

/** One field of such a form, which the browser fills in only where it is told how. @param props.clean what of the typed text counts */
export function FormField<Name extends string>(
  props: { form: TextForm<Name>; name: Name; clean?: (text: string) => string } & Omit<
    ComponentProps<typeof TextField>,
    'form' | 'name' | 'value' | 'onChange' | 'error'
  >,
) {
  const { form, name, clean, ...look } = props;
  return (
    <TextField
      autoComplete="off"
      {...look}
      name={name}
      value={form.values[name]}
      error={form.wrong[name]}
      onChange={(event) => {
        const text = event.currentTarget.value;
        form.set(name, clean ? clean(text) : text);
      }}
    />
  );
}
