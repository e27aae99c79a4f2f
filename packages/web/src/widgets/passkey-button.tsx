import '#web/ui/inside-icons.ts';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import type { ApiError } from '#web/api/errors.ts';
import { toApiError } from '#web/api/errors.ts';
import { hasPasskey } from '#web/state/passkey.ts';
import { Button } from '#web/ui/button.tsx';
import { useEnter } from './sign-in.ts';

/** Signs in by this device's own fingerprint, where it has one. Its code comes with the press. */
export function PasskeyButton(props: { mobile: string; onProblem: (error: ApiError) => void }) {
  const { mobile, onProblem } = props;
  const { t } = useTranslation();
  const enter = useEnter();
  const [isBusy, setBusy] = useState(false);
  const [isOffered, setOffered] = useState(hasPasskey);
  const press = async () => {
    setBusy(true);
    const { data, error } = await import('#web/native/passkey.ts')
      .then(({ enterByPasskey }) => enterByPasskey(mobile))
      .catch(() => ({ data: undefined, error: toApiError('FETCH_ERROR', null) }));
    setBusy(false);
    if (data) return enter(data, mobile);
    setOffered(hasPasskey());
    if (error && error !== 'cancelled') onProblem(error);
  };
  if (!isOffered) return null;
  return (
    <Button icon="fingerprint" block busy={isBusy} onClick={() => void press()}>
      {t('auth.use_fingerprint')}
    </Button>
  );
}
