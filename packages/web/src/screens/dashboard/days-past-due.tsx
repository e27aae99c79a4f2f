import { useTranslation } from 'react-i18next';
import type { Dashboard } from '@kist/contract/reports';
import { formatMoney } from '#web/i18n/formats.ts';
import { paths } from '#web/paths.ts';
import { Card } from '#web/ui/card.tsx';
import { cx } from '#web/ui/cx.ts';
import { Link } from '#web/ui/link.tsx';

type Stretch = Dashboard['days_past_due'][number];

/** The longer overdue, the darker and the denser: not by colour alone. */
const LOOKS: Record<Stretch['dpd'], string> = {
  '0': 'bg-ok',
  '1_30': 'bg-due-soft ring-1 ring-inset ring-due',
  '31_60': 'bg-[repeating-linear-gradient(115deg,var(--due)_0_3px,var(--due-soft)_3px_6px)]',
  '61_90': 'bg-[repeating-linear-gradient(115deg,var(--over)_0_4px,var(--over-soft)_4px_6px)]',
  over_90: 'bg-over',
};

/** How the running EMIs stand by days past due: one bar for all customers, and below it each stretch with how many, how much, and its list. */
export function DaysPastDue({ stretches }: { stretches: Dashboard['days_past_due'] }) {
  const { t } = useTranslation();
  const some = stretches.filter(({ customers }) => customers > 0);
  if (some.length === 0) return null;
  const inWords = (one: Stretch) =>
    [
      `${t(`dpd.${one.dpd}`)}: ${t('dashboard.customers', { count: one.customers })}`,
      ...(one.paise > 0 ? [formatMoney(one.paise)] : []),
    ].join(', ');
  return (
    <Card aria-labelledby="days-past-due">
      <h2 id="days-past-due" className="text-base font-bold">
        {t('dpd.title')}
      </h2>
      <div
        role="img"
        aria-label={some.map(inWords).join('; ')}
        className="mt-2.5 flex h-4 gap-0.5 overflow-hidden rounded-full"
      >
        {some.map(({ dpd, customers }) => (
          <span key={dpd} className={cx('min-w-1.5', LOOKS[dpd])} style={{ flexGrow: customers }} />
        ))}
      </div>
      <ul className="-mx-3.5 mt-2 -mb-2">
        {stretches.map((one) => (
          <li key={one.dpd}>
            <StretchRow stretch={one} />
          </li>
        ))}
      </ul>
    </Card>
  );
}

function StretchRow({ stretch: { dpd, customers, paise } }: { stretch: Stretch }) {
  const { t } = useTranslation();
  return (
    <Link
      to={paths.customerList({ dpd, sort: dpd === '0' ? 'due' : 'overdue' })}
      className="flex min-h-12 flex-wrap items-center gap-x-3 px-3.5 py-1 active:bg-raise"
    >
      <span aria-hidden className={cx('size-3.5 shrink-0 rounded-[4px]', LOOKS[dpd])} />
      <span className="min-w-[min(100%,5rem)] flex-1">
        <span className="block">{t(`dpd.${dpd}`)}</span>
        <span className="block text-sm text-ink-2">{t('dashboard.customers', { count: customers })}</span>
      </span>
      {dpd !== '0' && <b className="ml-auto text-right">{formatMoney(paise)}</b>}
    </Link>
  );
}
