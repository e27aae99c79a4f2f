import { useEffect } from 'react';
import { toApiError } from '#web/api/errors.ts';
import '#web/ui/inside-icons.ts';
import { ProblemView } from './query-view.tsx';

const reload = () => window.location.reload();

/** In place of a screen whose code is not on this phone, while there is no network to fetch it. A browser asks once for a file of code: only a fresh page asks again. */
export function CodeAway() {
  useEffect(() => {
    if (navigator.onLine) return reload();
    window.addEventListener('online', reload);
    return () => window.removeEventListener('online', reload);
  }, []);
  return <ProblemView error={toApiError('FETCH_ERROR', null)} onRetry={reload} />;
}
