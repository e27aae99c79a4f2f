import { useTranslation } from 'react-i18next';
import { CustomerFrame } from '#web/widgets/customer-frame.tsx';
import { Signing } from '#web/widgets/signing.tsx';

/** The customer's signature: what is on file, and a new one. */
export function Screen() {
  const { t } = useTranslation();
  return (
    <CustomerFrame title={t('signature.title')}>
      {({ customer }) => (
        <Signing customerId={customer.customer_id} of="customer" documentId={customer.signature_document_id} />
      )}
    </CustomerFrame>
  );
}
