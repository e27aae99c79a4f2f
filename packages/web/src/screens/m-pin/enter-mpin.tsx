import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { LIMITS } from '@kist/contract/limits';
import { errorText } from '#web/api/error-text.ts';
import { useSend } from '#web/api/use-send.ts';
import { maskMobile } from '@kist/contract/masked';
import { paths } from '#web/paths.ts';
import { offerPasskeySoon } from '#web/state/passkey.ts';
import { deviceId, markMpin } from '#web/state/session.ts';
import { Button } from '#web/ui/button.tsx';
import { PinPad } from '#web/ui/pin-pad.tsx';
import { OutsideFrame } from '#web/widgets/outside-frame.tsx';
import { PasskeyButton } from '#web/widgets/passkey-button.tsx';
import { useEnter, useToCode } from '#web/widgets/sign-in.ts';
import { useFieldProblem } from '#web/widgets/use-problem.ts';

/** Why no code could be sent to a device that has to be verified by one. */
const NO_CODE: readonly string[] = ['OTP_TOO_SOON', 'OTP_DAILY_LIMIT', 'SMS_UNAVAILABLE'];

/** The three ways in from here: the M-PIN, a code instead, a code because it was forgotten. */
function useWaysIn(mobile: string) {
  const { t } = useTranslation();
  const enter = useEnter();
  const toCode = useToCode();
  const [mpin, setMpin] = useState('');
  const [error, setError] = useState<string>();
  const problem = useFieldProblem(setError);
  const [login, { isBusy }] = useSend('loginWithOtp');
  const [forgot, { isBusy: isSending }] = useSend('forgotPassword');

  const check = async (digits: string) => {
    const { data, error: refusal } = await login({ body: { mobile, mpin: digits, device_id: deviceId() } });
    setMpin('');
    if (refusal && !NO_CODE.includes(refusal.code)) return setError(errorText(refusal, t));
    if (data?.step === 'session') {
      offerPasskeySoon();
      return enter(data.session, mobile);
    }
    // The M-PIN was not looked at: the server wants this device verified by a code.
    if (refusal && refusal.code !== 'OTP_TOO_SOON')
      return setError(`${t('auth.verify_first')} ${errorText(refusal, t)}`);
    markMpin(false);
    return toCode(mobile, 'LOGIN', refusal ? refusal.retryAfterS : data.resend_after_s);
  };
  const ask = async () => {
    const { data, error: refusal } = await forgot({ body: { mobile, device_id: deviceId() } });
    if (refusal?.code === 'OTP_TOO_SOON') return toCode(mobile, 'FORGOT_PASSWORD', refusal.retryAfterS);
    return refusal ? problem(refusal) : toCode(mobile, 'FORGOT_PASSWORD', data.resend_after_s);
  };
  const byCode = async () => {
    const { data, error: refusal } = await login({ body: { mobile, device_id: deviceId() } });
    if (refusal?.code === 'OTP_TOO_SOON') return toCode(mobile, 'LOGIN', refusal.retryAfterS);
    if (refusal) return problem(refusal);
    return data.step === 'otp' ? toCode(mobile, 'LOGIN', data.resend_after_s) : enter(data.session, mobile);
  };
  const type = (digits: string) => {
    setMpin(digits);
    if (digits) setError(undefined);
  };
  return { mpin, type, error, setError, check, isBusy, ask, isSending, byCode };
}

/** Signs in by M-PIN. When the server no longer trusts this device it answers with a code's step instead. */
export function EnterMpin({ mobile }: { mobile: string }) {
  const { t } = useTranslation();
  const { mpin, type, error, setError, check, isBusy, ask, isSending, byCode } = useWaysIn(mobile);
  return (
    <OutsideFrame title={t('auth.mpin_enter')} detail={maskMobile(mobile)} back={paths.login()}>
      <PinPad
        length={LIMITS.mpinDigits}
        label={t('auth.mpin_enter')}
        value={mpin}
        error={error}
        disabled={isBusy}
        onValue={type}
        onComplete={(digits) => void check(digits)}
      />
      <div className="grid">
        <PasskeyButton mobile={mobile} onProblem={(refusal) => setError(errorText(refusal, t))} />
        <Button tone="quiet" busy={isSending} onClick={() => void ask()}>
          {t('auth.mpin_forgot')}
        </Button>
        <Button tone="quiet" onClick={() => void byCode()}>
          {t('auth.use_code')}
        </Button>
      </div>
    </OutsideFrame>
  );
}
