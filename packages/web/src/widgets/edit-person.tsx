import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import type { CustomerProfile } from '@kist/contract/customers';
import { Button } from '#web/ui/button.tsx';
import { Sheet } from '#web/ui/sheet.tsx';
import { late } from './late.tsx';
import { useAccess } from './use-access.ts';

const Person = late(async () => (await import('./person/person.tsx')).Person);

/** Who a customer is and how they are reached, put right in a sheet. A draft is changed in its form. */
export function EditPerson({ profile: { customer } }: { profile: CustomerProfile }) {
  const { t } = useTranslation();
  const { isStaff, can } = useAccess();
  const [isOpen, setOpen] = useState(false);
  // Of whoever was erased no number is left.
  if (!isStaff || !can.activate || customer.is_draft || !customer.mobile) return null;
  return (
    <>
      <Button tone="plain" icon="user" onClick={() => setOpen(true)}>
        {t('customer.edit')}
      </Button>
      <Sheet open={isOpen} onClose={() => setOpen(false)} title={t('customer.edit')}>
        {isOpen && <Person customer={customer} onDone={() => setOpen(false)} />}
      </Sheet>
    </>
  );
}
