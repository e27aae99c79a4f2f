import { useSyncExternalStore } from 'react';
import { api } from '#web/api/api.ts';
import { awayBy, isNetworkError, type ApiError, type Away } from '#web/api/errors.ts';
import { namesKept } from '#web/api/kept-at.ts';
import { appStore, isAnswered, isRefused, startListening } from '#web/state/store.ts';
import { Reconnect } from './reconnect.ts';

export interface SyncState {
  /** The phone has a network and our server answered last time it was asked. */
  isOnline: boolean;
  /** Why not, else null: no network, a Wi-Fi that wants a sign-in of its own first, or a server that is away while the network is there. */
  away: Away | null;
  /** When the server last answered, ms of this phone's clock; null before the first answer. */
  lastSyncMs: number | null;
}

const reconnect = new Reconnect({
  askAgain: () => appStore.dispatch(api.internalActions.onOnline()),
  isWorthAsking: () => navigator.onLine && document.visibilityState === 'visible',
});

let state: SyncState = { isOnline: navigator.onLine, away: navigator.onLine ? null : 'network', lastSyncMs: null };
const listeners = new Set<() => void>();
function set(away: Away | null, lastSyncMs = state.lastSyncMs): void {
  const next = { isOnline: away === null, away, lastSyncMs };
  state = next;
  if (next.isOnline) reconnect.stop();
  else reconnect.start();
  for (const listener of listeners) listener();
}

window.addEventListener('offline', () => set('network'));
window.addEventListener('online', () => set(null));

const backListeners = new Set<() => void>();
/** Hears when the server answers again after it could not be reached: the browser's own 'online' tells of the phone's network only. */
export const onServerBack = (listener: () => void): void => void backListeners.add(listener);

function answered(): void {
  const wasAway = !state.isOnline;
  set(null, Date.now());
  if (!wasAway) return;
  appStore.dispatch(api.util.invalidateTags(namesKept()));
  for (const listener of backListeners) listener();
}

// Every answer, also a refusal, shows that the server is there.
// An answer that was kept here shows that it is not.
startListening({
  matcher: isAnswered,
  effect: (action) => {
    const { instead } = (action.meta.baseQueryMeta ?? {}) as { instead?: ApiError };
    if (instead) set(awayBy(instead));
    else answered();
  },
});
startListening({
  matcher: isRefused,
  effect: ({ payload }) => {
    const error = payload as ApiError | undefined;
    if (!error) return;
    if (isNetworkError(error)) set(awayBy(error));
    else answered();
  },
});

const subscribe = (listener: () => void) => {
  listeners.add(listener);
  return () => listeners.delete(listener);
};
/** For a sentence that is said once; a screen that goes on being true asks `useSyncState`. */
export const awayNow = (): Away | null => state.away;
export const useSyncState = (): SyncState => useSyncExternalStore(subscribe, () => state);
