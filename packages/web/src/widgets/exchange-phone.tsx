import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { CUSTOMER_STATUS } from '@kist/contract/codes';
import type { CustomerProfile } from '@kist/contract/customers';
import { Button } from '#web/ui/button.tsx';
import { Sheet } from '#web/ui/sheet.tsx';
import { late } from './late.tsx';
import { useAccess } from './use-access.ts';

const Asked = late(async () => (await import('./exchange/asked.tsx')).Asked);

/** Another phone under a running agreement, or its wrong number put right (IMEI_EDIT): a sheet says first what becomes of phone, key and consent. */
export function ExchangePhone({ profile }: { profile: CustomerProfile }) {
  const { t } = useTranslation();
  const { isStaff, can } = useAccess();
  const [isOpen, setOpen] = useState(false);
  const { customer, agreement, edit_actions: edits } = profile;
  if (!isStaff || !can.activate || agreement?.state !== 'active') return null;
  if (!edits.includes('IMEI_EDIT') || customer.status === CUSTOMER_STATUS.deactivate) return null;
  return (
    <>
      <Button tone="plain" icon="phone" onClick={() => setOpen(true)}>
        {t('exchange.title')}
      </Button>
      <Sheet open={isOpen} onClose={() => setOpen(false)} title={t('exchange.title')}>
        {isOpen && <Asked profile={profile} />}
      </Sheet>
    </>
  );
}
