import { formatMoney } from '#web/i18n/formats.ts';
import { cx } from '#web/ui/cx.ts';

/** The largest no larger than lets a lakh stand in a card of the narrowest screen, with letters twice as large. */
const SIZES = { md: 'text-xl', lg: 'text-2xl', xl: 'text-3xl max-md:text-[min(var(--text-3xl),12vw)]' };

/** Money big: the rupee sign smaller than the figure, digits tabular, lakh grouping. @param paise integer. */
export function Money(props: { paise: number; size?: keyof typeof SIZES; className?: string }) {
  const { paise, size = 'xl', className } = props;
  const [before = '', figure = ''] = formatMoney(paise).split('₹');
  return (
    <span className={cx('font-bold tracking-tight whitespace-nowrap', SIZES[size], className)}>
      {before}
      <span className="mr-px text-[.65em] font-semibold">₹</span>
      {figure}
    </span>
  );
}
