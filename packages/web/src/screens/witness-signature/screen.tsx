import { useTranslation } from 'react-i18next';
import { useRead } from '#web/api/use-call.ts';
import { StateView } from '#web/ui/state-view.tsx';
import { CustomerFrame } from '#web/widgets/customer-frame.tsx';
import { QueryView } from '#web/widgets/query-view.tsx';
import { Signing } from '#web/widgets/signing.tsx';

/** The signature of who stood by when the customer signed, where the organisation asks for one. */
export function Screen() {
  const { t } = useTranslation();
  return (
    <CustomerFrame title={t('customer.witness')}>
      {({ customer }) => <Witness customerId={customer.customer_id} />}
    </CustomerFrame>
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
