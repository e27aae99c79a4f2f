import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import type { CallReply } from '#web/api/calls.ts';
import { useRead, useWrite } from '#web/api/use-call.ts';
import { formatAgo, formatMoney } from '#web/i18n/formats.ts';
import { useShopNowMs } from '#web/state/shop-clock.ts';
import { paths } from '#web/paths.ts';
import { IconButton } from '#web/ui/button.tsx';
import type { Tone } from '#web/ui/chip.tsx';
import type { IconName } from '#web/ui/icon-paths.ts';
import { ListRow, RowGroup, RowIcon } from '#web/ui/list-row.tsx';
import { Sheet } from '#web/ui/sheet.tsx';
import { RowsSkeleton } from '#web/ui/skeleton.tsx';
import { StateView } from '#web/ui/state-view.tsx';
import { QueryView } from '#web/widgets/query-view.tsx';

type Notification = CallReply<'listNotifications'>['list'][number];

/** What the bell tells of, how it looks, and whether it is about money rather than about the phone. A kind that this build does not know is told by name of its customer alone. */
const KINDS: Partial<Record<string, { icon: IconName; tone: Tone; isMoney?: boolean }>> = {
  payment_claimed: { icon: 'rupee', tone: 'due', isMoney: true },
  lost_reported: { icon: 'shield', tone: 'over' },
  dispute_opened: { icon: 'chat', tone: 'over' },
  dispute_escalated: { icon: 'chat', tone: 'over' },
  dispute_decided: { icon: 'chat', tone: 'due' },
  locked_automatically: { icon: 'lock', tone: 'lock' },
  sim_changed: { icon: 'sim', tone: 'due' },
  phone_enrolled_again: { icon: 'phone', tone: 'accent' },
  phone_does_not_follow: { icon: 'warning', tone: 'over' },
  phone_gone: { icon: 'warning', tone: 'over' },
  phone_elsewhere: { icon: 'warning', tone: 'over' },
  lock_beyond_lease: { icon: 'warning', tone: 'over' },
};

/** The bell: how much nobody has read, and what happened, newest first. Opening it is reading it. */
export function Bell({ unread }: { unread: number }) {
  const { t } = useTranslation();
  const [isOpen, setOpen] = useState(false);
  const [read] = useWrite('readNotifications', ['getDashboard']);
  const open = () => {
    setOpen(true);
    if (unread > 0) void read({ body: {} });
  };
  return (
    <>
      <IconButton icon="bell" label={t('bell.title')} badge={unread} onClick={open} />
      <Sheet open={isOpen} onClose={() => setOpen(false)} title={t('bell.title')} isPanel>
        {isOpen && <Rung />}
      </Sheet>
    </>
  );
}

function Rung() {
  const { t } = useTranslation();
  const rung = useRead('listNotifications', { query: { page: 1, page_size: 50 } });
  return (
    <QueryView result={rung} skeleton={<RowsSkeleton label={t('states.loading')} />}>
      {({ list }) =>
        list.length === 0 ? (
          <StateView kind="empty" title={t('bell.none')} />
        ) : (
          <RowGroup label={t('bell.title')}>
            {list.map((one) => (
              <Line key={one.notification_id} one={one} />
            ))}
          </RowGroup>
        )
      }
    </QueryView>
  );
}

function Line({ one }: { one: Notification }) {
  const { t } = useTranslation();
  const nowMs = useShopNowMs();
  const look = KINDS[one.kind] ?? { icon: 'info' as const, tone: 'lock' as const };
  const paise = one.data['amount_paise'];
  const id = one.customer_id;
  return (
    <ListRow
      {...(id && { to: look.isMoney ? paths.viewEmiDetails(id) : paths.customerDetails(id) })}
      lead={<RowIcon icon={look.icon} tone={look.tone} />}
      title={KINDS[one.kind] ? t(`bell.${one.kind}`) : one.customer_name}
      detail={[KINDS[one.kind] && one.customer_name, typeof paise === 'number' && formatMoney(paise)]
        .filter(Boolean)
        .join(' · ')}
      trail={formatAgo(one.created_at, nowMs)}
      className={one.read_at === null ? 'bg-accent-soft' : ''}
    />
  );
}
