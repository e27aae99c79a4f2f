import '#web/ui/inside-icons.ts';
import { useState, type FormEvent } from 'react';
import { useTranslation } from 'react-i18next';
import { Navigate } from 'react-router';
import { LIMITS } from '@kist/contract/limits';
import { isNetworkError } from '#web/api/errors.ts';
import { useSend } from '#web/api/use-send.ts';
import { maskMobile } from '@kist/contract/masked';
import { paths } from '#web/paths.ts';
import { deviceId } from '#web/state/session.ts';
import { phoneNowMs } from '#web/state/phone-clock.ts';
import { Button } from '#web/ui/button.tsx';
import { OtpInput } from '#web/ui/otp-input.tsx';
import { toast } from '#web/ui/toast.ts';
import { DemoOtp } from '#web/widgets/demo-otp.tsx';
import { OutsideFrame } from '#web/widgets/outside-frame.tsx';
import { ResendButton } from '#web/widgets/resend-button.tsx';
import { useEnter, useNavigateHere, useSignInState, type SignInState } from '#web/widgets/sign-in.ts';
import { useFieldProblem } from '#web/widgets/use-problem.ts';

/** The six digits, for LOGIN and FORGOT_PASSWORD. Verifies by itself when the last digit is in. */
export function Screen() {
  const { t } = useTranslation();
  const { mobile, purpose } = useSignInState();
  if (!mobile || !purpose) return <Navigate to={paths.login()} replace />;
  return (
    <OutsideFrame
      title={t('auth.otp_title')}
      detail={t('auth.otp_sent', { mobile: maskMobile(mobile) })}
      back={paths.login()}
    >
      <CodeForm mobile={mobile} purpose={purpose} />
    </OutsideFrame>
  );
}

function CodeForm({ mobile, purpose }: { mobile: string; purpose: 'LOGIN' | 'FORGOT_PASSWORD' }) {
  const { t } = useTranslation();
  const navigate = useNavigateHere();
  const enter = useEnter();
  const { from, whose } = useSignInState();
  const [otp, setOtp] = useState('');
  const [error, setError] = useState<string>();
  const problem = useFieldProblem(setError);
  const [verify, { isBusy }] = useSend('verifyOtpAuth');

  const check = async (digits: string) => {
    if (digits.length < LIMITS.otpDigits) return setError(t('field.otp'));
    const { data, error: refusal } = await verify({ body: { mobile, otp: digits, purpose, device_id: deviceId() } });
    if (refusal) {
      if (!isNetworkError(refusal)) setOtp('');
      return problem(refusal);
    }
    if (data.purpose === 'LOGIN') return enter(data, mobile);
    if (data.purpose !== 'FORGOT_PASSWORD') return undefined;
    const state: SignInState = { mode: 'reset', mobile, resetToken: data.reset_token, from, whose };
    return navigate(paths.mPin(), { replace: true, state });
  };
  const submit = (event: FormEvent) => {
    event.preventDefault();
    void check(otp);
  };
  return (
    <form className="grid gap-4" noValidate onSubmit={submit}>
      <OtpInput
        label={t('auth.otp_label')}
        name="otp"
        length={LIMITS.otpDigits}
        value={otp}
        error={error}
        // The code is all there is to do here, and the keyboard should be up before the SMS comes.
        // oxlint-disable-next-line jsx-a11y/no-autofocus
        autoFocus
        onValue={(digits) => {
          setOtp(digits);
          setError(undefined);
        }}
        onComplete={(digits) => void check(digits)}
      />
      <Button type="submit" block busy={isBusy}>
        {t('auth.verify')}
      </Button>
      <Resend mobile={mobile} purpose={purpose} />
      <p className="text-center text-sm empty:hidden">
        <DemoOtp />
      </p>
    </form>
  );
}

function Resend({ mobile, purpose }: { mobile: string; purpose: 'LOGIN' | 'FORGOT_PASSWORD' }) {
  const { t } = useTranslation();
  const [why, setWhy] = useState<string>();
  const problem = useFieldProblem(setWhy);
  const { resendAtMs = 0 } = useSignInState();
  const [atMs, setAtMs] = useState(resendAtMs);
  const [resend, { isBusy }] = useSend('resendOtp');
  const again = async () => {
    setWhy(undefined);
    const { data, error } = await resend({ body: { mobile, purpose, device_id: deviceId() } });
    if (data) {
      setAtMs(phoneNowMs() + data.resend_after_s * 1000);
      return toast.ok(t('auth.resent'));
    }
    if (error.retryAfterS) setAtMs(phoneNowMs() + error.retryAfterS * 1000);
    // The seconds that count down say it.
    return error.code === 'OTP_TOO_SOON' ? undefined : problem(error);
  };
  return (
    <div className="grid">
      {why !== undefined && (
        <p role="alert" className="text-sm text-over">
          {why}
        </p>
      )}
      <ResendButton atMs={atMs} busy={isBusy} onPress={() => void again()} />
    </div>
  );
}
