import type { CallArgs } from './calls.ts';

/** Questions that were asked before the screen that asks them stood. */
const ahead = new Set<string>();
const keyOf = ({ name, input }: CallArgs) => JSON.stringify([name, input]);

/** As long as a slow phone takes from the answer to its screen. */
export const AHEAD_S = 3;

export const noteAhead = (args: CallArgs): void => void ahead.add(keyOf(args));
/** @returns whether an answer of the last `AHEAD_S` is the screen's own: it need not be asked again when it opens. */
export const isAhead = (args: CallArgs): boolean => ahead.size > 0 && ahead.has(keyOf(args));
