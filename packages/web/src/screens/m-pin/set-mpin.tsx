import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { LIMITS } from '@kist/contract/limits';
import { useNavigate } from 'react-router';
import { errorText } from '#web/api/error-text.ts';
import { useSend } from '#web/api/use-send.ts';
import { paths } from '#web/paths.ts';
import { markPasskey, offerPasskeySoon } from '#web/state/passkey.ts';
import { deviceId, markMpin } from '#web/state/session.ts';
import { Button } from '#web/ui/button.tsx';
import { PinPad } from '#web/ui/pin-pad.tsx';
import { toast } from '#web/ui/toast.ts';
import { OutsideFrame } from '#web/widgets/outside-frame.tsx';
import { useEnter, useSignInState } from '#web/widgets/sign-in.ts';

/** Keeps the M-PIN and goes on; with a reset token the new one also signs in. @returns why it was refused, in words; undefined when it was kept. */
function useSave(resetToken: string | undefined, mobile: string, goOn: () => void) {
  const { t } = useTranslation();
  const enter = useEnter();
  const [set, { isBusy }] = useSend('setMpin');
  const [reset, { isBusy: isResetting }] = useSend('resetPassword');
  const save = async (mpin: string): Promise<string | undefined> => {
    if (resetToken) {
      const { data, error } = await reset({ body: { reset_token: resetToken, mpin, device_id: deviceId() } });
      if (error) return errorText(error, t);
      // A new M-PIN took it away on every device.
      markPasskey(false);
      offerPasskeySoon();
      void enter(data.session, mobile);
      return undefined;
    }
    const { error } = await set({ body: { mpin, device_id: deviceId() } });
    if (error) return errorText(error, t);
    markMpin(true);
    offerPasskeySoon();
    toast.ok(t('auth.mpin_saved'));
    goOn();
    return undefined;
  };
  return { save, isBusy: isBusy || isResetting };
}

/** Twice the same four digits. @param resetToken from FORGOT_PASSWORD: the new M-PIN then also signs in. */
export function SetMpin(props: { resetToken?: string; mobile?: string }) {
  const { resetToken, mobile = '' } = props;
  const { t } = useTranslation();
  const navigate = useNavigate();
  const { from } = useSignInState();
  const [first, setFirst] = useState('');
  const [mpin, setMpin] = useState('');
  const [error, setError] = useState<string>();
  const goOn = () => void navigate(from ?? paths.dashboard(), { replace: true });
  const { save, isBusy } = useSave(resetToken, mobile, goOn);
  const startOver = (sentence: string) => {
    setFirst('');
    setMpin('');
    setError(sentence);
  };
  const complete = async (digits: string) => {
    if (!first) {
      setFirst(digits);
      return setMpin('');
    }
    const refusal = first === digits ? await save(digits) : t('auth.mpin_differs');
    if (refusal !== undefined) startOver(refusal);
  };
  const title = first ? t('auth.mpin_confirm') : resetToken ? t('auth.mpin_new') : t('auth.mpin_set');
  return (
    <OutsideFrame title={title} detail={t('auth.mpin_set_hint')}>
      <PinPad
        length={LIMITS.mpinDigits}
        key={first ? 'confirm' : 'first'}
        label={title}
        value={mpin}
        error={error}
        disabled={isBusy}
        autoComplete="new-password"
        onValue={(digits) => {
          setMpin(digits);
          if (digits) setError(undefined);
        }}
        onComplete={(digits) => void complete(digits)}
      />
      {!resetToken && (
        <Button tone="quiet" onClick={goOn}>
          {t('auth.mpin_skip')}
        </Button>
      )}
    </OutsideFrame>
  );
}
