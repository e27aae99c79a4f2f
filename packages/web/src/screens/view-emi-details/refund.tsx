import { useTranslation } from 'react-i18next';
import type { PaymentMethod } from '@kist/contract/payment-methods';
import { useRead, useWrite } from '#web/api/use-call.ts';
import { Button } from '#web/ui/button.tsx';
import { toast } from '#web/ui/toast.ts';
import { MONEY_READS } from '#web/widgets/money-reads.ts';
import { REFUNDED } from '#web/widgets/payment-methods.ts';
import { useProblem } from '#web/widgets/use-problem.ts';

/** Money that came in when the agreement was over goes back, said once. */
export function Refund({ paymentId, onDone }: { paymentId: string; onDone: () => void }) {
  const { t } = useTranslation();
  const problem = useProblem();
  const { data } = useRead('listRefunds', {});
  const [give, { isBusy }] = useWrite('refundDone', [...MONEY_READS, 'listRefunds']);
  const task = data?.find(({ payment_id }) => payment_id === paymentId);
  if (!task) return null;
  if (task.state !== 'open') return <p>{t('emi.refund_done')}</p>;
  const run = async (method: PaymentMethod) => {
    const { error } = await give({ body: { payment_id: paymentId, method, reference: '' } });
    if (error) return problem(error);
    toast.ok(t('emi.refund_done'));
    onDone();
  };
  return (
    <div className="grid gap-3">
      <p>{t('emi.refund_owed')}</p>
      <div className="flex flex-wrap gap-2 *:flex-1">
        {REFUNDED.map((method) => (
          <Button key={method} busy={isBusy} onClick={() => void run(method)}>
            {t('emi.refund_pay')} · {t(`emi.pay_${method}`)}
          </Button>
        ))}
      </div>
    </div>
  );
}
