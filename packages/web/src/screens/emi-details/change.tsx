import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { useNavigate } from 'react-router';
import { LIMITS } from '@kist/contract/limits';
import type { EditPreview } from '@kist/contract/revising';
import type { CallInput } from '#web/api/calls.ts';
import { useWrite } from '#web/api/use-call.ts';
import { paths } from '#web/paths.ts';
import { phoneNowMs } from '#web/state/phone-clock.ts';
import { Button } from '#web/ui/button.tsx';
import { Card } from '#web/ui/card.tsx';
import { OtpInput } from '#web/ui/otp-input.tsx';
import { TextArea } from '#web/ui/text-field.tsx';
import { toast } from '#web/ui/toast.ts';
import { MONEY_READS } from '#web/widgets/money-reads.ts';
import { ResendButton } from '#web/widgets/resend-button.tsx';
import { useFieldProblem, useProblem } from '#web/widgets/use-problem.ts';
import type { Code } from './codes.ts';

type Body = CallInput<'previewEmiEdit'>['body'];

const IS_SPENT: readonly string[] = ['OTP_INVALID', 'OTP_EXPIRED', 'OTP_USED_UP'];

/** Sends the customer the OTP about these very terms, and says by its field what becomes of it. */
function useSending(body: Body, code: Code) {
  const problem = useFieldProblem((error) => code.put({ error }));
  const [send, { isBusy }] = useWrite('sendEmiEditCode', []);
  const ask = async () => {
    code.put({ error: undefined });
    const { data, error: refusal } = await send({ body });
    const wait = data?.resend_after_s ?? refusal?.retryAfterS;
    if (wait !== undefined) code.put({ resendAtMs: phoneNowMs() + wait * 1000 });
    if (data) code.put({ sentTo: data.masked_mobile });
    else problem(refusal);
  };
  const refused = (refusal: Parameters<typeof problem>[0]) => {
    // What is wrong with something else leaves a right OTP right.
    if (IS_SPENT.includes(refusal.code)) code.put({ otp: '' });
    problem(refusal);
  };
  return { isBusy, ask, refused };
}

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
  const sending = useSending(body, code);
  const [isAsked, setAsked] = useState(false);
  const [send, { isBusy }] = useWrite('updateEmiDetails', [...MONEY_READS, 'previewEmiEdit', 'getTotalOutstanding']);
  const isTold = reason.trim().length >= LIMITS.reasonLengthMin;
  const change = async (otp?: string) => {
    setAsked(true);
    if (!isTold || !isReady) return;
    const given = { reason: reason.trim(), schedule_version: said.schedule_version, ...(otp && { otp }) };
    const { error } = await send({ body: { ...body, ...given } });
    if (error?.code === 'STATE_CONFLICT') return onConflict();
    if (error) return otp ? sending.refused(error) : problem(error);
    toast.ok(t('emi_edit.done'));
    void navigate(paths.viewEmiDetails(body.customer_id), { replace: true });
  };
  const ask = async () => {
    setAsked(true);
    if (isTold) await sending.ask();
  };
  return { change, ask, isChanging: isBusy, isSending: sending.isBusy, lacksReason: isAsked && !isTold };
}

/** Why it is changed, who agrees, and the change itself. What is typed is kept by the screen, whatever is looked at or refused meanwhile. */
export function Change(props: ChangeProps) {
  const { said, isReady, reason, onReason, code } = props;
  const { t } = useTranslation();
  const { change, ask, isChanging, isSending, lacksReason } = useChange(props);
  return (
    <Card className="grid gap-3">
      <TextArea
        label={t('cancel.reason')}
        value={reason}
        rows={2}
        onChange={(event) => onReason(event.target.value)}
        maxLength={LIMITS.noteLength}
        error={lacksReason ? t('field.required') : undefined}
      />
      {said.needs_code && <p>{t('emi_edit.needs_code')}</p>}
      {!said.needs_code ? (
        <Button busy={isChanging} disabled={!isReady} onClick={() => void change()}>
          {t('emi_edit.save')}
        </Button>
      ) : (
        <Agreeing
          code={code}
          isReady={isReady}
          isBusy={isSending || isChanging}
          onAsk={() => void ask()}
          onDigits={(digits) => void change(digits)}
        />
      )}
    </Card>
  );
}

/** The OTP that goes to the customer, and where it is typed. */
function Agreeing(props: {
  code: Code;
  isReady: boolean;
  isBusy: boolean;
  onAsk: () => void;
  onDigits: (digits: string) => void;
}) {
  const { code, isReady, isBusy, onAsk, onDigits } = props;
  const { t } = useTranslation();
  if (code.sentTo === undefined)
    return (
      <>
        {code.error !== undefined && (
          <p role="alert" className="text-sm text-over">
            {code.error}
          </p>
        )}
        <Button busy={isBusy} disabled={!isReady} onClick={onAsk}>
          {t('consent.send_code')}
        </Button>
      </>
    );
  return (
    <>
      <OtpInput
        label={t('auth.otp_label')}
        hint={t('auth.otp_sent', { mobile: code.sentTo })}
        length={LIMITS.otpDigits}
        value={code.otp}
        error={code.error}
        onValue={(otp) => code.put({ otp, error: undefined })}
        onComplete={onDigits}
      />
      <ResendButton atMs={code.resendAtMs} busy={isBusy} onPress={onAsk} />
    </>
  );
}
