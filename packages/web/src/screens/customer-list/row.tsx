import { memo } from 'react';
import { useTranslation } from 'react-i18next';
import type { CustomerRow } from '@kist/contract/customers';
import { formatDay, formatMoney, shortName } from '#web/i18n/formats.ts';
import { Avatar } from '#web/ui/avatar.tsx';
import { Chip } from '#web/ui/chip.tsx';
import { LockChip, StatusChip } from '#web/widgets/state-chips.tsx';

/** The one thing about a customer that a shop wants to see first. */
function FirstChip({ row }: { row: CustomerRow }) {
  const { t } = useTranslation();
  if (row.status !== 1) return <StatusChip status={row.status} />;
  if (row.is_disputed)
    return (
      <Chip tone="over" icon="chat">
        {t('customers.disputed')}
      </Chip>
    );
  if (row.lock && (row.lock.pending || row.lock.lock_status === 1)) return <LockChip lock={row.lock} />;
  if (row.days_past_due > 0)
    return (
      <Chip tone="over" icon="clock">
        {t('customers.late', { count: row.days_past_due })}
      </Chip>
    );
  if (row.next_due_on === null) return <StatusChip status={5} />;
  return (
    <Chip tone="ok" icon="check">
      {t('customers.paid')}
    </Chip>
  );
}

/** Name, phone, how far the EMIs are; on the right the state and what is due. */
export const CustomerRowView = memo(function CustomerRowView(props: {
  row: CustomerRow;
  onPress: (row: CustomerRow) => void;
}) {
  const { row, onPress } = props;
  const { t } = useTranslation();
  const name =
    [shortName(row.first_name), shortName(row.last_name)].filter(Boolean).join(' ') || t('customers.no_name');
  const progress = row.is_draft
    ? t('customers.draft')
    : t('customers.paid_of', { paid: row.paid_count, total: row.tenure });
  const due =
    row.overdue_paise > 0
      ? formatMoney(row.overdue_paise)
      : row.next_due_on
        ? `${formatMoney(row.next_due_paise)} · ${formatDay(row.next_due_on)}`
        : '';
  return (
    <button
      type="button"
      onClick={() => onPress(row)}
      className="flex min-h-16 w-full items-center gap-3 border-b border-line px-4 py-2.5 text-left active:bg-raise"
    >
      <Avatar name={`${row.first_name} ${row.last_name}`.trim() || '?'} />
      <span className="min-w-0 flex-1">
        <span className="block truncate font-semibold">{name}</span>
        <span className="block truncate text-sm text-ink-2">{[row.device, progress].filter(Boolean).join(' · ')}</span>
      </span>
      <span className="grid shrink-0 justify-items-end gap-1 text-sm text-ink-2">
        <FirstChip row={row} />
        <span>{due}</span>
      </span>
    </button>
  );
});
