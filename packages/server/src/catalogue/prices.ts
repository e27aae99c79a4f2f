import type { PlanType } from '@kist/contract/codes';
import type { AuditActor } from '#server/audit/audit.ts';
import * as audit from '#server/audit/audit.ts';
import type { Tx } from '#server/platform/database.ts';
import * as store from './store.ts';

/** What one key of a plan type costs in this organisation, in paise, by plan type; a type that is not there has no price: its keys are given, not sold. */
export async function keyPrices(tx: Tx): Promise<ReadonlyMap<number, number>> {
  const rows = await store.keyPrices.all(tx, {});
  return new Map(rows.map(({ plan_type, price_paise }) => [plan_type, price_paise]));
}

/**
 * Sets what one key costs from now on; orders that were made keep the price they were made at.
 * @param price.pricePaise null takes the price away
 * @returns false where it was so before
 */
export async function setKeyPrice(
  tx: Tx,
  actor: AuditActor,
  { planType, pricePaise }: { planType: PlanType; pricePaise: number | null },
): Promise<boolean> {
  const written = await (pricePaise === null
    ? store.deleteKeyPrice.first(tx, { plan_type: planType })
    : store.upsertKeyPrice.first(tx, { plan_type: planType, price_paise: pricePaise }));
  if (!written) return false;
  await audit.append(tx, {
    kind: 'organisation',
    id: String(tx.orgId),
    actor,
    action: 'key_price_set',
    data: { plan_type: planType, price_paise: pricePaise },
  });
  return true;
}
