import { useEffect } from 'react';
import { useTranslation } from 'react-i18next';
import type { CustomerProfile } from '@kist/contract/customers';
import { formatDate, formatDateTime } from '#web/i18n/formats.ts';
import { forgetTypedOf } from '#web/state/typed.ts';
import { Card, Facts } from '#web/ui/card.tsx';

/** What is said of somebody who was erased: when, what the law keeps and until when, and which sale it was. */
export function Erased({ profile: { customer, device, agreement }, erasure }: Props) {
  const { t } = useTranslation();
  const { customer_id: customerId } = customer;
  // Erased from another phone, or while the words lay here: nothing that was typed about them stays on this one.
  useEffect(() => forgetTypedOf(customerId), [customerId]);
  const kept = { books: formatDate(erasure.books_until), evidence: formatDate(erasure.evidence_until) };
  return (
    <Card className="grid gap-3">
      <p className="font-bold">{t('erase.on', { date: formatDate(erasure.erased_at) })}</p>
      <p>{t('erase.stays', kept)}</p>
      <Facts
        items={[
          ...(agreement ? [{ label: t('emi.no'), value: agreement.agreement_no }] : []),
          ...(device?.imei1 ? [{ label: 'IMEI', value: device.imei1 }] : []),
          { label: t('customers.plan'), value: customer.plan_name },
          { label: t('customers.added_by'), value: customer.added_by },
          { label: t('customer.added'), value: formatDateTime(customer.created_at) },
        ]}
      />
    </Card>
  );
}

interface Props {
  profile: CustomerProfile;
  erasure: NonNullable<CustomerProfile['erasure']>;
}
