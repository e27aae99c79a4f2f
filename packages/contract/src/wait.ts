/** How long somebody is asked to wait, as people say it: a sentence of the locale (`wait.hours`) and its number. */
export interface Wait {
  key: 'wait.seconds' | 'wait.minutes' | 'wait.hours';
  count: number;
}

const MINUTE_S = 60;
const HOUR_S = 3600;
/** '80 seconds' and '80 minutes' still say more than '2 minutes' and '2 hours'. */
const SMALL_MANY = 90;

/** Always up: who comes back when told is not told to wait again. */
export function waitOf(seconds: number): Wait {
  if (seconds <= SMALL_MANY) return { key: 'wait.seconds', count: Math.max(1, Math.ceil(seconds)) };
  if (seconds <= SMALL_MANY * MINUTE_S) return { key: 'wait.minutes', count: Math.ceil(seconds / MINUTE_S) };
  return { key: 'wait.hours', count: Math.ceil(seconds / HOUR_S) };
}
