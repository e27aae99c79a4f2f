import type { Tx } from '#server/platform/database.ts';

/** @returns notices that the gateway took in the last minute and that nobody has heard of since. */
export async function waitingReceipts(tx: Tx): Promise<number> {
  const { rows } = await tx.query<{ n: number }>(
    `select count(*)::int as n from notices where org_id = kist_org() and kind = 'notice' and channel = 'sms' and sent_at > kist_now() - interval '1 minute'
       and delivered_at is null and failed_at is null`,
  );
  return rows[0]?.n ?? 0;
}
