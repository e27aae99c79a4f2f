import type { ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import type { Dashboard } from '@kist/contract/reports';
import { formatMoneyShort } from '#web/i18n/formats.ts';
import { paths } from '#web/paths.ts';
import { cx } from '#web/ui/cx.ts';
import { Icon } from '#web/ui/icon.tsx';
import { Link } from '#web/ui/link.tsx';

function Tile(props: { to: string; figure: ReactNode; label: ReactNode; tone?: string }) {
  return (
    <Link
      to={props.to}
      className="grid min-h-16 content-center rounded-lg border border-line bg-card px-2 py-2.5 active:bg-raise @[20rem]:px-3"
    >
      <b className={cx('text-lg tracking-tight whitespace-nowrap @[20rem]:text-xl', props.tone)}>{props.figure}</b>
      <span className="flex items-center gap-1.5 text-xs text-ink-2">{props.label}</span>
    </Link>
  );
}

const SMALL = 'grid grid-cols-[repeat(auto-fit,minmax(min(100%,4rem),1fr))] gap-2';

function SmallTile(props: { to: string; figure: number; label: ReactNode }) {
  return (
    <Link
      to={props.to}
      className="grid min-h-12 content-center justify-items-center rounded-lg border border-line bg-card px-0.5 py-2 text-center active:bg-raise"
    >
      <b className="text-lg leading-tight">{props.figure}</b>
      <span className="max-w-full text-xs wrap-anywhere hyphens-auto text-ink-2">{props.label}</span>
    </Link>
  );
}

/** Overdue, held, outstanding: what is to be done comes right below. */
export function Figures({ day }: { day: Dashboard }) {
  const { t } = useTranslation();
  return (
    <div className="grid grid-cols-[repeat(auto-fit,minmax(min(100%,5.25rem),1fr))] gap-2">
      <Tile
        to={paths.upcomingEmi('overdue')}
        figure={formatMoneyShort(day.overdue.paise)}
        label={t('dashboard.overdue', { count: day.overdue.customers })}
        tone={day.overdue.paise > 0 ? 'text-over' : ''}
      />
      <Tile
        to={paths.customerList({ lock_status: '1' })}
        figure={day.locked}
        label={
          <>
            <Icon name="lock" size={13} />
            {t('lock.locked')}
          </>
        }
      />
      <Tile
        to={paths.customerList({ due: 'open', sort: 'due' })}
        figure={formatMoneyShort(day.outstanding_paise)}
        label={t('dashboard.outstanding')}
      />
    </div>
  );
}

/** The phones that are not held, and those that are to be free and did not say so yet, if there are any; below them the customers by status. */
export function Counts({ day }: { day: Dashboard }) {
  const { t } = useTranslation();
  const statuses = ['1', '0', '6', '5'] as const;
  return (
    <>
      <div className={SMALL}>
        <SmallTile to={paths.customerList({ lock_status: '0' })} figure={day.unlocked} label={t('lock.unlocked')} />
        {day.pending_unlock > 0 && (
          <SmallTile
            to={paths.customerList({ todo: 'unlock_unconfirmed' })}
            figure={day.pending_unlock}
            label={t('dashboard.do_unlock_unconfirmed')}
          />
        )}
      </div>
      <nav aria-label={t('dashboard.by_status')} className={SMALL}>
        {statuses.map((status) => (
          <SmallTile
            key={status}
            to={paths.customerList({ status })}
            figure={day.statuses[status] ?? 0}
            label={t(`status.s${status}`)}
          />
        ))}
      </nav>
    </>
  );
}
