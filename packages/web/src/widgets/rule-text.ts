import { useCallback } from 'react';
import { useTranslation } from 'react-i18next';
import { formatDate, formatDateTime } from '#web/i18n/formats.ts';

/** What a rule counts in days or hours; its sentence has the language's form for that number. */
const counted = ({ dpd, dwell_days: dwellDays, hours }: Readonly<Record<string, string | number>>): number =>
  Number(dpd ?? dwellDays ?? hours ?? 0);

/** Dates among a rule's parameters, by their names: `…_on` a day, `…_at` an instant. */
function shown(params: Readonly<Record<string, string | number>>): Record<string, string | number> {
  return Object.fromEntries(
    Object.entries(params).map(([name, value]) => {
      if (typeof value !== 'string') return [name, value];
      if (name.endsWith('_on')) return [name, formatDate(value)];
      return [name, name.endsWith('_at') ? formatDateTime(value) : value];
    }),
  );
}

/** @returns a function that says a lock rule in the user's language, with its dates and figures. */
export function useRuleText(): (rule: string, params: Readonly<Record<string, string | number>>) => string {
  const { t } = useTranslation();
  return useCallback((rule, params) => t(`rules.${rule}`, { ...shown(params), count: counted(params) }), [t]);
}
