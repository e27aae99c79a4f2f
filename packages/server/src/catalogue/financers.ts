import { KistError } from '@kist/contract/errors';
import type { AuditActor } from '#server/audit/audit.ts';
import * as audit from '#server/audit/audit.ts';
import type { Tx } from '#server/platform/database.ts';
import { allFinancers, financerById, type FinancerRow, upsertFinancer } from './financers-store.ts';

/** Who lends the money for phones here; with those of before when `all` are asked for. */
export const financers = async (tx: Tx, all = false): Promise<FinancerRow[]> =>
  (await allFinancers.all(tx, {})).filter((one) => all || one.is_active);

/** One that lends now; undefined when there is none of this number. */
export async function financer(tx: Tx, { financer_id }: { financer_id: number }): Promise<FinancerRow | undefined> {
  const found = await financerById.first(tx, { financer_id });
  return found?.is_active ? found : undefined;
}

/**
 * Takes a financer in, calls it otherwise, or ends it; loans of before keep theirs.
 * @returns false where it was so before. @throws KistError STATE_CONFLICT: whether a lender is regulated does not change
 */
export async function setFinancer(tx: Tx, actor: AuditActor, given: FinancerRow): Promise<boolean> {
  const before = await financerById.first(tx, given);
  if (before && before.is_regulated !== given.is_regulated) throw new KistError('STATE_CONFLICT');
  if (!(await upsertFinancer.first(tx, given))) return false;
  await audit.append(tx, {
    kind: 'organisation',
    id: String(tx.orgId),
    actor,
    action: 'financer_set',
    data: { ...given },
  });
  return true;
}
