import { useEffect, useId, useImperativeHandle, useRef, type KeyboardEvent, type Ref } from 'react';
import { useTranslation } from 'react-i18next';
import { Icon } from './icon.tsx';
import { controlBox, controlInput } from './field.tsx';

/** A search box; the caller debounces. */
export function SearchField(props: {
  label: string;
  placeholder?: string;
  value: string;
  onValue: (text: string) => void;
  maxLength?: number;
  /** The fingers are on their way here: who pressed 'search' somewhere else. */
  focused?: boolean;
  /** For who leads the focus here. */
  ref?: Ref<HTMLInputElement>;
  /** Keys that do: `aria-keyshortcuts`, and what stands in the empty field. */
  shortcuts?: string | undefined;
  onKeyDown?: (event: KeyboardEvent<HTMLInputElement>) => void;
}) {
  const { ref, label, placeholder, value, onValue, maxLength, focused, shortcuts, onKeyDown } = props;
  const input = useRef<HTMLInputElement>(null);
  useImperativeHandle(ref, () => input.current!, []);
  useEffect(() => {
    if (focused) input.current?.focus();
  }, [focused]);
  const id = useId();
  return (
    <span role="search" className={`${controlBox} pr-0`}>
      <label htmlFor={id} className="text-ink-2">
        <Icon name="search" label={label} />
      </label>
      <input
        ref={input}
        id={id}
        type="search"
        value={value}
        maxLength={maxLength}
        placeholder={placeholder ?? label}
        autoComplete="off"
        enterKeyHint="search"
        aria-keyshortcuts={shortcuts}
        onKeyDown={onKeyDown}
        onChange={(event) => onValue(event.currentTarget.value)}
        className={`${controlInput} [&::-webkit-search-cancel-button]:hidden`}
      />
      {shortcuts && !value && (
        <kbd aria-hidden className="mr-2.5 rounded-sm border border-edge px-1.5 font-sans text-xs text-ink-2">
          {shortcuts[0]}
        </kbd>
      )}
      {value && <Clear onPress={() => onValue('')} />}
    </span>
  );
}

function Clear({ onPress }: { onPress: () => void }) {
  const { t } = useTranslation();
  return (
    <button
      type="button"
      aria-label={t('common.clear')}
      onClick={onPress}
      className="grid size-12 place-items-center text-ink-2"
    >
      <Icon name="close" size={18} />
    </button>
  );
}
