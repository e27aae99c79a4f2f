import { useTranslation } from 'react-i18next';
import { useWrite } from '#web/api/use-call.ts';
import { Button } from '#web/ui/button.tsx';
import { toast } from '#web/ui/toast.ts';
import { useAccess } from './use-access.ts';
import { useProblem } from './use-problem.ts';

/** Reminds a customer on the phone and by SMS; the server keeps it from becoming a nuisance. Nothing for who may not. */
export function RemindButton({ customerId }: { customerId: string }) {
  const { t } = useTranslation();
  const problem = useProblem();
  const { can } = useAccess();
  const [remind, { isBusy }] = useWrite('sendEmiAlert', ['getUpcomingEmi']);
  if (!can.useFeatures) return null;
  const run = async () => {
    const { data, error } = await remind({ body: { customer_id: customerId } });
    if (error) problem(error);
    else toast.ok(t('emi.reminded', { channels: data.sent.map((channel) => t(`emi.channel_${channel}`)).join(' + ') }));
  };
  return (
    <Button tone="plain" icon="bell" busy={isBusy} onClick={() => void run()}>
      {t('emi.remind')}
    </Button>
  );
}
