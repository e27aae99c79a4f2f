import { useTranslation } from 'react-i18next';
import { LIMITS } from '@kist/contract/limits';
import { OtpInput } from '#web/ui/otp-input.tsx';
import { ResendButton } from './resend-button.tsx';
import type { ConsentCode } from './use-consent-code.ts';

/** By its name the code's field is found again: the next thing to do when the rest is done. */
const FIELD = 'consent-code';
/** The paper that was put down goes back in the history (ui/back-closes.ts), and the browser then to where the page was. */
const RESTORED_MS = 250;

/** Puts the cursor, and with it the phone's keyboard, where the code goes, in sight above the screen's own button. */
export function focusConsentCode(): void {
  const field = document.querySelector<HTMLInputElement>(`input[name=${FIELD}]`);
  if (!field) return;
  const show = () => field.scrollIntoView({ block: 'center' });
  field.focus({ preventScroll: true });
  show();
  setTimeout(() => document.activeElement === field && show(), RESTORED_MS);
}

/** A code that was sent: its six digits, and the way to another one. */
export function ConsentCodeField({ code }: { code: ConsentCode }) {
  const { t } = useTranslation();
  return (
    <>
      <OtpInput
        label={t('auth.otp_label')}
        hint={t('auth.otp_sent', { mobile: code.sentTo })}
        name={FIELD}
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
