import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { LIMITS } from '@kist/contract/limits';
import { Button } from '#web/ui/button.tsx';
import { OtpInput } from '#web/ui/otp-input.tsx';
import { ResendButton } from './resend-button.tsx';
import type { Code } from './sent-codes.ts';

/** The OTP that goes to the customer, and where it is typed. */
export function SentCode(props: {
  code: Code;
  /** What it is about is whole: it can be asked for. */
  isReady: boolean;
  isBusy: boolean;
  /** Where one can do without it, its button is not the one of the page. */
  isOptional?: boolean;
  onAsk: () => void;
  onDigits: (digits: string) => void;
}) {
  const { code, isReady, isBusy, isOptional, onAsk, onDigits } = props;
  const { t } = useTranslation();
  const [wasAsked, setAsked] = useState(false);
  const ask = () => {
    setAsked(true);
    onAsk();
  };
  if (code.sentTo === undefined)
    return (
      <>
        {code.error !== undefined && (
          <p role="alert" className="text-sm text-over">
            {code.error}
          </p>
        )}
        <Button tone={isOptional ? 'plain' : undefined} busy={isBusy} disabled={!isReady} onClick={ask}>
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
        // oxlint-disable-next-line jsx-a11y/no-autofocus -- the button that was pressed is gone; not for whoever looked at another and came back
        autoFocus={wasAsked}
        onValue={(otp) => code.put({ otp, error: undefined })}
        onComplete={onDigits}
      />
      <ResendButton atMs={code.resendAtMs} busy={isBusy} onPress={onAsk} />
    </>
  );
}
