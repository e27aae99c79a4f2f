import { useTranslation } from 'react-i18next';
import type { Dashboard } from '@kist/contract/reports';
import { formatDate, formatDay, formatMoney } from '#web/i18n/formats.ts';
import { paths } from '#web/paths.ts';
import { Card, SectionTitle } from '#web/ui/card.tsx';
import { Link } from '#web/ui/link.tsx';
import { ListRow, RowGroup } from '#web/ui/list-row.tsx';
import { Sparkline } from '#web/ui/sparkline.tsx';
import { Money } from '#web/widgets/money.tsx';

/** Two weeks back, one week ahead. */
export function Weeks({ collections, upcoming }: Pick<Dashboard, 'collections' | 'upcoming'>) {
  const { t } = useTranslation();
  const total = collections.reduce((sum, day) => sum + day.paise, 0);
  const best = collections.reduce((most, day) => (day.paise > most.paise ? day : most), { on: '', paise: 0 });
  const label = t('dashboard.collections_label', {
    amount: formatMoney(best.paise),
    date: best.on ? formatDate(best.on) : '',
  });
  return (
    <>
      <Card>
        <Link to={paths.collections(collections.length)} className="flex flex-wrap items-end justify-between gap-3">
          <span className="grid">
            <span className="text-sm text-ink-2">{t('dashboard.collections')}</span>
            <Money paise={total} size="lg" />
          </span>
          <span className="w-36 max-w-full">
            <Sparkline values={collections.map((day) => day.paise)} label={label} />
          </span>
        </Link>
      </Card>
      {upcoming.length > 0 && (
        <>
          <SectionTitle to={paths.upcomingEmi('week')} linkLabel={t('common.all')}>
            {t('dashboard.next_days')}
          </SectionTitle>
          <RowGroup>
            {upcoming.map((day) => (
              <ListRow
                key={day.due_on}
                to={paths.upcomingEmi('week', day.due_on)}
                title={formatDay(day.due_on)}
                detail={t('dashboard.emis', { count: day.customers })}
                trail={<b className="text-base text-ink">{formatMoney(day.paise)}</b>}
              />
            ))}
          </RowGroup>
        </>
      )}
    </>
  );
}
