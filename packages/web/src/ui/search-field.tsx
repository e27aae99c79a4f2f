import { useEffect, useId, useRef } from 'react';
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
}) {
  const { label, placeholder, value, onValue, maxLength, focused } = props;
  const input = useRef<HTMLInputElement>(null);
  useEffect(() => {
    if (focused) input.current?.focus();
  }, [focused]);
  const { t } = useTranslation();
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
        onChange={(event) => onValue(event.currentTarget.value)}
        className={`${controlInput} [&::-webkit-search-cancel-button]:hidden`}
      />
      {value && (
        <button
          type="button"
          aria-label={t('common.clear')}
          onClick={() => onValue('')}
          className="grid size-12 place-items-center text-ink-2"
        >
          <Icon name="close" size={18} />
        </button>
      )}
    </span>
  );
}
