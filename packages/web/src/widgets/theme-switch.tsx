import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { chooseTheme, themeChoice, type ThemeChoice } from '#web/theme/theme.ts';
import { cx } from '#web/ui/cx.ts';
import { Icon } from '#web/ui/icon.tsx';
import type { IconName } from '#web/ui/icon-paths.ts';

const CHOICES: { value: ThemeChoice; icon: IconName }[] = [
  { value: 'light', icon: 'sun' },
  { value: 'dark', icon: 'moon' },
  { value: 'system', icon: 'phone' },
];

/** Light, dark, or as the phone. */
export function ThemeSwitch() {
  const { t } = useTranslation();
  const [choice, setChoice] = useState(themeChoice);
  return (
    <fieldset className="px-4 py-2">
      <legend className="pb-1.5 text-sm font-semibold text-ink-2">{t('shell.theme')}</legend>
      <div className="grid grid-cols-3 rounded-lg bg-raise p-1">
        {CHOICES.map(({ value, icon }) => (
          <label
            key={value}
            className={cx(
              'grid min-h-12 content-center justify-items-center gap-0.5 rounded-[10px] px-1 text-center text-xs has-focus-visible:outline-2 has-focus-visible:outline-accent-text',
              value === choice ? 'bg-card font-semibold shadow-[0_1px_3px_#0000001f]' : 'text-ink-2',
            )}
          >
            <input
              type="radio"
              name="theme"
              className="sr-only"
              checked={value === choice}
              onChange={() => {
                chooseTheme(value);
                setChoice(value);
              }}
            />
            <Icon name={icon} size={18} />
            {t(`shell.theme_${value}`)}
          </label>
        ))}
      </div>
    </fieldset>
  );
}
