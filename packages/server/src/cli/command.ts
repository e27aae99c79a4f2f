import { parseArgs } from 'node:util';
import type { Verbs } from './verbs.ts';

/** One word of the `kist` command line. */
export interface Command {
  usage: string;
  says: string;
  /** Of a noun: what can be said behind it; it teaches them itself. */
  verbs?: Verbs;
  /** What `--help` tells where that is more than its line. */
  help?: string;
  /** @returns false when what it looked at is not in order: the process ends with 1. */
  run(args: readonly string[]): Promise<boolean>;
}

/** What a person typed cannot be used; the message says why, and the process ends with 2. */
export class UsageError extends Error {
  override readonly name = 'UsageError';
}

/** What was typed can be used, and a service refused it; the message says why. */
export class RefusedError extends Error {
  override readonly name = 'RefusedError';
  readonly code: string;
  /** @param code for programs (`--json`): the service's own, where there is one */
  constructor(message: string, code = 'REFUSED') {
    super(message);
    this.code = code;
  }
}

/** Prints one text, with the end of its line. */
export const write = (text: string): void => void process.stdout.write(text.endsWith('\n') ? text : `${text}\n`);

/** Whether help is asked for; what stands behind "--" are words. */
export function asksForHelp(args: readonly string[]): boolean {
  const end = args.indexOf('--');
  return args.slice(0, end === -1 ? undefined : end).includes('--help');
}

/** A command that takes nothing. @throws what `parseArgs` throws, with the name of what it does not know */
export const takesNothing = (args: readonly string[]): void => void parseArgs({ args: [...args] });

/** @throws UsageError */
export function orgOf(text: string | undefined): number {
  const orgId = /^\d{1,9}$/.test(text ?? '') ? Number(text) : 0;
  if (orgId === 0) throw new UsageError('the first argument is the organisation id, e.g. 20');
  return orgId;
}
