import type { CallName } from '@kist/contract/paths';
import { type CallArgs, questionOf } from './calls.ts';

interface HowKept {
  /** When it came, ms of this phone's clock. */
  atMs: number;
  /** It was looked for among what this phone has. */
  isSearched?: boolean | undefined;
}
/** Questions whose answer on the screen was kept on this phone. */
const kept = new Map<string, HowKept & { name: CallName }>();

/** @param how undefined: the server said so itself. */
export function noteKept(args: CallArgs, how: HowKept | undefined): void {
  if (how === undefined) kept.delete(questionOf(args));
  else kept.set(questionOf(args), { name: args.name, atMs: how.atMs, isSearched: how.isSearched });
}
/** @returns undefined: the server said so itself. */
export const howKept = (args: CallArgs): HowKept | undefined => kept.get(questionOf(args));
/** @returns undefined: the server said so itself. */
export const keptAtMs = (args: CallArgs): number | undefined => howKept(args)?.atMs;
/** The reads that show what was kept. */
export const namesKept = (): CallName[] => [...new Set([...kept.values()].map(({ name }) => name))];
