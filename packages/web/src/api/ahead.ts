import { type CallArgs, questionOf } from './calls.ts';

/** Questions that were asked before the screen that asks them stood, and when (ms of `performance.now()`). */
const ahead = new Map<string, number>();

/** As long as a slow phone takes from the answer to its screen. */
export const AHEAD_S = 3;

export const noteAhead = (args: CallArgs): void => void ahead.set(questionOf(args), performance.now());

/** @returns whether the answer is that of the screen which opens first: it need not be asked again. Of one that opens later it is asked anew, as ever. */
export function isAhead(args: CallArgs): boolean {
  const askedMs = ahead.size > 0 ? ahead.get(questionOf(args)) : undefined;
  return askedMs !== undefined && performance.now() - askedMs < AHEAD_S * 1000;
}
