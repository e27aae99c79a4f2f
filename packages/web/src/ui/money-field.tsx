import { useLayoutEffect, useRef, useState, type ComponentProps, type FocusEvent, type MouseEvent } from 'react';
import { controlBox, controlInput, Field, type FieldLook } from './field.tsx';
import { formatTyped, paiseToTyped, typedToPaise } from './money-input.ts';

/**
 * An amount. Paise in, paise out; rupees with lakh grouping on the screen, grouped while typing with the caret kept
 * by the number of digits to its right.
 * @param withPaise allows two decimals; shops take whole rupees, so the default is off.
 * @param isProposed an amount is there already that somebody may want otherwise: the first touch marks all of it, so that what is typed takes its place
 *   and is not written behind it; the next touch puts the caret where it is wanted.
 */
export function MoneyField(
  props: FieldLook & {
    valuePaise: number | null | undefined;
    onPaise: (paise: number | undefined) => void;
    withPaise?: boolean;
    big?: boolean;
    isProposed?: boolean | undefined;
  } & Omit<ComponentProps<'input'>, 'value' | 'onChange' | 'type'>,
) {
  const { label, hint, error, hideLabel, optional, ...own } = props;
  const { valuePaise, onPaise, withPaise = false, big, isProposed, ...input } = own;
  const [shown, setShown] = useState(() => paiseToTyped(valuePaise));
  const { element, keepCaret } = useCaret();
  const marks = useMarks();
  if ((typedToPaise(shown) ?? null) !== (valuePaise ?? null)) setShown(paiseToTyped(valuePaise));

  const take = (box: HTMLInputElement) => {
    keepCaret(box);
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
            {...(isProposed && marks)}
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

/** The caret stays by the number of digits to its right, whatever is put between them. */
function useCaret() {
  const element = useRef<HTMLInputElement>(null);
  const fromEnd = useRef<number | null>(null);
  useLayoutEffect(() => {
    const box = element.current;
    if (!box || fromEnd.current === null) return;
    const at = Math.max(0, box.value.length - fromEnd.current);
    box.setSelectionRange(at, at);
    fromEnd.current = null;
  });
  const keepCaret = (box: HTMLInputElement) => {
    fromEnd.current = box.value.length - (box.selectionEnd ?? box.value.length);
  };
  return { element, keepCaret };
}

/** What the first touch marks, the touch's own caret would unmark: it is marked again after it. */
function useMarks() {
  const isFirst = useRef(false);
  return {
    onFocus: ({ currentTarget: box }: FocusEvent<HTMLInputElement>) => {
      isFirst.current = true;
      box.select();
    },
    onClick: ({ currentTarget: box }: MouseEvent<HTMLInputElement>) => {
      if (isFirst.current && box.selectionStart === box.selectionEnd) box.select();
      isFirst.current = false;
    },
    onKeyDown: () => void (isFirst.current = false),
  };
}
