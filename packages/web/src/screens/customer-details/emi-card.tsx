import { useTranslation } from 'react-i18next';
import type { CustomerProfile } from '@kist/contract/customers';
import { formatDay, formatMoney } from '#web/i18n/formats.ts';
import { paths } from '#web/paths.ts';
import { ButtonLink } from '#web/ui/button.tsx';
import { LedgerCard } from '#web/ui/card.tsx';
import { InstalmentBar } from '#web/widgets/instalment-bar.tsx';
import { RemindButton } from '#web/widgets/remind-button.tsx';

/** How far the EMIs are, and the next thing to collect. */
export function EmiCard({
  customerId,
  agreement,
}: {
  customerId: string;
  agreement: NonNullable<CustomerProfile['agreement']>;
}) {
  const { t } = useTranslation();
  const duePaise = agreement.overdue_paise || agreement.next_due_paise;
  return (
    <LedgerCard className="grid gap-2">
      <div className="flex flex-wrap justify-between gap-x-3">
        <span>
          <b>{t('customers.paid_of', { paid: agreement.paid_count, total: agreement.tenure })}</b>
          <span className="text-sm text-ink-2">
            {' '}
            · {t('emi.left', { amount: formatMoney(agreement.outstanding_paise) })}
          </span>
        </span>
        {agreement.next_due_on && <span className="text-sm text-ink-2">{formatDay(agreement.next_due_on)}</span>}
      </div>
      <InstalmentBar segments={agreement.segments} />
      <div className="mt-1 flex flex-wrap gap-2 *:flex-auto">
        <ButtonLink to={paths.viewEmiDetails(customerId)} icon="rupee">
          {duePaise > 0 ? t('emi.collect_amount', { amount: formatMoney(duePaise) }) : t('emi.title')}
        </ButtonLink>
        {agreement.state === 'active' && <RemindButton customerId={customerId} />}
      </div>
    </LedgerCard>
  );
}
