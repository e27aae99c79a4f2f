import type { Verbs } from './verbs.ts';

/** One word of the `kist` command line. */
export interface Command {
  usage: string;
  says: string;
  /** Of a noun: what can be said behind it. */
  verbs?: Verbs;
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

/** @throws UsageError */
export function orgOf(text: string | undefined): number {
  const orgId = Number(text);
  if (!Number.isInteger(orgId) || orgId <= 0)
    throw new UsageError('the first argument is the organisation id, e.g. 20');
  return orgId;
}
