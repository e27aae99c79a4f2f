import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { Button } from '#web/ui/button.tsx';
import { RemindSheet } from './remind-sheet.tsx';
import { useAccess } from './use-access.ts';

/** Reminds a customer on the phone and by SMS, after a look at the words; the server keeps it from becoming a nuisance. Nothing for who may not. */
export function RemindButton({ customerId }: { customerId: string }) {
  const { t } = useTranslation();
  const { can } = useAccess();
  const [isAsking, setAsking] = useState(false);
  if (!can.useFeatures) return null;
  return (
    <>
      <Button tone="plain" icon="bell" onClick={() => setAsking(true)}>
        {t('emi.remind')}
      </Button>
      <RemindSheet
        whom={isAsking ? { customer_id: customerId } : null}
        title={t('emi.remind')}
        onClose={() => setAsking(false)}
      />
    </>
  );
}
