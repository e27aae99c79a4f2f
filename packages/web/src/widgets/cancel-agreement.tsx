import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import type { CustomerProfile } from '@kist/contract/customers';
import { Button } from '#web/ui/button.tsx';
import { Sheet } from '#web/ui/sheet.tsx';
import { late } from './late.tsx';
import { useAccess } from './use-access.ts';

const Asked = late(
  async () => (await import('./cancel/asked.tsx')).Asked,
  () => Promise.resolve(),
);

/** Ends a running agreement for good: a sheet says first what becomes of money, phone and key. */
export function CancelAgreement({ profile }: { profile: CustomerProfile }) {
  const { t } = useTranslation();
  const { isStaff, can } = useAccess();
  const [isOpen, setOpen] = useState(false);
  if (!isStaff || !can.activate || profile.agreement?.state !== 'active') return null;
  const close = () => setOpen(false);
  return (
    <>
      <Button tone="quiet" icon="close" className="text-over" onClick={() => setOpen(true)}>
        {t('cancel.title')}
      </Button>
      <Sheet open={isOpen} onClose={close} title={t('cancel.title')}>
        {isOpen && <Asked profile={profile} onDone={close} />}
      </Sheet>
    </>
  );
}
