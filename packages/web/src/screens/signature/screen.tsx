import { useTranslation } from 'react-i18next';
import { useSearchParams } from 'react-router';
import { CUSTOMER_STATUS } from '@kist/contract/codes';
import { useRead } from '#web/api/use-call.ts';
import { paths } from '#web/paths.ts';
import { NotFound, QueryView } from '#web/widgets/query-view.tsx';
import { Screen as Frame } from '#web/widgets/screen.tsx';
import { Signing } from '#web/widgets/signing.tsx';

/** The customer's signature: what is on file, and a new one. */
export function Screen() {
  const { t } = useTranslation();
  const [search] = useSearchParams();
  const customerId = search.get('customer_id') ?? '';
  const profile = useRead('getCustomerProfile', { query: { customer_id: customerId } }, { skip: !customerId });
  const customer = profile.data?.customer;
  const back = !customerId
    ? paths.customerList()
    : !customer || customer.status === CUSTOMER_STATUS.inactive
      ? paths.customerNavigate(customerId)
      : paths.customerDetails(customerId);
  const name = customer && [customer.first_name, customer.last_name].filter(Boolean).join(' ');
  return (
    <Frame title={t('signature.title')} detail={name} back={back}>
      {customerId ? (
        <QueryView result={profile}>
          {({ customer: found }) => (
            <Signing customerId={found.customer_id} of="customer" documentId={found.signature_document_id} />
          )}
        </QueryView>
      ) : (
        <NotFound />
      )}
    </Frame>
  );
}
