import { useCallback } from 'react';
import type { TFunction } from 'i18next';
import { formatInr } from '@kist/contract/money-text';
import { useTranslation } from 'react-i18next';
import { formatDate, formatDateTime } from '#web/i18n/formats.ts';

type Params = Readonly<Record<string, string | number>>;

/** What a rule counts in days or hours; its sentence has the language's form for that number. */
const counted = ({ dpd, dwell_days: dwellDays, hours }: Params): number => Number(dpd ?? dwellDays ?? hours ?? 0);

/** @param hour 0 to 24. @returns as people say it: '6 PM', 'शाम 6'. */
export function hourText(hour: number, t: TFunction): string {
  const ofDay = hour % 24;
  const words = { hour: ofDay % 12 || 12 };
  if (ofDay < 4) return t('hour.late_night', words);
  if (ofDay < 12) return t('hour.morning', words);
  if (ofDay < 16) return t('hour.afternoon', words);
  return t(ofDay < 20 ? 'hour.evening' : 'hour.night', words);
}

/** A step by its name; of a phone that has none a rule says the state. */
const stepText = (level: string | number, t: TFunction): string =>
  Number(level) === 0 ? t('lock.unlocked') : t(`lock.level_short_${level}`);

/** A rule's parameters by their names: `…_on` a day, `…_at` an instant, `…_hour` an hour of the day, `…_paise` money, `…level` a step. */
function shown(params: Params, t: TFunction): Record<string, string | number> {
  const say = (name: string, value: string | number) => {
    if (/(^|_)level$/.test(name)) return stepText(value, t);
    if (name.endsWith('_hour')) return hourText(Number(value), t);
    if (name.endsWith('_paise')) return formatInr(Number(value));
    if (typeof value === 'string' && name.endsWith('_on')) return formatDate(value);
    return typeof value === 'string' && name.endsWith('_at') ? formatDateTime(value) : value;
  };
  return Object.fromEntries(Object.entries(params).map(([name, value]) => [name, say(name, value)]));
}

/** @returns a function that says a lock rule in the user's language, with its steps, dates, hours and figures. */
export function useRuleText(): (rule: string, params: Params) => string {
  const { t } = useTranslation();
  return useCallback(
    (rule, params) => {
      const words: Params = { ...shown(params, t), count: counted(params) };
      // Nobody gave time here: the customer said that it is paid.
      if (rule === 'HOLD_ACTIVE' && params['kind'] === 'claim')
        return `${t('bell.payment_claimed')} · ${t('dispute.no_lock_until', { at: words['until_on'] })}`;
      return t(`rules.${rule}`, words);
    },
    [t],
  );
}
