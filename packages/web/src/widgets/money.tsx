import { formatMoney } from '#web/i18n/formats.ts';
import { cx } from '#web/ui/cx.ts';

const SIZES = { md: 'text-xl', lg: 'text-2xl', xl: 'text-3xl' };
/** With letters twice as large a lakh still stands in a card of the narrowest screen. */
const NO_LARGER = { fontSize: 'min(var(--text-3xl), 12vw)' };

/** Money big: the rupee sign smaller than the figure, digits tabular, lakh grouping. @param paise integer. */
export function Money(props: { paise: number; size?: keyof typeof SIZES; className?: string }) {
  const { paise, size = 'xl', className } = props;
  const [before = '', figure = ''] = formatMoney(paise).split('₹');
  return (
    <span
      className={cx('font-bold tracking-tight whitespace-nowrap', SIZES[size], className)}
      style={size === 'xl' ? NO_LARGER : undefined}
    >
      {before}
      <span className="mr-px text-[.65em] font-semibold">₹</span>
      {figure}
    </span>
  );
}
