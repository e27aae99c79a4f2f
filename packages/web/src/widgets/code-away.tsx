import { useEffect } from 'react';
import { useTranslation } from 'react-i18next';
import { useNavigate } from 'react-router';
import { toApiError } from '#web/api/errors.ts';
import { Reconnect } from '#web/offline/reconnect.ts';
import { paths } from '#web/paths.ts';
import { reloadOnce } from '#web/state/lost-code.ts';
import { hasSession } from '#web/state/session.ts';
import { useBrand } from '#web/theme/use-brand.ts';
import '#web/ui/inside-icons.ts';
import { ProblemView } from './query-view.tsx';
import { Screen } from './screen.tsx';

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

/** A browser asks once for a file of code, only a fresh page asks again: as soon as it has a chance. */
function useReloadWhenThere(): void {
  useEffect(() => {
    let isShown = true;
    const look = () => void isServerThere().then((isThere) => isThere && isShown && reloadOnce());
    const reconnect = new Reconnect({
      askAgain: look,
      isWorthAsking: () => navigator.onLine && document.visibilityState === 'visible',
    });
    look();
    reconnect.start();
    window.addEventListener('online', look);
    return () => {
      isShown = false;
      reconnect.stop();
      window.removeEventListener('online', look);
    };
  }, []);
}

/** In place of a screen whose code is not on this phone and could not be fetched: no network, one that carries nothing, or the server is away. */
export function CodeAway() {
  const { t } = useTranslation();
  const navigate = useNavigate();
  const brand = useBrand()?.name;
  useReloadWhenThere();
  const home = hasSession() ? paths.dashboard() : paths.login();
  // The router counts the pages of this visit there.
  const hasBefore = Number((window.history.state as { idx?: number } | null)?.idx ?? 0) > 0;
  return (
    <Screen
      title={brand ?? t('shell.home')}
      onBack={() => void (hasBefore ? navigate(-1) : navigate(home, { replace: true }))}
    >
      <ProblemView error={toApiError('FETCH_ERROR', null)} onRetry={reload} />
    </Screen>
  );
}
