import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import type { EmiDetails, PaymentView } from '@kist/contract/emi';
import { formatDateTime, formatMoney } from '#web/i18n/formats.ts';
import { Chip } from '#web/ui/chip.tsx';
import { Facts, SectionTitle } from '#web/ui/card.tsx';
import { ListRow, RowGroup, RowIcon } from '#web/ui/list-row.tsx';
import { Sheet } from '#web/ui/sheet.tsx';
import { usePaymentPage } from '#web/widgets/payment-page.tsx';
import { PaperActions } from '#web/widgets/collect/paper-actions.tsx';
import { leftAfter, paperText, paymentPaper } from '#web/widgets/collect/paper.ts';

/** What has a number: receipts, those that were reversed among them. */
export function Receipts({ details, shop }: { details: EmiDetails; shop: string }) {
  const { t } = useTranslation();
  const [open, setOpen] = useState<PaymentView | null>(null);
  const receipts = details.payments.filter(({ receipt_no }) => receipt_no !== null);
  return (
    <>
      <SectionTitle>{t('mine.receipts')}</SectionTitle>
      {receipts.length === 0 && <p className="text-sm text-ink-2">{t('emi.no_payments')}</p>}
      {receipts.length > 0 && (
        <RowGroup label={t('mine.receipts')}>
          {receipts.map((payment) => (
            <ListRow
              key={payment.payment_id}
              onPress={() => setOpen(payment)}
              lead={<RowIcon icon="receipt" tone={payment.state === 'posted' ? 'ok' : 'over'} />}
              title={formatMoney(payment.amount_paise)}
              detail={formatDateTime(payment.paid_at)}
              trail={
                payment.state === 'posted' ? (
                  <span>{payment.receipt_no}</span>
                ) : (
                  <Chip tone="over">{t('emi.reversed')}</Chip>
                )
              }
            />
          ))}
        </RowGroup>
      )}
      <Sheet open={open !== null} onClose={() => setOpen(null)} title={t('emi.receipt')}>
        {open && <Receipt payment={open} details={details} shop={shop} />}
      </Sheet>
    </>
  );
}

/** To read, to share, to print; what was reversed says why and is not given on. */
function Receipt({ payment, details, shop }: { payment: PaymentView; details: EmiDetails; shop: string }) {
  const { t } = useTranslation();
  const { first_name, last_name, device, agreement_no } = details.agreement;
  const paymentPage = usePaymentPage();
  const of = { shop, customer: `${first_name} ${last_name}`.trim(), device, agreementNo: agreement_no, paymentPage };
  const paper = paymentPaper(of, payment, t, leftAfter(payment, details));
  return (
    <div className="grid gap-3">
      <Facts
        items={[
          { label: t('dispute.by_shop'), value: shop },
          { label: t('emi.amount'), value: paper.amount },
          { label: t('emi.no_short'), value: paper.no },
          ...paper.lines,
          ...(payment.note_no ? [{ label: t('emi.note_no'), value: payment.note_no }] : []),
          ...(payment.reverse_reason ? [{ label: t('emi.reverse_reason'), value: payment.reverse_reason }] : []),
        ]}
      />
      {payment.state === 'posted' && <PaperActions paper={paper} text={paperText(paper, t)} />}
    </div>
  );
}
