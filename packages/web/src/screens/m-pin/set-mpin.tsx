import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { useNavigate } from 'react-router';
import { errorText } from '#web/api/error-text.ts';
import { useSend } from '#web/api/use-send.ts';
import { paths } from '#web/paths.ts';
import { deviceId, markMpin } from '#web/state/session.ts';
import { Button } from '#web/ui/button.tsx';
import { PinPad } from '#web/ui/pin-pad.tsx';
import { toast } from '#web/ui/toast.ts';
import { OutsideFrame } from '#web/widgets/outside-frame.tsx';
import { useEnter, useSignInState } from '#web/widgets/sign-in.ts';

/** Twice the same four digits. @param resetToken from FORGOT_PASSWORD: the new M-PIN then also signs in. */
export function SetMpin(props: { resetToken?: string; mobile?: string }) {
  const { resetToken, mobile = '' } = props;
  const { t } = useTranslation();
  const navigate = useNavigate();
  const enter = useEnter();
  const { from } = useSignInState();
  const [first, setFirst] = useState('');
  const [mpin, setMpin] = useState('');
  const [error, setError] = useState<string>();
  const [set, { isBusy }] = useSend('setMpin');
  const [reset, { isBusy: isResetting }] = useSend('resetPassword');

  const goOn = () => navigate(from ?? paths.dashboard(), { replace: true });
  const save = async (digits: string) => {
    if (resetToken) {
      const { data, error: refusal } = await reset({
        body: { reset_token: resetToken, mpin: digits, device_id: deviceId() },
      });
      return refusal ? startOver(errorText(refusal, t)) : enter(data.session, mobile);
    }
    const { error: refusal } = await set({ body: { mpin: digits, device_id: deviceId() } });
    if (refusal) return startOver(errorText(refusal, t));
    markMpin(true);
    toast.ok(t('auth.mpin_saved'));
    return goOn();
  };
  const startOver = (sentence: string) => {
    setFirst('');
    setMpin('');
    setError(sentence);
  };
  const complete = (digits: string) => {
    if (!first) {
      setFirst(digits);
      return setMpin('');
    }
    return first === digits ? void save(digits) : startOver(t('auth.mpin_differs'));
  };
  const title = first ? t('auth.mpin_confirm') : resetToken ? t('auth.mpin_new') : t('auth.mpin_set');
  return (
    <OutsideFrame title={title} detail={t('auth.mpin_set_hint')}>
      <PinPad
        key={first ? 'confirm' : 'first'}
        label={title}
        value={mpin}
        error={error}
        disabled={isBusy || isResetting}
        autoComplete="new-password"
        onValue={(digits) => {
          setMpin(digits);
          if (digits) setError(undefined);
        }}
        onComplete={complete}
      />
      {!resetToken && (
        <Button tone="quiet" onClick={() => void goOn()}>
          {t('auth.mpin_skip')}
        </Button>
      )}
    </OutsideFrame>
  );
}
