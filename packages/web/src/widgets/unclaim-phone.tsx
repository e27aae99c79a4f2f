import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import type { CustomerProfile } from '@kist/contract/customers';
import { mayBeLetGo } from '@kist/contract/letting-go';
import { useWrite } from '#web/api/use-call.ts';
import { Button } from '#web/ui/button.tsx';
import { Confirm } from '#web/ui/confirm.tsx';
import { toast } from '#web/ui/toast.ts';
import { PHONE_READS } from './phone-reads.ts';
import { useAccess } from './use-access.ts';
import { useProblem } from './use-problem.ts';

/** Whether the server lets this customer's phone go. */
const isOffered = ({ customer, device, agreement, lost_reports: reports }: CustomerProfile): boolean =>
  !customer.is_draft &&
  device !== null &&
  mayBeLetGo({
    isReleased: device.released_at !== null,
    isMissed: reports.length > 0,
    isEnrolled: device.enrolled_at !== null,
    isRunning: agreement?.state === 'active',
  });

/** Lets go of a phone that nobody set up yet, or whose agreement is over: its number is free for another sale. */
export function UnclaimPhone({ profile }: { profile: CustomerProfile }) {
  const { t } = useTranslation();
  const { isStaff, can } = useAccess();
  const problem = useProblem();
  const [isAsking, setAsking] = useState(false);
  const [letGo, { isBusy }] = useWrite('unclaimCustomer', [...PHONE_READS, 'getKeys', 'listPlans']);
  if (!isStaff || !can.activate || !isOffered(profile)) return null;
  const run = async () => {
    const { data, error } = await letGo({ body: { customer_id: profile.customer.customer_id } });
    setAsking(false);
    if (error) return problem(error);
    return toast.ok(`${t('unclaim.done')}${data.keys_returned > 0 ? ` ${t('cancel.key_RETURNED')}` : ''}`);
  };
  const becomes = t(profile.device?.enrolled_at ? 'cancel.phone_set' : 'cancel.phone_new');
  return (
    <>
      <Button tone="quiet" icon="close" onClick={() => setAsking(true)}>
        {t('unclaim.title')}
      </Button>
      <Confirm
        open={isAsking}
        title={t('unclaim.title')}
        body={`${becomes} ${t('unclaim.intro')}`}
        confirmLabel={t('unclaim.do')}
        danger
        busy={isBusy}
        onConfirm={() => void run()}
        onClose={() => setAsking(false)}
      />
    </>
  );
}
