import { useEffect, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { toApiError } from '#web/api/errors.ts';
import { Reconnect } from '#web/offline/reconnect.ts';
import { keptHere } from '#web/state/kept-here.ts';
import { reloadOnce } from '#web/state/lost-code.ts';
import { Button } from '#web/ui/button.tsx';
import { StateView } from '#web/ui/state-view.tsx';
import { ProblemView } from './query-view.tsx';

const reload = () => window.location.reload();
/** Small, never kept by the worker, and there wherever the code is. */
const ASKED = '/kist-config.json';
const ASKED_MS = 10_000;

/** A captive portal answers too, with a page of its own. */
async function isServerThere(): Promise<boolean> {
  try {
    const response = await fetch(ASKED, { cache: 'no-store', signal: AbortSignal.timeout(ASKED_MS) });
    return response.status === 404 || (response.ok && /json/.test(response.headers.get('content-type') ?? ''));
  } catch {
    return false;
  }
}

/**
 * A browser asks once for a file of code, only a fresh page asks again: as soon as it has a chance.
 * @returns whether the server is there and a fresh page did not help: the file is gone.
 */
function useReloadWhenThere(): boolean {
  const [isGone, setGone] = useState(false);
  useEffect(() => {
    let isShown = true;
    const look = async () => {
      const isThere = await isServerThere();
      if (isShown) setGone(isThere && !reloadOnce());
    };
    const askAgain = () => void look();
    const reconnect = new Reconnect({
      askAgain,
      isWorthAsking: () => navigator.onLine && document.visibilityState === 'visible',
    });
    askAgain();
    reconnect.start();
    window.addEventListener('online', askAgain);
    return () => {
      isShown = false;
      reconnect.stop();
      window.removeEventListener('online', askAgain);
    };
  }, []);
  return isGone;
}

/** In place of what came with code or words that are not on this phone and could not be fetched: no network, one that carries nothing, the server is away, or a newer build took the old file from it. */
export function CodeLost() {
  const { t } = useTranslation();
  if (!useReloadWhenThere()) return <ProblemView error={toApiError('FETCH_ERROR', null)} onRetry={reload} />;
  return (
    <StateView
      kind="error"
      title={t('states.error_title')}
      body={`${t('states.unexpected_body')} ${t(keptHere('states.saved_safe'))}`}
    >
      <Button icon="refresh" onClick={reload}>
        {t('shell.reload')}
      </Button>
    </StateView>
  );
}
