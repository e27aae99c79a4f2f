import { useSyncExternalStore } from 'react';
import { api } from '#web/api/api.ts';
import { isNetworkError, type ApiError } from '#web/api/errors.ts';
import { onAction } from '#web/state/store.ts';

export interface SyncState {
  /** The phone has a network and our server answered last time it was asked. */
  isOnline: boolean;
  /** When the server last answered, ISO; null before the first answer. */
  lastSyncAt: string | null;
}

let state: SyncState = { isOnline: navigator.onLine, lastSyncAt: null };
const listeners = new Set<() => void>();
function set(next: SyncState): void {
  state = next;
  for (const listener of listeners) listener();
}

window.addEventListener('offline', () => set({ ...state, isOnline: false }));
window.addEventListener('online', () => set({ ...state, isOnline: true }));

const { read, write } = api.endpoints;
/** Every answer, also a refusal, shows that the server is there. */
function note(action: unknown): void {
  if (read.matchFulfilled(action) || write.matchFulfilled(action))
    return set({ isOnline: true, lastSyncAt: new Date().toISOString() });
  if (!read.matchRejected(action) && !write.matchRejected(action)) return;
  const error = action.payload as ApiError | undefined;
  if (error)
    set(
      isNetworkError(error) ? { ...state, isOnline: false } : { isOnline: true, lastSyncAt: new Date().toISOString() },
    );
}

onAction(note);

const subscribe = (listener: () => void) => {
  listeners.add(listener);
  return () => listeners.delete(listener);
};
export const useSyncState = (): SyncState => useSyncExternalStore(subscribe, () => state);
