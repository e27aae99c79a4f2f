import type { Tx } from '#server/platform/database.ts';
import { deleteExpired } from './store.ts';

/** Codes say who asked when: gone after two days (the daily limit looks back one). Used proofs and ended sessions stay a month. */
const keptDays = { otps: 2, proofs: 30, sessions: 30 };

/** Deletes what has ended long enough ago, for one organisation. @returns how many rows */
export function forgetExpired(tx: Tx): Promise<number> {
  return deleteExpired(tx, keptDays);
}
