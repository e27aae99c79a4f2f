import type { CallName } from '@kist/contract/paths';
import { type CallArgs, questionOf } from './calls.ts';

/** Questions whose answer on the screen was kept on this phone, and when it came (ms of this phone's clock). */
const kept = new Map<string, { name: CallName; atMs: number }>();

export function noteKept(args: CallArgs, atMs: number | undefined): void {
  if (atMs === undefined) kept.delete(questionOf(args));
  else kept.set(questionOf(args), { name: args.name, atMs });
}
/** @returns undefined: the server said so itself. */
export const keptAtMs = (args: CallArgs): number | undefined => kept.get(questionOf(args))?.atMs;
/** The reads that show what was kept. */
export const namesKept = (): CallName[] => [...new Set([...kept.values()].map(({ name }) => name))];
