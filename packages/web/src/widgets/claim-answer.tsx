import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { LIMITS } from '@kist/contract/limits';
import type { PhoneClaim } from '@kist/contract/phone-claims';
import { useWrite } from '#web/api/use-call.ts';
import { Button } from '#web/ui/button.tsx';
import { useFirstWrong } from '#web/ui/first-wrong.ts';
import { TextArea } from '#web/ui/text-field.tsx';
import { toast } from '#web/ui/toast.ts';
import { Collect } from './collect/collect.tsx';
import { MONEY_READS } from './money-reads.ts';
import { reasonFault } from './reason-fault.ts';
import { useProblem } from './use-problem.ts';

/** The shop's yes or no to what a customer says was paid; no needs a reason, which the customer can read. */
export function ClaimAnswer({ paymentId, onDone }: { paymentId: string; onDone: () => void }) {
  const { t } = useTranslation();
  const problem = useProblem();
  const [answer, { isBusy }] = useWrite('answerClaim', MONEY_READS);
  const run = async (body: { is_received: boolean; reason?: string }) => {
    const { error } = await answer({ body: { payment_id: paymentId, ...body } });
    if (error) return problem(error);
    toast.ok(t('emi.claim_answered'));
    onDone();
  };
  return (
    <YesOrNo
      isBusy={isBusy}
      onYes={() => void run({ is_received: true })}
      onNo={(reason) => void run({ is_received: false, reason })}
    />
  );
}

/** The same of what was said on the phone, which names no sum: yes is to take the money, and any payment ends what was said. */
export function PhoneClaimAnswer({ claim, customerId }: { claim: PhoneClaim; customerId: string }) {
  const { t } = useTranslation();
  const problem = useProblem();
  const [isCollecting, setCollecting] = useState(false);
  const [refuse, { isBusy }] = useWrite('refusePhoneClaim', MONEY_READS);
  const run = async (reason: string) => {
    const { error } = await refuse({ body: { claim_id: claim.claim_id, reason } });
    if (error) return problem(error);
    toast.ok(t('emi.claim_answered'));
  };
  return (
    <>
      <YesOrNo isBusy={isBusy} onYes={() => setCollecting(true)} onNo={(reason) => void run(reason)} />
      <Collect customerId={isCollecting ? customerId : null} onClose={() => setCollecting(false)} />
    </>
  );
}

function YesOrNo(props: { isBusy: boolean; onYes: () => void; onNo: (reason: string) => void }) {
  const { isBusy, onYes, onNo } = props;
  const { t } = useTranslation();
  const [isRefusing, setRefusing] = useState(false);
  const [reason, setReason] = useState('');
  const [isShort, setShort] = useState(false);
  const lead = useFirstWrong();
  const refuse = () => {
    if (!isRefusing) return setRefusing(true);
    if (reasonFault(reason, t)) {
      setShort(true);
      return lead();
    }
    onNo(reason.trim());
  };
  return (
    <div className="grid gap-3">
      <p>{t('emi.claim_ask')}</p>
      {isRefusing && (
        <TextArea
          label={t('emi.reverse_reason')}
          value={reason}
          onChange={(event) => setReason(event.target.value)}
          maxLength={LIMITS.noteLength}
          error={isShort ? reasonFault(reason, t) : undefined}
        />
      )}
      <div className="flex flex-wrap gap-2 *:flex-1">
        {isRefusing && (
          <Button tone="plain" onClick={() => setRefusing(false)}>
            {t('common.back')}
          </Button>
        )}
        <Button tone={isRefusing ? 'danger' : 'plain'} busy={isBusy} onClick={refuse}>
          {t('emi.claim_no')}
        </Button>
        {!isRefusing && (
          <Button busy={isBusy} onClick={onYes}>
            {t('emi.claim_yes')}
          </Button>
        )}
      </div>
    </div>
  );
}
