import type { KistError } from '@kist/contract/errors';

/**
 * An error that is an outcome: the transaction commits (a refused command stays on record with its verdict, a wrong try is
 * counted), the caller gets the error, and the same Idempotency-Key gets it again. A thrown `KistError` rolls back instead.
 */
export class CommittedRefusal {
  readonly error: KistError;
  constructor(error: KistError) {
    this.error = error;
  }
}
