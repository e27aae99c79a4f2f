import { useTranslation } from 'react-i18next';
import { formatAgo, formatDay, formatMoney, shortName } from '#web/i18n/formats.ts';
import { telUrl } from '#web/native/share.ts';
import { paths } from '#web/paths.ts';
import { Button, IconAnchor, IconButton } from '#web/ui/button.tsx';
import { Chip } from '#web/ui/chip.tsx';
import { Link } from '#web/ui/link.tsx';
import { isUnderWay, QueuedMarks, useQueuedOf } from '#web/widgets/queued-payments.tsx';

/** What a customer has to pay by a day. */
export interface Due {
  customer_id: string;
  first_name: string;
  last_name: string;
  mobile: string;
  detail: string;
  paise: number;
  dueOn: string | null;
  days_past_due: number;
  reminded_at: string | null;
}

/** What is done from a row with a customer. */
export interface OnDue {
  /** `saidPaise`: the sum that the row said, where no money of theirs waits. */
  onCollect: (customerId: string, saidPaise?: number) => void;
  /** undefined: who is signed in may not. */
  onRemind?: ((customerId: string) => void) | undefined;
}

export const nameOf = (due: Due): string =>
  [shortName(due.first_name), shortName(due.last_name)].filter(Boolean).join(' ');

/** Whether money of theirs waits on this phone: how much is left to collect behind it, the sheet reckons. */
const useIsQueued = ({ customer_id }: Due) => useQueuedOf(customer_id).some(isUnderWay);

/** To call, to remind and to collect, with one press each. @param isAmountBeside the button says what it does, and not how much. */
export function DueActions(props: OnDue & { due: Due; isAmountBeside?: boolean }) {
  const { due, isAmountBeside, onCollect, onRemind } = props;
  const { t } = useTranslation();
  const name = nameOf(due);
  const amount = formatMoney(due.paise);
  const isQueued = useIsQueued(due);
  // What is read out begins with what stands there.
  const beside = isQueued ? t('emi.collect') : `${t('emi.collect')} ${amount}`;
  const what = isAmountBeside || isQueued ? beside : t('emi.collect_amount', { amount });
  return (
    <>
      <IconAnchor icon="call" label={`${t('common.call')} ${name}`} href={telUrl(due.mobile)} />
      {onRemind && (
        <IconButton icon="bell" label={`${t('emi.remind')} ${name}`} onClick={() => onRemind(due.customer_id)} />
      )}
      <Button
        tone="soft"
        icon="rupee"
        aria-label={`${what} ${name}`}
        onClick={() => onCollect(due.customer_id, isQueued ? undefined : due.paise)}
        className="gap-1 px-3"
      >
        {isAmountBeside || isQueued ? t('emi.collect') : amount.replace('₹', '')}
      </Button>
    </>
  );
}

/** How late, and when it was asked for last. */
export function DueState({ due }: { due: Due }) {
  const { t } = useTranslation();
  return (
    <>
      {due.days_past_due > 0 && (
        <Chip tone="over" icon="clock">
          {t('customers.late', { count: due.days_past_due })}
        </Chip>
      )}
      {due.reminded_at && (
        <span className="text-sm text-ink-2">{t('dues.reminded', { ago: formatAgo(due.reminded_at) })}</span>
      )}
    </>
  );
}

/** Who, how much, since when; to call, to remind and to collect with one press each. @param day begins a new day with its date above. */
export function DueRow({ due, day, ...on }: OnDue & { due: Due; day: string | null }) {
  const isQueued = useIsQueued(due);
  const isToldByDay = due.days_past_due === 0 && !due.reminded_at && due.dueOn !== null;
  return (
    <>
      {day && <h2 className="bg-raise px-4 py-1.5 text-sm font-semibold text-ink-2">{formatDay(day)}</h2>}
      <div
        data-due={due.customer_id}
        className="relative flex flex-wrap items-center justify-end gap-1 border-b border-line py-1 pr-3 [contain-intrinsic-size:auto_80px] [content-visibility:auto]"
      >
        {/* The whole row opens the customer: a state stands below on a line of its own, as wide as the row. */}
        <Link
          to={paths.viewEmiDetails(due.customer_id)}
          className="grid min-h-14 min-w-32 flex-1 content-center gap-0.5 rounded-md pl-4 after:absolute after:inset-0 active:bg-raise"
        >
          <span className="truncate font-semibold">{nameOf(due)}</span>
          <span className="truncate text-sm text-ink-2">
            {[due.detail, isQueued && formatMoney(due.paise)].filter(Boolean).join(' · ')}
          </span>
          {isToldByDay && <span className="text-sm text-ink-2">{formatDay(due.dueOn!)}</span>}
        </Link>
        {/* With large letters what is pressed goes to a second line: at the left edge nobody could reach it. */}
        <div className="relative flex flex-wrap items-center justify-end gap-1">
          <DueActions due={due} {...on} />
        </div>
        <div className="flex basis-full flex-wrap items-center gap-x-2 gap-y-1 pb-1 pl-4 empty:hidden">
          {!isToldByDay && <DueState due={due} />}
          <QueuedMarks customerId={due.customer_id} />
        </div>
      </div>
    </>
  );
}
