import { useTranslation } from 'react-i18next';
import { LIMITS } from '@kist/contract/limits';
import { Button } from '#web/ui/button.tsx';
import { OtpInput } from '#web/ui/otp-input.tsx';
import { CONSENT_FIELD } from './consent-field.ts';
import { ResendButton } from './resend-button.tsx';
import type { ConsentCode } from './use-consent-code.ts';

/** A code that was sent: its six digits, and the way to another one. */
export function ConsentCodeField({ code }: { code: ConsentCode }) {
  const { t } = useTranslation();
  return (
    <>
      <OtpInput
        label={t('auth.otp_label')}
        hint={t('auth.otp_sent', { mobile: code.sentTo })}
        name={CONSENT_FIELD}
        length={LIMITS.otpDigits}
        value={code.otp}
        error={code.error}
        onValue={code.type}
        onComplete={(digits) => void code.take(digits)}
      />
      <ResendButton atMs={code.resendAtMs} busy={code.isBusy} onPress={() => void code.ask()} />
    </>
  );
}

/** Why no code could be sent. */
export const CodeProblem = ({ code: { error } }: { code: ConsentCode }) =>
  error === undefined ? null : (
    <p role="alert" className="text-sm text-over">
      {error}
    </p>
  );

/** Sends it; where another code went to this number a moment ago, once that one's wait is over. */
export function SendCode({ code, label, isPlain = false }: { code: ConsentCode; label: string; isPlain?: boolean }) {
  const ask = () => void code.ask();
  if (code.isOther) return <ResendButton atMs={code.resendAtMs} busy={code.isBusy} onPress={ask} />;
  return (
    <Button tone={isPlain ? 'plain' : 'accent'} busy={code.isBusy} onClick={ask}>
      {label}
    </Button>
  );
}
