import { useTranslation } from 'react-i18next';
import { formatDay, formatMoney } from '#web/i18n/formats.ts';
import { FilterChip } from '#web/ui/chip.tsx';
import type { Sum } from './due-table.tsx';

/** The one day of a bucket that is shown, with what it comes to; a press shows the whole bucket. Reminders go to whole buckets: a day offers none to all. */
export function DayChip({ day, sum, onClear }: { day: string; sum: Sum | undefined; onClear: () => void }) {
  const { t } = useTranslation();
  return (
    <div className="flex flex-wrap items-center gap-3">
      <FilterChip pressed onClick={onClear}>
        {formatDay(day)}
      </FilterChip>
      {sum && (
        <span className="text-sm text-ink-2">
          {t('dashboard.emis', { count: sum.customers })} · {formatMoney(sum.paise)}
        </span>
      )}
    </div>
  );
}
