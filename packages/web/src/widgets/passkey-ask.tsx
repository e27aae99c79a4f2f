import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { addPasskey } from '#web/native/passkey.ts';
import { Button } from '#web/ui/button.tsx';
import { toast } from '#web/ui/toast.ts';
import { useProblem } from './use-problem.ts';

/** Next time by finger, face or screen lock: what is kept where, and the two answers. */
export function PasskeyAsk(props: { onDone: () => void; onLater: () => void }) {
  const { onDone, onLater } = props;
  const { t } = useTranslation();
  const problem = useProblem();
  const [isBusy, setBusy] = useState(false);
  const add = async () => {
    setBusy(true);
    const { data, error } = await addPasskey();
    setBusy(false);
    if (data) {
      toast.ok(t('passkey.added'));
      onDone();
    } else if (error !== 'cancelled') problem(error);
  };
  return (
    <>
      <p className="text-ink-2">{t('passkey.body')}</p>
      <Button icon="fingerprint" busy={isBusy} onClick={() => void add()}>
        {t('passkey.use')}
      </Button>
      <Button tone="quiet" disabled={isBusy} onClick={onLater}>
        {t('install.later')}
      </Button>
    </>
  );
}
