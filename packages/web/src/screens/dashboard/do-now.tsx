import { useTranslation } from 'react-i18next';
import type { Dashboard } from '@kist/contract/emi';
import { paths } from '#web/paths.ts';
import { SectionTitle } from '#web/ui/card.tsx';
import type { Tone } from '#web/ui/chip.tsx';
import type { IconName } from '#web/ui/icon-paths.ts';
import { ListRow, RowGroup, RowIcon } from '#web/ui/list-row.tsx';
import { StateView } from '#web/ui/state-view.tsx';

type Kind = Dashboard['do_now'][number]['kind'];

/** How each kind looks and where it leads. */
const KINDS: Record<Kind, { icon: IconName; tone: Tone; to: string }> = {
  unlock_unconfirmed: { icon: 'unlock', tone: 'due', to: paths.customerList({ lock_status: '1' }) },
  dispute_open: { icon: 'chat', tone: 'over', to: paths.customerList({ disputed: '1' }) },
  call_before_lock: { icon: 'call', tone: 'over', to: paths.customerList({ due: 'overdue', sort: 'overdue' }) },
  call_before_notice: { icon: 'call', tone: 'due', to: paths.customerList({ due: 'overdue', sort: 'overdue' }) },
  due_today: { icon: 'calendar', tone: 'accent', to: paths.customerList({ due: 'today', sort: 'due' }) },
  sim_changed: { icon: 'sim', tone: 'lock', to: paths.customerList({ status: '1' }) },
  draft_unfinished: { icon: 'edit', tone: 'lock', to: paths.customerList({ status: '0' }) },
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
              to={KINDS[kind].to}
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
