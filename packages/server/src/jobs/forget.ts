import { KEPT_DAYS, LIMITS } from '@kist/contract/limits';
import * as documents from '#server/documents/documents.ts';
import * as identity from '#server/identity/identity.ts';
import type { Database } from '#server/platform/database.ts';
import { forgetReplies } from '#server/platform/idempotency.ts';
import { forgetDone } from '#server/platform/outbox.ts';
import { forgetWindows } from '#server/platform/rate-limit.ts';
import { forgetSeen } from '#server/platform/seen-requests.ts';

/**
 * Deletes what has done its work. Run it every hour or so; running it twice at once is harmless.
 * @returns how many rows and files went
 * @throws AggregateError once all were tried: an organisation that fails keeps no other waiting
 */
export async function forget(db: Database, orgIds: readonly number[]): Promise<number> {
  let count = await forgetWindows(db.devicePool);
  // Twice the skew: an older value is stale before anyone asks whether it was seen.
  count += await forgetSeen(db.devicePool, LIMITS.requestSkewS * 2 + 60);
  count += await forgetDone(db, KEPT_DAYS.messages);
  const failed: unknown[] = [];
  for (const orgId of orgIds) {
    try {
      count += await db.transaction(orgId, identity.forgetExpired);
      count += await db.transaction(orgId, (tx) => forgetReplies(tx, KEPT_DAYS.replies));
      count += await documents.dropLoose(db, orgId);
    } catch (error) {
      failed.push(error);
    }
  }
  if (failed.length > 0) throw new AggregateError(failed, `${failed.length} organisations could not forget all of it`);
  return count;
}
