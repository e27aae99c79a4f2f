import { useTranslation } from 'react-i18next';
import type { CustomerProfile } from '@kist/contract/customers';
import { useRead } from '#web/api/use-call.ts';
import { ButtonAnchor } from '#web/ui/button.tsx';

/** After the last payment: the way to the signed page that says so, for the customer and for the shop. */
export function Certificate({ profile: { customer, agreement } }: { profile: CustomerProfile }) {
  const { t } = useTranslation();
  const { data } = useRead(
    'getCertificate',
    { query: { customer_id: customer.customer_id } },
    { skip: agreement?.state !== 'completed' },
  );
  if (!data?.certificate) return null;
  return (
    <ButtonAnchor href={data.certificate.url} icon="doc" block>
      {t('emi.certificate')}
    </ButtonAnchor>
  );
}
