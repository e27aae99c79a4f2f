import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { Button } from '#web/ui/button.tsx';
import { RemindSheet } from '#web/widgets/remind-sheet.tsx';
import { useAccess } from '#web/widgets/use-access.ts';
import type { Bucket } from './buckets.ts';

/** Reminds everybody of a bucket, after a look at what that comes to. */
export function RemindAll({ bucket, customers }: { bucket: Bucket; customers: number }) {
  const { t } = useTranslation();
  const { can } = useAccess();
  const [isAsking, setAsking] = useState(false);
  if (!can.useFeatures || customers === 0) return null;
  const title = t('dues.remind_all', { count: customers });
  return (
    <>
      <Button tone="plain" icon="bell" className="md:justify-self-start" onClick={() => setAsking(true)}>
        {title}
      </Button>
      <RemindSheet whom={isAsking ? { due: bucket } : null} title={title} onClose={() => setAsking(false)} />
    </>
  );
}
