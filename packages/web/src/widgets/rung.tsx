import { useEffect, useRef, useState } from 'react';
import type { TFunction } from 'i18next';
import { useTranslation } from 'react-i18next';
import type { CallReply } from '#web/api/calls.ts';
import { useRead, useWrite } from '#web/api/use-call.ts';
import { formatAgo, formatMoney } from '#web/i18n/formats.ts';
import { useShopNowMs } from '#web/state/shop-clock.ts';
import { paths } from '#web/paths.ts';
import { Button } from '#web/ui/button.tsx';
import type { Tone } from '#web/ui/chip.tsx';
import type { IconName } from '#web/ui/icon-paths.ts';
import { ListRow, RowGroup, RowIcon } from '#web/ui/list-row.tsx';
import { ScreenSkeleton } from '#web/ui/skeleton.tsx';
import { StateView } from '#web/ui/state-view.tsx';
import { QueryView } from './query-view.tsx';

const PAGE_SIZE = 50;

type Notification = CallReply<'listNotifications'>['list'][number];

type Look = { icon: IconName; tone: Tone; isMoney?: boolean; isAsked?: boolean };
const WARNING: Look = { icon: 'warning', tone: 'over' };

/** What the bell tells of, how it looks, and whether it is about money, or to be decided, rather than about the phone. A kind that this build does not know is told by name of its customer alone. */
const KINDS: Partial<Record<string, Look>> = {
  payment_claimed: { icon: 'rupee', tone: 'due', isMoney: true },
  batch_asked: { icon: 'lock', tone: 'due', isAsked: true },
  batch_decided: { icon: 'lock', tone: 'accent' },
  batch_stopped: WARNING,
  override_asked: { icon: 'lock', tone: 'due', isAsked: true },
  override_decided: { icon: 'lock', tone: 'accent' },
  waiver_asked: { icon: 'rupee', tone: 'due', isMoney: true, isAsked: true },
  waiver_decided: { icon: 'rupee', tone: 'accent', isMoney: true },
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

/** What the bell tells: what happened, newest first. */
export function Rung({ isUnread }: { isUnread: boolean }) {
  const { t } = useTranslation();
  const [pages, setPages] = useState(1);
  const rung = useRead('listNotifications', { query: { page: 1, page_size: PAGE_SIZE } });
  useMarkRead(isUnread, rung.data !== undefined && !rung.isFetching && rung.keptAtMs === undefined);
  return (
    <QueryView result={rung} skeleton={<ScreenSkeleton label={t('states.loading')} />}>
      {({ list, total }) =>
        list.length === 0 ? (
          <StateView kind="empty" title={t('rung.none')} />
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

/** A customer's word that it is paid is said elsewhere in the same words. */
const titleOf = ({ kind, customer_name }: Notification, t: TFunction): string => {
  if (!KINDS[kind]) return customer_name;
  return kind === 'payment_claimed' ? t('bell.payment_claimed') : t(`rung.${kind}`);
};

/** Of whom, how much, what became of what takes two, and why. */
function detailsOf({ kind, data, customer_name, note }: Notification, t: TFunction): (string | undefined)[] {
  const { amount_paise: paise, is_approved: isApproved, why } = data;
  return [
    KINDS[kind] && customer_name,
    typeof paise === 'number' ? formatMoney(paise) : undefined,
    typeof isApproved === 'number' ? t(isApproved ? 'rung.yes' : 'rung.no') : undefined,
    note ?? undefined,
    kind === 'batch_stopped' ? t(`rung.why_${String(why)}`) : undefined,
  ];
}

/** Where it is read and done: of what is about no customer that this reader sees, where all that waits stands. */
function wayTo({ customer_id: id }: Notification, look: Look): string | undefined {
  if (id) return look.isMoney ? paths.viewEmiDetails(id) : paths.customerDetails(id);
  return look.isAsked ? paths.waiting() : undefined;
}

function Line({ one }: { one: Notification }) {
  const { t } = useTranslation();
  const nowMs = useShopNowMs();
  const look = KINDS[one.kind] ?? { icon: 'info' as const, tone: 'lock' as const };
  const to = wayTo(one, look);
  return (
    <ListRow
      {...(to && { to })}
      lead={<RowIcon icon={look.icon} tone={look.tone} />}
      title={titleOf(one, t)}
      detail={detailsOf(one, t).filter(Boolean).join(' · ')}
      trail={formatAgo(one.created_at, nowMs)}
      className={one.read_at === null ? 'bg-accent-soft' : ''}
    />
  );
}
