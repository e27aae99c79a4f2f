import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { LIMITS } from '@kist/contract/limits';
import { useWrite } from '#web/api/use-call.ts';
import { formatMoney } from '#web/i18n/formats.ts';
import { useTyped } from '#web/state/typed.ts';
import { Button } from '#web/ui/button.tsx';
import { useFirstWrong } from '#web/ui/first-wrong.ts';
import { TextArea } from '#web/ui/text-field.tsx';
import { toast } from '#web/ui/toast.ts';
import { MONEY_READS } from '#web/widgets/money-reads.ts';
import { reasonFault } from '#web/widgets/reason-fault.ts';
import { useProblem } from '#web/widgets/use-problem.ts';

/** Takes a payment back, with why. @param props.about by which what was typed is found again */
export function Reverse(props: { about: string; paymentId: string; onDone: () => void; onCancel: () => void }) {
  const { about, paymentId, onDone, onCancel } = props;
  const { t } = useTranslation();
  const problem = useProblem();
  const [{ reason = '' }, type, forget] = useTyped<{ reason: string }>(about);
  const [isShort, setShort] = useState(false);
  const lead = useFirstWrong();
  const [reverse, { isBusy }] = useWrite('reversePayment', MONEY_READS);
  const run = async () => {
    if (reasonFault(reason, t)) {
      setShort(true);
      return lead();
    }
    const { data, error } = await reverse({ body: { payment_id: paymentId, reason: reason.trim() } });
    if (error) return problem(error);
    forget();
    const rest = data.rest_waits_paise;
    toast.ok(rest > 0 ? t('emi.reversed_rest', { amount: formatMoney(rest) }) : t('emi.reversed_done'));
    onDone();
  };
  return (
    <div className="grid gap-3">
      <TextArea
        label={t('emi.reverse_reason')}
        hint={t('emi.reverse_hint')}
        value={reason}
        onChange={(event) => type({ reason: event.target.value })}
        maxLength={LIMITS.noteLength}
        error={isShort ? reasonFault(reason, t) : undefined}
      />
      <div className="flex flex-wrap gap-2 *:flex-1">
        <Button
          tone="plain"
          onClick={() => {
            forget();
            onCancel();
          }}
        >
          {t('common.cancel')}
        </Button>
        <Button tone="danger" busy={isBusy} onClick={() => void run()}>
          {t('emi.reverse')}
        </Button>
      </div>
    </div>
  );
}
