import { FolderMismatchError } from '#server/platform/blobs-mark.ts';
import { RefusedError, UsageError } from './command.ts';

/** How the command line ends where it did not do what was asked. */
interface Refusal {
  /** For programs: the service's own, `USAGE` for what was typed wrongly, `FAILED` for what did not work. */
  code: string;
  message: string;
  /** 2: what was typed cannot be used; 1: it can, and was refused or did not work. */
  exitCode: 1 | 2;
}

export function refusalOf(error: unknown): Refusal {
  const { message } = error as Error;
  if (error instanceof UsageError || isParseError(error)) return { code: 'USAGE', message, exitCode: 2 };
  if (error instanceof FolderMismatchError) return { code: 'REFUSED', message, exitCode: 1 };
  return { code: error instanceof RefusedError ? error.code : 'FAILED', message, exitCode: 1 };
}

/** What stands on the error stream: a sentence, or with `--json` one object, so that a program need not read sentences. */
export function refusalText({ code, message }: Refusal, args: readonly string[]): string {
  const end = args.indexOf('--');
  const isJson = args.slice(0, end === -1 ? undefined : end).includes('--json');
  return `${isJson ? JSON.stringify({ code, message }, null, 2) : message}\n`;
}

const isParseError = (error: unknown): boolean =>
  String((error as { code?: unknown }).code).startsWith('ERR_PARSE_ARGS');
