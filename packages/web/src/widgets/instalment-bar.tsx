import { useTranslation } from 'react-i18next';
import { SegmentsBar, type Segment } from '#web/ui/bars.tsx';

type InstalmentState = 'paid' | 'part' | 'overdue' | 'due' | 'upcoming';
const SEGMENT: Record<InstalmentState, Segment> = {
  paid: 'full',
  part: 'half',
  overdue: 'bad',
  due: 'now',
  upcoming: 'empty',
};

/** The instalments of an agreement as one row of blocks. */
export function InstalmentBar(props: { segments: readonly InstalmentState[] }) {
  const { segments } = props;
  const { t } = useTranslation();
  const count = (state: InstalmentState) => segments.filter((segment) => segment === state).length;
  const label = t('emi.bar', { paid: count('paid'), total: segments.length, overdue: count('overdue') });
  return <SegmentsBar segments={segments.map((segment) => SEGMENT[segment])} label={label} />;
}
