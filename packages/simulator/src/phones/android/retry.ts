/** First retry after a failed contact; doubles up to the longest pause. */
const FIRST_RETRY_MS = 2000;
const LONGEST_RETRY_MS = 15 * 60_000;

/**
 * Pause after the n-th failure in a row (1…): full jitter between half and the whole of a doubling pause, so that a fleet that lost its
 * server together does not come back together.
 * @param random 0…1
 */
export function retryMs(failures: number, random: number, longestMs = LONGEST_RETRY_MS): number {
  const pause = Math.min(longestMs, FIRST_RETRY_MS * 2 ** Math.min(failures - 1, 12));
  return Math.round(pause / 2 + (pause / 2) * random);
}

/** When to come back, as the server asked: `after_s`, spread over `spread_s`. */
export const nextContactMs = (next: { after_s: number; spread_s: number }, random: number): number =>
  Math.round((next.after_s + next.spread_s * random) * 1000);
