import { useTranslation } from 'react-i18next';
import type { Dashboard } from '@kist/contract/reports';
import { paths } from '#web/paths.ts';
import { SectionTitle } from '#web/ui/card.tsx';
import type { Tone } from '#web/ui/chip.tsx';
import type { IconName } from '#web/ui/icon-paths.ts';
import { ListRow, RowGroup, RowIcon } from '#web/ui/list-row.tsx';
import { StateView } from '#web/ui/state-view.tsx';

type Kind = Dashboard['do_now'][number]['kind'];

/** How each kind looks; each leads to the list that it counts. */
const KINDS: Record<Kind, { icon: IconName; tone: Tone }> = {
  unlock_unconfirmed: { icon: 'unlock', tone: 'due' },
  claim_waiting: { icon: 'rupee', tone: 'due' },
  dispute_open: { icon: 'chat', tone: 'over' },
  call_before_lock: { icon: 'call', tone: 'over' },
  call_before_notice: { icon: 'call', tone: 'due' },
  due_today: { icon: 'calendar', tone: 'accent' },
  refund_open: { icon: 'receipt', tone: 'due' },
  sim_changed: { icon: 'sim', tone: 'lock' },
  draft_unfinished: { icon: 'edit', tone: 'lock' },
  overdue: { icon: 'clock', tone: 'over' },
};

/** What to do first, most pressing on top, before any statistics. */
export function DoNow({ items }: { items: Dashboard['do_now'] }) {
  const { t } = useTranslation();
  return (
    <>
      <SectionTitle>{t('dashboard.do_now')}</SectionTitle>
      {items.length === 0 ? (
        <StateView kind="done" title={t('dashboard.nothing_to_do')} />
      ) : (
        <RowGroup>
          {items.map(({ kind, count }) => (
            <ListRow
              key={kind}
              to={
                kind === 'due_today'
                  ? paths.upcomingEmi('today')
                  : paths.customerList({ todo: kind, ...(kind === 'overdue' && { sort: kind }) })
              }
              lead={<RowIcon icon={KINDS[kind].icon} tone={KINDS[kind].tone} />}
              title={t(`dashboard.do_${kind}`)}
              detail={t('dashboard.customers', { count })}
            />
          ))}
        </RowGroup>
      )}
    </>
  );
}
