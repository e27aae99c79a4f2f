import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { useNavigate } from 'react-router';
import { LIMITS } from '@kist/contract/limits';
import type { EditPreview } from '@kist/contract/revising';
import type { CallInput } from '#web/api/calls.ts';
import { useWrite } from '#web/api/use-call.ts';
import { paths } from '#web/paths.ts';
import { Button } from '#web/ui/button.tsx';
import { Card } from '#web/ui/card.tsx';
import { useFirstWrong } from '#web/ui/first-wrong.ts';
import { TextArea } from '#web/ui/text-field.tsx';
import { toast } from '#web/ui/toast.ts';
import { MONEY_READS } from '#web/widgets/money-reads.ts';
import { reasonFault } from '#web/widgets/reason-fault.ts';
import { SentCode } from '#web/widgets/sent-code.tsx';
import { type Code, useSending } from '#web/widgets/sent-codes.ts';
import { useProblem } from '#web/widgets/use-problem.ts';

type Body = CallInput<'previewEmiEdit'>['body'];

interface ChangeProps {
  said: EditPreview;
  body: Body;
  isReady: boolean;
  reason: string;
  onReason: (reason: string) => void;
  code: Code;
  /** Another phone was quicker. */
  onConflict: () => void;
}

/** The change itself, and the OTP that goes out before it; neither without a reason. */
function useChange({ said, body, isReady, reason, code, onConflict }: ChangeProps) {
  const { t } = useTranslation();
  const navigate = useNavigate();
  const problem = useProblem();
  const [sendCode, { isBusy: isSending }] = useWrite('sendEmiEditCode', []);
  const sending = useSending(code, () => sendCode({ body }));
  const [isAsked, setAsked] = useState(false);
  const lead = useFirstWrong();
  const [send, { isBusy }] = useWrite('updateEmiDetails', [...MONEY_READS, 'previewEmiEdit', 'getTotalOutstanding']);
  const fault = reasonFault(reason, t);
  const change = async (otp?: string) => {
    setAsked(true);
    if (fault || !isReady) return lead();
    const given = { reason: reason.trim(), schedule_version: said.schedule_version, ...(otp && { otp }) };
    const { error } = await send({ body: { ...body, ...given } });
    if (error?.code === 'STATE_CONFLICT') return onConflict();
    if (error) return otp ? sending.refused(error) : problem(error);
    toast.ok(t('emi_edit.done'));
    void navigate(paths.viewEmiDetails(body.customer_id), { replace: true });
  };
  const ask = async () => {
    setAsked(true);
    if (fault) return lead();
    await sending.ask();
  };
  return { change, ask, isChanging: isBusy, isSending, fault: isAsked ? fault : undefined };
}

/** Why it is changed, who agrees, and the change itself. What is typed is kept by the screen, whatever is looked at or refused meanwhile. */
export function Change(props: ChangeProps) {
  const { said, isReady, reason, onReason, code } = props;
  const { t } = useTranslation();
  const { change, ask, isChanging, isSending, fault } = useChange(props);
  return (
    <Card className="grid gap-3">
      <TextArea
        label={t('cancel.reason')}
        value={reason}
        rows={2}
        onChange={(event) => onReason(event.target.value)}
        maxLength={LIMITS.noteLength}
        error={fault}
      />
      {said.needs_code && <p>{t('emi_edit.needs_code')}</p>}
      {!said.needs_code ? (
        <Button busy={isChanging} disabled={!isReady} onClick={() => void change()}>
          {t('emi_edit.save')}
        </Button>
      ) : (
        <SentCode
          code={code}
          isReady={isReady}
          isBusy={isSending || isChanging}
          onAsk={() => void ask()}
          onDigits={(digits) => void change(digits)}
        />
      )}
      {said.needs_code && code.sentTo !== undefined && (
        // The sixth digit sends it; this is for when that came to nothing.
        <Button
          busy={isChanging}
          disabled={!isReady || code.otp.length < LIMITS.otpDigits}
          onClick={() => void change(code.otp)}
        >
          {t('emi_edit.save')}
        </Button>
      )}
    </Card>
  );
}
