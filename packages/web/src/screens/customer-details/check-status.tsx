import { useTranslation } from 'react-i18next';
import { useWrite } from '#web/api/use-call.ts';
import { formatDateTime } from '#web/i18n/formats.ts';
import { Button } from '#web/ui/button.tsx';
import { toast } from '#web/ui/toast.ts';
import { PHONE_READS } from '#web/widgets/phone-reads.ts';
import { useProblem } from '#web/widgets/use-problem.ts';

/** Asks a phone that no code sets up how it stands (CHECK_STATUS), and says when it last said anything. */
export function CheckStatus({ customerId }: { customerId: string }) {
  const { t } = useTranslation();
  const problem = useProblem();
  const [ask, { isBusy }] = useWrite('checkStatus', PHONE_READS);
  const check = async () => {
    const { data, error } = await ask({ body: { customer_id: customerId } });
    if (error) return problem(error);
    if (!data.is_enrolled || data.last_seen_at === null) toast.info(t('qr.not_yet'));
    else toast.ok(`${t('device.last_seen')}: ${formatDateTime(data.last_seen_at)}`);
  };
  return (
    <Button tone="plain" icon="refresh" busy={isBusy} onClick={() => void check()}>
      {t('qr.check')}
    </Button>
  );
}
