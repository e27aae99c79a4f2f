import { OperatorError } from '#server/platform/operator-error.ts';

/** A backup that cannot be made or used as it is; the message says why, and that nothing was changed. */
export class BackupError extends OperatorError {
  override readonly name = 'BackupError';
}
