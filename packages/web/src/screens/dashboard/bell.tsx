import { useEffect, useRef, useState } from 'react';
import { useTranslation } from 'react-i18next';
import type { CallReply } from '#web/api/calls.ts';
import { useRead, useWrite } from '#web/api/use-call.ts';
import { formatAgo, formatMoney } from '#web/i18n/formats.ts';
import { useShopNowMs } from '#web/state/shop-clock.ts';
import { paths } from '#web/paths.ts';
import { Button, IconButton } from '#web/ui/button.tsx';
import type { Tone } from '#web/ui/chip.tsx';
import type { IconName } from '#web/ui/icon-paths.ts';
import { ListRow, RowGroup, RowIcon } from '#web/ui/list-row.tsx';
import { Sheet } from '#web/ui/sheet.tsx';
import { ScreenSkeleton } from '#web/ui/skeleton.tsx';
import { StateView } from '#web/ui/state-view.tsx';
import { QueryView } from '#web/widgets/query-view.tsx';

const PAGE_SIZE = 50;

type Notification = CallReply<'listNotifications'>['list'][number];

type Look = { icon: IconName; tone: Tone; isMoney?: boolean };
const WARNING: Look = { icon: 'warning', tone: 'over' };

/** What the bell tells of, how it looks, and whether it is about money rather than about the phone. A kind that this build does not know is told by name of its customer alone. */
const KINDS: Partial<Record<string, Look>> = {
  payment_claimed: { icon: 'rupee', tone: 'due', isMoney: true },
  override_asked: { icon: 'lock', tone: 'due' },
  override_decided: { icon: 'lock', tone: 'accent' },
  lost_reported: { icon: 'shield', tone: 'over' },
  dispute_opened: { icon: 'chat', tone: 'over' },
  dispute_escalated: { icon: 'chat', tone: 'over' },
  dispute_decided: { icon: 'chat', tone: 'due' },
  locked_automatically: { icon: 'lock', tone: 'lock' },
  sim_changed: { icon: 'sim', tone: 'due' },
  phone_enrolled_again: { icon: 'phone', tone: 'accent' },
  phone_does_not_follow: WARNING,
  phone_gone: WARNING,
  phone_elsewhere: WARNING,
  phone_silent: WARNING,
  lock_beyond_lease: WARNING,
  vendor_refused: WARNING,
  vendor_well: { icon: 'phone', tone: 'accent' },
};

/** The bell: how much nobody has read, and what happened, newest first. */
export function Bell({ unread }: { unread: number }) {
  const { t } = useTranslation();
  const [isOpen, setOpen] = useState(false);
  return (
    <>
      <IconButton icon="bell" label={t('bell.title')} badge={unread} onClick={() => setOpen(true)} />
      <Sheet open={isOpen} onClose={() => setOpen(false)} title={t('bell.title')} isPanel>
        {isOpen && <Rung isUnread={unread > 0} />}
      </Sheet>
    </>
  );
}

/** Once its news are on the screen they are read, not when it is pressed: on a bad network nobody has seen any of them then. */
function useMarkRead(isUnread: boolean, isShown: boolean): void {
  const [read] = useWrite('readNotifications', ['getDashboard']);
  const isMarked = useRef(false);
  useEffect(() => {
    if (!isUnread || !isShown || isMarked.current) return;
    isMarked.current = true;
    void read({ body: {} });
  }, [isUnread, isShown, read]);
}

function Rung({ isUnread }: { isUnread: boolean }) {
  const { t } = useTranslation();
  const [pages, setPages] = useState(1);
  const rung = useRead('listNotifications', { query: { page: 1, page_size: PAGE_SIZE } });
  useMarkRead(isUnread, rung.data !== undefined && !rung.isFetching && rung.keptAtMs === undefined);
  return (
    <QueryView result={rung} skeleton={<ScreenSkeleton label={t('states.loading')} />}>
      {({ list, total }) =>
        list.length === 0 ? (
          <StateView kind="empty" title={t('bell.none')} />
        ) : (
          <>
            <RowGroup label={t('bell.title')}>
              <Lines list={list} />
              {Array.from({ length: pages - 1 }, (_, at) => (
                <Earlier key={at} page={at + 2} />
              ))}
            </RowGroup>
            {pages * PAGE_SIZE < total && (
              <Button tone="quiet" onClick={() => setPages(pages + 1)}>
                {t('customers.more')}
              </Button>
            )}
          </>
        )
      }
    </QueryView>
  );
}

/** What happened before. */
function Earlier({ page }: { page: number }) {
  const { t } = useTranslation();
  const rung = useRead('listNotifications', { query: { page, page_size: PAGE_SIZE } });
  return (
    <QueryView result={rung} skeleton={<ScreenSkeleton label={t('states.loading')} />}>
      {({ list }) => <Lines list={list} />}
    </QueryView>
  );
}

const Lines = ({ list }: { list: readonly Notification[] }) =>
  list.map((one) => <Line key={one.notification_id} one={one} />);

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
