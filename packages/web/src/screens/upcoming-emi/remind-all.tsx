import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { useWrite } from '#web/api/use-call.ts';
import { Button } from '#web/ui/button.tsx';
import { Confirm } from '#web/ui/confirm.tsx';
import { toast } from '#web/ui/toast.ts';
import { useAccess } from '#web/widgets/use-access.ts';
import { useProblem } from '#web/widgets/use-problem.ts';
import type { Bucket } from './buckets.ts';

/** Reminds everybody of a bucket, after a yes that says how many. Who was reminded a moment ago is left out by the server. */
export function RemindAll({ bucket, customers }: { bucket: Bucket; customers: number }) {
  const { t } = useTranslation();
  const problem = useProblem();
  const { can } = useAccess();
  const [isAsking, setAsking] = useState(false);
  const [remind, { isBusy }] = useWrite('sendEmiAlert', ['getUpcomingEmi']);
  if (!can.useFeatures || customers === 0) return null;
  const run = async () => {
    const { data, error } = await remind({ body: { filter: { due: bucket } } });
    setAsking(false);
    if (error) return problem(error);
    toast.ok(
      data.refused > 0
        ? t('dues.reminded_some', { count: data.reminded, refused: data.refused })
        : t('dues.reminded_all', { count: data.reminded }),
    );
  };
  return (
    <>
      <Button tone="plain" icon="bell" onClick={() => setAsking(true)}>
        {t('dues.remind_all', { count: customers })}
      </Button>
      <Confirm
        open={isAsking}
        onClose={() => setAsking(false)}
        title={t('dues.remind_all', { count: customers })}
        body={t('dues.remind_body')}
        confirmLabel={t('emi.remind')}
        busy={isBusy}
        onConfirm={() => void run()}
      />
    </>
  );
}
