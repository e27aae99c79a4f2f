import { useTranslation } from 'react-i18next';
import type { Receipt } from '@kist/contract/emi';
import { formatDateTime, formatMoney } from '#web/i18n/formats.ts';
import { whatsAppUrl } from '#web/native/share.ts';
import { paths } from '#web/paths.ts';
import { ButtonAnchor, ButtonLink } from '#web/ui/button.tsx';
import { Facts } from '#web/ui/card.tsx';
import { Icon } from '#web/ui/icon.tsx';
import { Sheet } from '#web/ui/sheet.tsx';
import { Money } from '#web/widgets/money.tsx';

/** The money is in: receipt to share, and what became of the phone. Never says "unlocked" before the phone did. */
export function ReceiptSheet(props: {
  receipt: Receipt | null;
  mobile: string;
  customerId: string;
  onClose: () => void;
}) {
  const { receipt, mobile, customerId, onClose } = props;
  const { t } = useTranslation();
  return (
    <Sheet open={receipt !== null} onClose={onClose} title={t('emi.receipt')}>
      {receipt && (
        <div className="grid gap-3">
          <div className="grid justify-items-center gap-1 text-center">
            <span className="grid size-12 place-items-center rounded-full bg-ok-soft text-ok">
              <Icon name="check" />
            </span>
            <Money paise={receipt.amount_paise} />
            <span className="text-sm text-ink-2">{t('emi.receipt_no', { no: receipt.receipt_no })}</span>
          </div>
          {receipt.unlock && (
            <p role="status" className="flex items-center gap-3 rounded-lg bg-due-soft p-3 text-due">
              <Icon name="unlock" />
              {t('emi.unlock_sent')}
            </p>
          )}
          {receipt.warnings.includes('CASH_LIMIT') && (
            <p className="rounded-lg bg-over-soft p-3 text-over">{t('emi.cash_limit')}</p>
          )}
          <Facts
            items={[
              { label: t('emi.received_at'), value: formatDateTime(receipt.paid_at) },
              { label: t('emi.still_late'), value: formatMoney(receipt.overdue_paise) },
              { label: t('emi.still_left'), value: formatMoney(receipt.outstanding_paise) },
            ]}
          />
          <div className="flex flex-wrap gap-2 *:flex-1">
            <ButtonAnchor href={whatsAppUrl(receipt.share_text, mobile)} icon="chat">
              {t('common.whatsapp')}
            </ButtonAnchor>
            <ButtonLink to={paths.customerDetails(customerId)} tone="plain">
              {t('emi.see_phone')}
            </ButtonLink>
          </div>
        </div>
      )}
    </Sheet>
  );
}
