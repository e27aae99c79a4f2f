import type { Tx } from '#server/platform/database.ts';
import * as store from './store.ts';

/** The users of shops by their mobile numbers (+91…): who is active and may sell. */
export async function shopsByMobile(tx: Tx, mobiles: readonly string[]): Promise<Map<string, string>> {
  const rows = await store.shopsByMobile.all(tx, { mobiles });
  return new Map(rows.map(({ mobile, user_id }) => [mobile, user_id]));
}

/** Whether a number (+91…) is one that somebody of a shop logs in with: what it is told proves nothing of a customer. */
export const isStaffNumber = async (tx: Tx, mobile: string): Promise<boolean> =>
  (await store.ofStaff.one(tx, { mobile })).is_of_staff;
