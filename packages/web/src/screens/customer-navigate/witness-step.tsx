import { useTranslation } from 'react-i18next';
import type { CustomerProfile } from '@kist/contract/customers';
import { useRead } from '#web/api/use-call.ts';
import { paths } from '#web/paths.ts';
import { StepRow } from './step-row.tsx';

/** Where the organisation asks for one and the plan takes one: the witness signs, whenever somebody stands by. What was signed may be looked at and signed anew. */
export function WitnessStep({ profile, isDoable }: { profile: CustomerProfile; isDoable: boolean }) {
  const { t } = useTranslation();
  const { customer_id } = profile.customer;
  const asksForWitness = useRead('getOrgAppConfig', {}).data?.flags.witness_signature_layout ?? false;
  const isAsked = asksForWitness && profile.edit_actions.includes('EDIT_SIGNATURE');
  const kept = useRead(
    'getCustomerDocuments',
    { query: { customer_id, document_type: 'witness_signature' } },
    { skip: !isAsked },
  );
  if (!isAsked) return null;
  return (
    <StepRow
      title={t('customer.witness')}
      isOpen={kept.data ? kept.data.length === 0 : undefined}
      to={isDoable ? paths.witnessSignature(customer_id) : undefined}
    />
  );
}
