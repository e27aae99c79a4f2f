import { useTranslation } from 'react-i18next';
import type { CustomerProfile } from '@kist/contract/customers';
import { useRead } from '#web/api/use-call.ts';
import { formatDate, formatDateTime } from '#web/i18n/formats.ts';
import { formatMobile } from '#web/i18n/mobile.ts';
import { paths } from '#web/paths.ts';
import { ButtonLink } from '#web/ui/button.tsx';
import { Card, Facts } from '#web/ui/card.tsx';
import { CancelAgreement } from '#web/widgets/cancel-agreement.tsx';
import { CustomerDataButtons } from '#web/widgets/customer-data.tsx';
import { ContactButtons } from '#web/widgets/contact-buttons.tsx';
import { EditPerson } from '#web/widgets/edit-person.tsx';
import { ExchangePhone } from '#web/widgets/exchange-phone.tsx';
import { UnclaimPhone } from '#web/widgets/unclaim-phone.tsx';
import { useAccess } from '#web/widgets/use-access.ts';
import { CheckStatus } from './check-status.tsx';

/** Who it is, and the edits that the plan allows; a phone set free for good is not set up again. */
export function PersonCard({ profile }: { profile: CustomerProfile }) {
  const { t } = useTranslation();
  const { customer, agreement } = profile;
  const address = [customer.address.line1, customer.address.city, customer.address.state, customer.address.pincode]
    .filter(Boolean)
    .join(', ');
  return (
    <Card className="grid gap-3">
      <Facts
        items={[
          ...(customer.mobile ? [{ label: t('customer.mobile'), value: formatMobile(customer.mobile) }] : []),
          ...(customer.alternate_mobile
            ? [{ label: t('customer.alternate'), value: formatMobile(customer.alternate_mobile) }]
            : []),
          ...(address ? [{ label: t('customer.address'), value: address }] : []),
          ...(customer.birth_on ? [{ label: t('customer.birth'), value: formatDate(customer.birth_on) }] : []),
          ...(customer.aadhaar_masked ? [{ label: 'Aadhaar', value: customer.aadhaar_masked }] : []),
          ...(customer.pan_masked ? [{ label: 'PAN', value: customer.pan_masked }] : []),
          ...(agreement ? [{ label: t('emi.no'), value: agreement.agreement_no }] : []),
          ...profile.exchanges.map((past) => ({
            label: t('exchange.past'),
            value: [`${past.brand} ${past.model}`, past.imei1, formatDateTime(past.at)].filter(Boolean).join(' · '),
          })),
          { label: t('customers.plan'), value: customer.plan_name },
          { label: t('customers.added_by'), value: customer.added_by },
          { label: t('customer.added'), value: formatDateTime(customer.created_at) },
        ]}
      />
      {customer.mobile && <ContactButtons mobile={customer.mobile} />}
      <EditButtons profile={profile} />
      <EditPerson profile={profile} />
      <ExchangePhone profile={profile} />
      <UnclaimPhone profile={profile} />
      <CancelAgreement profile={profile} />
      {!customer.is_draft && <CustomerDataButtons customerId={customer.customer_id} />}
    </Card>
  );
}

function EditButtons({ profile }: { profile: CustomerProfile }) {
  const { customer, edit_actions: edits, device, agreement } = profile;
  const { t } = useTranslation();
  const { can } = useAccess();
  const asksForWitness = useRead('getOrgAppConfig', {}).data?.flags.witness_signature_layout ?? false;
  return (
    <div className="flex flex-wrap gap-2 *:flex-1">
      {can.activate && edits.includes('EMM_QR_CODE') && !device?.released_at && (
        <ButtonLink to={paths.emmQr(customer.customer_id)} tone="plain" icon="qr">
          {t('customer.qr')}
        </ButtonLink>
      )}
      {can.activate && edits.includes('CHECK_STATUS') && <CheckStatus customerId={customer.customer_id} />}
      {can.activate && edits.includes('EMI_EDIT') && agreement?.state === 'active' && (
        <ButtonLink to={paths.emiDetails(customer.customer_id)} tone="plain" icon="calendar">
          {t('emi_edit.title')}
        </ButtonLink>
      )}
      {can.activate && edits.includes('EDIT_SIGNATURE') && (
        <ButtonLink to={paths.signature(customer.customer_id)} tone="plain" icon="sign">
          {t('customer.signature')}
        </ButtonLink>
      )}
      {can.activate && edits.includes('EDIT_SIGNATURE') && asksForWitness && (
        <ButtonLink to={paths.witnessSignature(customer.customer_id)} tone="plain" icon="sign">
          {t('customer.witness')}
        </ButtonLink>
      )}
      {(edits.includes('EDIT_DOCUMENTS') || !can.activate) && (
        <ButtonLink to={paths.customerDocuments(customer.customer_id)} tone="plain" icon="doc">
          {t('customer.documents')}
        </ButtonLink>
      )}
    </div>
  );
}
