import { useLayoutEffect, useRef, useState, type ComponentProps } from 'react';
import { controlBox, controlInput, Field, type FieldLook } from './field.tsx';
import { formatTyped, paiseToTyped, typedToPaise } from './money-input.ts';

/**
 * An amount. Paise in, paise out; rupees with lakh grouping on the screen, grouped while typing with the caret kept
 * by the number of digits to its right.
 * @param withPaise allows two decimals; shops take whole rupees, so the default is off.
 */
export function MoneyField(
  props: FieldLook & {
    valuePaise: number | null | undefined;
    onPaise: (paise: number | undefined) => void;
    withPaise?: boolean;
    big?: boolean;
  } & Omit<ComponentProps<'input'>, 'value' | 'onChange' | 'type'>,
) {
  const { label, hint, error, hideLabel, optional, valuePaise, onPaise, withPaise = false, big, ...input } = props;
  const [shown, setShown] = useState(() => paiseToTyped(valuePaise));
  const element = useRef<HTMLInputElement>(null);
  const caretFromEnd = useRef<number | null>(null);
  if ((typedToPaise(shown) ?? null) !== (valuePaise ?? null)) setShown(paiseToTyped(valuePaise));

  useLayoutEffect(() => {
    const box = element.current;
    if (!box || caretFromEnd.current === null) return;
    const at = Math.max(0, box.value.length - caretFromEnd.current);
    box.setSelectionRange(at, at);
    caretFromEnd.current = null;
  });

  const take = (box: HTMLInputElement) => {
    caretFromEnd.current = box.value.length - (box.selectionEnd ?? box.value.length);
    const text = formatTyped(box.value, withPaise);
    setShown(text);
    onPaise(typedToPaise(text));
  };
  return (
    <Field label={label} hint={hint} error={error} hideLabel={hideLabel} optional={optional}>
      {(control) => (
        <span className={controlBox}>
          <span aria-hidden className={big ? 'text-xl text-ink-2' : 'text-ink-2'}>
            ₹
          </span>
          <input
            {...input}
            {...control}
            ref={element}
            inputMode={withPaise ? 'decimal' : 'numeric'}
            autoComplete="off"
            value={shown}
            onChange={(event) => take(event.currentTarget)}
            className={`${controlInput} ${big ? 'text-2xl font-semibold' : ''}`}
          />
        </span>
      )}
    </Field>
  );
}
