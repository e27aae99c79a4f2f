import { useEffect, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { waitText } from '#web/api/error-text.ts';
import { phoneNowMs } from '#web/state/phone-clock.ts';
import { Button } from '#web/ui/button.tsx';

/** More seconds than anybody counts: when the codes of a day are used up it is hours. */
const COUNTED_S = 90;

interface Resend {
  /** When it may be asked for, ms of this clock. */
  atMs: number;
  busy: boolean;
  onPress: () => void;
}

/** Asks for another code once its wait is over; until then the seconds count down in its place. */
export const ResendButton = (props: Resend) => <Countdown key={props.atMs} {...props} />;

function Countdown({ atMs, busy, onPress }: Resend) {
  const { t } = useTranslation();
  const [nowMs, setNowMs] = useState(phoneNowMs);
  const seconds = Math.ceil((atMs - nowMs) / 1000);
  useEffect(() => {
    if (seconds <= 0) return;
    const timer = setInterval(() => setNowMs(phoneNowMs()), 500);
    return () => clearInterval(timer);
  }, [seconds]);
  if (seconds <= 0)
    return (
      <Button tone="quiet" busy={busy} onClick={onPress}>
        {t('auth.resend')}
      </Button>
    );
  return (
    <p className="flex min-h-12 items-center justify-center text-ink-2">
      {seconds > COUNTED_S ? t('auth.resend_wait', { wait: waitText(seconds, t) }) : t('auth.resend_in', { seconds })}
    </p>
  );
}
