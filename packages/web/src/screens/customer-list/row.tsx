import { memo } from 'react';
import { useTranslation } from 'react-i18next';
import { CUSTOMER_STATUS } from '@kist/contract/codes';
import type { CustomerRow } from '@kist/contract/customers';
import { isErased } from '@kist/contract/erased';
import { formatDay, formatMoney, shortName } from '#web/i18n/formats.ts';
import { formatMobile } from '#web/i18n/mobile.ts';
import { telUrl, whatsAppUrl } from '#web/native/share.ts';
import { Avatar } from '#web/ui/avatar.tsx';
import { IconAnchor } from '#web/ui/button.tsx';
import { Chip } from '#web/ui/chip.tsx';
import { cx } from '#web/ui/cx.ts';
import { LockChip, StatusChip } from '#web/widgets/state-chips.tsx';

/** Where a press on a row leads; null: nowhere, and a warning says so. */
export type PlaceOf = (row: CustomerRow) => string | null;

/** What about a customer a shop wants to see first: a complaint, a phone that is held or changing, how late the EMIs are; else that all is well. */
export function FirstChips({ row }: { row: CustomerRow }) {
  const { t } = useTranslation();
  const { lock } = row;
  // Of a phone that has not said yet that it is free the shop has to know, whoever was erased.
  if (isErased(row)) return lock?.pending ? <LockChip lock={lock} /> : null;
  if (row.status !== CUSTOMER_STATUS.install) return <StatusChip status={row.status} />;
  const isHeld = lock !== null && (lock.pending !== null || lock.lock_status === 1);
  const isLate = row.days_past_due > 0;
  if (row.is_disputed || isHeld || isLate)
    return (
      <span className="flex max-w-full flex-wrap gap-1">
        {row.is_disputed && (
          <Chip tone="over" icon="chat">
            {t('customers.disputed')}
          </Chip>
        )}
        {isHeld && <LockChip lock={lock} />}
        {isLate && !row.is_disputed && (
          <Chip tone="over" icon="clock">
            {t('customers.late', { count: row.days_past_due })}
          </Chip>
        )}
      </span>
    );
  if (row.next_due_on === null) return <StatusChip status={CUSTOMER_STATUS.emis_completed} />;
  return (
    <Chip tone="ok" icon="check">
      {t('customers.paid')}
    </Chip>
  );
}

/** How a customer is called in a list, and how far the EMIs are; one who was erased by that. */
export function useRowWords({ first_name, last_name, is_draft, paid_count, tenure }: CustomerRow) {
  const { t } = useTranslation();
  return {
    name: isErased({ first_name })
      ? t('customers.erased')
      : [shortName(first_name), shortName(last_name)].filter(Boolean).join(' ') || t('customers.no_name'),
    progress: is_draft ? t('customers.draft') : t('customers.paid_of', { paid: paid_count, total: tenure }),
  };
}

/**
 * Name and state, mobile and how far the EMIs are, phone and what is due; to call and to write to with one press each. In the compact layout two
 * lines where the screen is wide enough for them: the mobile, how far the EMIs are and what is due instead of the phone.
 */
export const CustomerRowView = memo(function CustomerRowView(props: {
  row: CustomerRow;
  onPress: (row: CustomerRow) => void;
}) {
  const { row, onPress } = props;
  const { t } = useTranslation();
  const { name, progress } = useRowWords(row);
  const due =
    row.overdue_paise > 0
      ? formatMoney(row.overdue_paise)
      : row.next_due_on
        ? `${formatMoney(row.next_due_paise)} · ${formatDay(row.next_due_on)}`
        : '';
  return (
    <div className="flex items-center border-b border-line pr-1.5">
      <button
        type="button"
        onClick={() => onPress(row)}
        className="flex min-h-19 min-w-0 flex-1 items-center gap-3 py-2 pl-4 text-left active:bg-raise compact:min-h-12 compact:py-1"
      >
        <Avatar
          name={`${row.first_name} ${row.last_name}`.trim() || '?'}
          className="max-[420px]:hidden compact:hidden"
        />
        <span className="grid min-w-0 flex-1 gap-0.5">
          <span className="flex flex-wrap items-center justify-between gap-x-2">
            <span className="max-w-full font-semibold break-words">{name}</span>
            <FirstChips row={row} />
          </span>
          <span className="flex flex-wrap justify-between gap-x-2 text-sm text-ink-2">
            {row.mobile && <span className="shrink-0">{formatMobile(row.mobile)}</span>}
            <span className="shrink-0">{progress}</span>
            <span className="basis-full compact:hidden" />
            {row.device && <span className={cx('min-w-0 flex-1 truncate', due && 'compact:hidden')}>{row.device}</span>}
            {due && <span className="shrink-0">{due}</span>}
          </span>
        </span>
      </button>
      {row.mobile && (
        <>
          <IconAnchor icon="call" label={`${t('common.call')} ${name}`} href={telUrl(row.mobile)} />
          <IconAnchor icon="chat" label={`${t('common.whatsapp')} ${name}`} href={whatsAppUrl('', row.mobile)} />
        </>
      )}
    </div>
  );
});
