import { OperatorError } from '#server/platform/operator-error.ts';

/** Why the embedded PostgreSQL cannot serve; programs branch on it, `message` is written for the person at the keyboard. */
export type EmbeddedErrorReason =
  | 'NO_BINARIES'
  | 'NO_ACCOUNT'
  | 'UNREACHABLE'
  | 'VERSION_MISMATCH'
  | 'NOT_OWNER'
  | 'INITDB_FAILED'
  | 'START_FAILED'
  | 'LOCKED';

export class EmbeddedPostgresError extends OperatorError {
  readonly reason: EmbeddedErrorReason;
  constructor(reason: EmbeddedErrorReason, message: string, cause?: unknown) {
    super(message, cause === undefined ? undefined : { cause });
    this.name = 'EmbeddedPostgresError';
    this.reason = reason;
  }
}
