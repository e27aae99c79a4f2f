import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { useNavigate } from 'react-router';
import { LIMITS } from '@kist/contract/limits';
import type { EditPreview } from '@kist/contract/revising';
import type { CallInput } from '#web/api/calls.ts';
import { isNetworkError } from '#web/api/errors.ts';
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

type Body = CallInput<'previewEmiEdit'>['body'];

/** Sends the customer the OTP about these very terms. */
function useCode(body: Body) {
  const [sentTo, setSentTo] = useState<string>();
  const [resendAtMs, setResendAtMs] = useState(0);
  const [otp, setOtp] = useState('');
  const [error, setError] = useState<string>();
  const problem = useFieldProblem(setError);
  const [send, { isBusy }] = useWrite('sendEmiEditCode', []);
  const ask = async () => {
    setError(undefined);
    const { data, error: refusal } = await send({ body });
    const wait = data?.resend_after_s ?? refusal?.retryAfterS;
    if (wait !== undefined) setResendAtMs(phoneNowMs() + wait * 1000);
    if (data) setSentTo(data.masked_mobile);
    else problem(refusal);
  };
  const type = (digits: string) => {
    setOtp(digits);
    setError(undefined);
  };
  const refused = (refusal: Parameters<typeof problem>[0]) => {
    if (!isNetworkError(refusal)) setOtp('');
    problem(refusal);
  };
  return { sentTo, resendAtMs, otp, error, isBusy, ask, type, refused };
}

/** Why it is changed, who agrees, and the change itself. */
export function Change({ said, body, isReady }: { said: EditPreview; body: Body; isReady: boolean }) {
  const { t } = useTranslation();
  const navigate = useNavigate();
  const problem = useProblem();
  const code = useCode(body);
  const [reason, setReason] = useState('');
  const [isAsked, setAsked] = useState(false);
  const [send, { isBusy }] = useWrite('updateEmiDetails', [...MONEY_READS, 'previewEmiEdit', 'getTotalOutstanding']);
  const isTold = reason.trim().length >= LIMITS.reasonLengthMin;
  const change = async (otp?: string) => {
    setAsked(true);
    if (!isTold || !isReady) return;
    const given = { reason: reason.trim(), schedule_version: said.schedule_version, ...(otp && { otp }) };
    const { error } = await send({ body: { ...body, ...given } });
    if (error) return otp ? code.refused(error) : problem(error);
    toast.ok(t('emi_edit.done'));
    void navigate(paths.viewEmiDetails(body.customer_id), { replace: true });
  };
  const ask = async () => {
    setAsked(true);
    if (isTold) await code.ask();
  };
  return (
    <Card className="grid gap-3">
      <TextArea
        label={t('cancel.reason')}
        value={reason}
        rows={2}
        onChange={(event) => setReason(event.target.value)}
        maxLength={LIMITS.noteLength}
        error={isAsked && !isTold ? t('field.required') : undefined}
      />
      {said.needs_code && <p>{t('emi_edit.needs_code')}</p>}
      {!said.needs_code ? (
        <Button busy={isBusy} disabled={!isReady} onClick={() => void change()}>
          {t('emi_edit.save')}
        </Button>
      ) : (
        <Agreeing
          code={code}
          isReady={isReady}
          isBusy={code.isBusy || isBusy}
          onAsk={() => void ask()}
          onDigits={(digits) => void change(digits)}
        />
      )}
    </Card>
  );
}

/** The OTP that goes to the customer, and where it is typed. */
function Agreeing(props: {
  code: ReturnType<typeof useCode>;
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
        <Button busy={code.isBusy} disabled={!isReady} onClick={onAsk}>
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
        onValue={code.type}
        onComplete={onDigits}
      />
      <ResendButton atMs={code.resendAtMs} busy={isBusy} onPress={() => void code.ask()} />
    </>
  );
}
