import { useEffect } from 'react';

/** Keeps the screen lit while the code is on it, where the browser can: a phone that goes dark in the customer's hand has to be shown again. */
export function useWakeLock(): void {
  useEffect(() => {
    let isOver = false;
    let held: WakeLockSentinel | undefined;
    const hold = async () => {
      if (document.visibilityState !== 'visible' || !('wakeLock' in navigator)) return;
      // Refused in power saving mode; then the screen keeps its own time.
      const sentinel = await navigator.wakeLock.request('screen').catch(() => undefined);
      if (isOver) void sentinel?.release();
      else held = sentinel;
    };
    void hold();
    document.addEventListener('visibilitychange', hold);
    return () => {
      isOver = true;
      document.removeEventListener('visibilitychange', hold);
      void held?.release();
    };
  }, []);
}
