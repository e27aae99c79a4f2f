import { useTranslation } from 'react-i18next';
import type { CustomerProfile } from '@kist/contract/customers';
import { LOCKED_FROM_LEVEL } from '@kist/contract/limits';
import { formatDate, formatDateTime, formatMoney } from '#web/i18n/formats.ts';
import { Card } from '#web/ui/card.tsx';
import { useRunningHolds } from '#web/widgets/running-holds.ts';
import { LockChip } from '#web/widgets/state-chips.tsx';

/** What the phone does by its own word, what comes next if nothing is paid, what always stays on. */
export function PhoneState({ profile: { device, lock, lock_timeline: timeline } }: { profile: CustomerProfile }) {
  const { t } = useTranslation();
  const holds = useRunningHolds(timeline);
  if (!device || !lock) return null;
  const next = timeline?.next;
  return (
    <Card className="grid gap-1.5" aria-label={t('customer.phone_state')}>
      <div className="flex flex-wrap items-center justify-between gap-x-3 gap-y-1">
        <h2 className="font-bold">{`${device.brand} ${device.model}`.trim()}</h2>
        <LockChip lock={lock} />
      </div>
      {lock.level > 0 && <p className="text-sm">{t(`lock.level_${lock.level}`)}</p>}
      {timeline && timeline.pay_to_open_paise > 0 && lock.level >= LOCKED_FROM_LEVEL && (
        <p className="text-sm">{t('lock_timeline.pay_opens', { amount: formatMoney(timeline.pay_to_open_paise) })}</p>
      )}
      {timeline?.is_owners && <p className="text-sm">{t('lock_timeline.owners')}</p>}
      {next?.at && (
        <p className="text-sm font-semibold">
          {t('mine.next_step', { level: t(`lock.level_short_${next.level}`), date: formatDate(next.at) })}
        </p>
      )}
      {holds.map(({ hold_id, until_on }) => (
        <p key={hold_id} className="text-sm font-semibold">
          {t('hold.until', { until_on: formatDate(until_on) })}
        </p>
      ))}
      {timeline?.cure && !timeline.cure.confirmed_at && (
        <p role="status" className="rounded-lg bg-due-soft p-3 text-sm text-due">
          {t('mine.unlock_on_its_way', { at: formatDateTime(timeline.cure.cured_at) })}
        </p>
      )}
      <p className="text-sm text-ink-2">{t('lock.stays_on')}</p>
    </Card>
  );
}
