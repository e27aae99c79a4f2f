import { useTranslation } from 'react-i18next';
import { useRead } from '#web/api/use-call.ts';
import { ButtonAnchor } from '#web/ui/button.tsx';

/** The organisation's own page on which its customers pay, where it has one and offers it. */
export const usePaymentPage = (): string | undefined => useRead('getOrgAppConfig', {}).data?.payment_url ?? undefined;

/** Nothing where the organisation offers no such page. */
export function PaymentPage() {
  const { t } = useTranslation();
  const url = usePaymentPage();
  return url ? (
    <ButtonAnchor href={url} icon="globe">
      {t('emi.pay_online')}
    </ButtonAnchor>
  ) : null;
}
