import type { TFunction } from 'i18next';
import { useTranslation } from 'react-i18next';
import type { EmiDetails } from '@kist/contract/emi';
import { formatDate, formatMoney } from '#web/i18n/formats.ts';
import { LedgerCard } from '#web/ui/card.tsx';
import { Chip } from '#web/ui/chip.tsx';
import { InstalmentBar } from '#web/widgets/instalment-bar.tsx';
import { Money } from '#web/widgets/money.tsx';

/** How the agreement stands today: what is due, how far it is. */
export function Standing({ details }: { details: EmiDetails }) {
  const { t } = useTranslation();
  const { agreement, instalments } = details;
  const next = instalments.find((row) => row.left_paise > 0);
  const isLate = agreement.overdue_paise > 0;
  const label = labelOf(details, isLate, t);
  return (
    <LedgerCard className="grid gap-1">
      <div className="flex flex-wrap items-start justify-between gap-3">
        <span className="text-sm text-ink-2">{label}</span>
        {isLate && (
          <Chip tone="over" icon="clock">
            {t('customers.late', { count: agreement.days_past_due })}
          </Chip>
        )}
      </div>
      <Money paise={isLate ? agreement.overdue_paise : (next?.left_paise ?? 0)} />
      {agreement.penal_left_paise > 0 && (
        <span className="text-sm text-ink-2">
          {t('emi.penal_left', { amount: formatMoney(agreement.penal_left_paise) })}
        </span>
      )}
      <div className="mt-2 grid gap-1.5">
        <InstalmentBar segments={instalments.map((row) => row.state)} />
        <span className="flex flex-wrap justify-between gap-x-3 text-sm text-ink-2">
          <span>{t('customers.paid_of', { paid: agreement.paid_count, total: agreement.tenure })}</span>
          <span>{t('emi.left', { amount: formatMoney(agreement.outstanding_paise) })}</span>
        </span>
      </div>
    </LedgerCard>
  );
}

function labelOf({ agreement }: EmiDetails, isLate: boolean, t: TFunction): string {
  if (agreement.state === 'completed') return t('emi.all_paid');
  if (agreement.state === 'cancelled') return t('cancel.over');
  return t(isLate ? 'emi.overdue_since' : 'emi.next_on', { date: formatDate(agreement.next_due_on) });
}
