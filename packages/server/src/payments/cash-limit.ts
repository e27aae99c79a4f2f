import type { IsoDate } from '@kist/contract/dates';
import { LIMITS } from '@kist/contract/limits';
import type { Tx } from '#server/platform/database.ts';
import * as store from './store.ts';

/**
 * The income-tax law bars so much cash from one person on one day, the limit itself included (section 269ST). Who buys two phones has two rows in the
 * customer list: by the mobile number, or by the documents, they are one person.
 * @param payment whose own row is not written yet
 */
export async function isLargeCash(
  tx: Tx,
  {
    method,
    customer_id,
    paid_on,
    amount_paise,
  }: { method: string; customer_id: string; paid_on: IsoDate; amount_paise: number },
): Promise<boolean> {
  if (method !== 'CASH') return false;
  const before = (await store.cashOnDay.one(tx, { customer_id, paid_on })).paise;
  return before + amount_paise >= LIMITS.cashWarningPaise;
}
