import { useTranslation } from 'react-i18next';
import { useSearchParams } from 'react-router';
import { CUSTOMER_STATUS } from '@kist/contract/codes';
import { useRead } from '#web/api/use-call.ts';
import { paths } from '#web/paths.ts';
import { ButtonLink } from '#web/ui/button.tsx';
import { StateView } from '#web/ui/state-view.tsx';
import { QueryView } from '#web/widgets/query-view.tsx';
import { Screen as Frame } from '#web/widgets/screen.tsx';
import { Signing } from '#web/widgets/signing.tsx';

/** The signature of who stood by when the customer signed, where the organisation asks for one. */
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
    <Frame title={t('documents.witness')} detail={name} back={back}>
      {customerId ? (
        <QueryView result={profile}>{() => <Witness customerId={customerId} />}</QueryView>
      ) : (
        <StateView kind="no_result" title={t('states.not_found')} body={t('states.not_found_body')}>
          <ButtonLink to={paths.customerList()}>{t('shell.customers')}</ButtonLink>
        </StateView>
      )}
    </Frame>
  );
}

function Witness({ customerId }: { customerId: string }) {
  const { t } = useTranslation();
  const config = useRead('getOrgAppConfig', {});
  const isAsked = config.data?.flags.witness_signature_layout ?? false;
  const documents = useRead(
    'getCustomerDocuments',
    { query: { customer_id: customerId, document_type: 'witness_signature' } },
    { skip: !isAsked },
  );
  return (
    <QueryView result={config}>
      {() =>
        isAsked ? (
          <QueryView result={documents}>
            {([kept]) => <Signing customerId={customerId} of="witness" documentId={kept?.document_id ?? null} />}
          </QueryView>
        ) : (
          <StateView kind="empty" icon="sign" title={t('documents.no_witness')} body={t('documents.no_witness_body')} />
        )
      }
    </QueryView>
  );
}
