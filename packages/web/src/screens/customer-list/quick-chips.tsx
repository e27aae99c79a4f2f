import { useTranslation } from 'react-i18next';
import { FilterChip } from '#web/ui/chip.tsx';
import { type Filters, isCounted, quickBeside, quickOf, withQuick } from './filters.ts';
import { useCounts } from './use-counts.ts';

/** The quick filters, each with how many customers it opens; beside a search or another filter, which a press keeps, nobody has counted those. */
export function QuickChips({ filters, onFilters }: { filters: Filters; onFilters: (filters: Filters) => void }) {
  const { t } = useTranslation();
  const pressed = quickOf(filters);
  const counts = useCounts();
  return quickBeside(filters).map(({ id, filters: quick }) => (
    <FilterChip
      key={id}
      pressed={pressed === id}
      {...(isCounted(filters) && counts[id] !== undefined && { count: counts[id] })}
      onClick={() => onFilters(withQuick(filters, quick))}
    >
      {t(`customers.quick_${id}`)}
    </FilterChip>
  ));
}
