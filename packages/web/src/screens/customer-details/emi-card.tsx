import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import type { CustomerProfile } from '@kist/contract/customers';
import { formatDay, formatMoney } from '#web/i18n/formats.ts';
import { paths } from '#web/paths.ts';
import { Button, ButtonLink } from '#web/ui/button.tsx';
import { LedgerCard } from '#web/ui/card.tsx';
import { Chip } from '#web/ui/chip.tsx';
import { useShortcut } from '#web/ui/shortcuts.ts';
import { Collect } from '#web/widgets/collect/collect.tsx';
import { InstalmentBar } from '#web/widgets/instalment-bar.tsx';
import { PaymentPage } from '#web/widgets/payment-page.tsx';
import { isUnderWay, QueuedPayments, useQueuedOf } from '#web/widgets/queued-payments.tsx';
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
  const [isCollecting, setCollecting] = useState(false);
  const duePaise = agreement.overdue_paise || agreement.next_due_paise;
  const isCollectible = agreement.state === 'active' && duePaise > 0;
  const isQueued = useQueuedOf(customerId).some(isUnderWay);
  const shortcuts = useShortcut('c', isCollectible ? () => setCollecting(true) : undefined);
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
        {agreement.state === 'cancelled' && (
          <Chip tone="lock" icon="close">
            {t('cancel.state')}
          </Chip>
        )}
        {agreement.next_due_on && <span className="text-sm text-ink-2">{formatDay(agreement.next_due_on)}</span>}
      </div>
      <InstalmentBar segments={agreement.segments} />
      <QueuedPayments customerId={customerId} />
      <div className="mt-1 flex flex-wrap gap-2 *:flex-auto">
        {isCollectible && (
          <Button icon="rupee" aria-keyshortcuts={shortcuts} onClick={() => setCollecting(true)}>
            {isQueued ? t('emi.collect') : t('emi.collect_amount', { amount: formatMoney(duePaise) })}
          </Button>
        )}
        {agreement.state === 'active' && <RemindButton customerId={customerId} />}
        {isCollectible && <PaymentPage />}
        <ButtonLink to={paths.viewEmiDetails(customerId)} tone="plain" icon="receipt">
          {t('emi.title')}
        </ButtonLink>
      </div>
      <Collect customerId={isCollecting ? customerId : null} onClose={() => setCollecting(false)} />
    </LedgerCard>
  );
}
