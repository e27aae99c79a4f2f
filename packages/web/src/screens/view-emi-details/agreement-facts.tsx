import { useTranslation } from 'react-i18next';
import type { EmiDetails } from '@kist/contract/emi';
import { formatDate, formatMoney, formatRate } from '#web/i18n/formats.ts';
import { Card, Facts } from '#web/ui/card.tsx';

/** What was signed, with the cost of it all. */
export function AgreementFacts({ agreement }: { agreement: EmiDetails['agreement'] }) {
  const { t } = useTranslation();
  return (
    <Card>
      <Facts
        items={[
          { label: t('emi.no'), value: agreement.agreement_no },
          ...(agreement.loan
            ? [
                { label: t('emi.financer'), value: agreement.loan.financer },
                { label: t('emi.loan_no'), value: agreement.loan.loan_account_no },
              ]
            : []),
          { label: t('emi.phone'), value: agreement.device },
          { label: t('emi.price'), value: formatMoney(agreement.cash_price_paise) },
          { label: t('emi.down'), value: formatMoney(agreement.down_payment_paise) },
          { label: t('emi.financed'), value: formatMoney(agreement.financed_paise) },
          {
            label: t('emi.method'),
            value: `${t(`emi.method_${agreement.method}`)} · ${t(`emi.frequency_${agreement.frequency}`)}`,
          },
          { label: t('emi.emi_times', { count: agreement.tenure }), value: formatMoney(agreement.emi_paise) },
          { label: t('emi.interest'), value: formatMoney(agreement.total_interest_paise) },
          ...(agreement.fee_paise > 0 ? [{ label: t('emi.fee'), value: formatMoney(agreement.fee_paise) }] : []),
          {
            label: t('emi.total_cost'),
            value: formatMoney(agreement.total_payable_paise + agreement.down_payment_paise),
          },
          { label: t('emi.apr'), value: formatRate(agreement.apr_bps) },
          { label: t('emi.delivered'), value: formatDate(agreement.delivered_on) },
        ]}
      />
    </Card>
  );
}
