import { useTranslation } from 'react-i18next';
import type { EmiPreview } from '@kist/contract/emi-terms';
import { methodOf, type Values } from './fields.ts';

/**
 * When the first EMI comes, in words: the day of the month that the shop chose makes the time until then longer or shorter than a whole period. A reducing
 * loan charges it by its days; flat interest counts whole periods whatever its length.
 */
export function FirstPeriod({ figures, values }: { figures: EmiPreview; values: Values }) {
  const { t } = useTranslation();
  const { days, whole_days } = figures.first_period;
  const length = days > whole_days ? 'longer' : days < whole_days ? 'shorter' : 'whole';
  const method = methodOf(values);
  return (
    <p className="text-sm text-ink-2">
      {t(`add.first_${length}`, { count: days })}
      {length !== 'whole' && method !== 'ZERO' && ` ${t(`add.first_${method}`)}`}
    </p>
  );
}
