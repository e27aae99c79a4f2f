import type { LockCause } from '@kist/contract/agent';
import type { Switch } from '@kist/contract/commands';
import type { LockReason } from '@kist/contract/lock-policy';
import { uuid } from '#server/platform/column-types.ts';
import type { Tx } from '#server/platform/database.ts';
import { statement } from '#server/platform/statement.ts';

/** Names one thing that is taken. */
export interface TakenKey {
  device_id: string;
  taken: Switch;
  cause: LockCause;
}

export async function insertRestriction(
  tx: Tx,
  row: TakenKey & { agreement_id: string | null; reason: LockReason; verdict_id: string; template_id: string | null },
): Promise<void> {
  await tx.query(
    `insert into restrictions (org_id, device_id, taken, cause, agreement_id, reason, verdict_id, template_id, taken_at)
     values (kist_org(), $1, $2, $3, $4, $5, $6, $7, kist_now())
     on conflict (org_id, device_id, taken, cause) do update set agreement_id = excluded.agreement_id, reason = excluded.reason,
       verdict_id = excluded.verdict_id, template_id = excluded.template_id, taken_at = excluded.taken_at, given_back_at = null`,
    [row.device_id, row.taken, row.cause, row.agreement_id, row.reason, row.verdict_id, row.template_id],
  );
}

/** These have gone back to the holder. */
export async function endRestrictions(tx: Tx, rows: readonly TakenKey[]): Promise<void> {
  if (rows.length === 0) return;
  await tx.query(
    `update restrictions r set given_back_at = kist_now() from json_to_recordset($1::json) as g(device_id uuid, taken text, cause text)
     where r.org_id = kist_org() and r.device_id = g.device_id and r.taken = g.taken and r.cause = g.cause and r.given_back_at is null`,
    [JSON.stringify(rows)],
  );
}

/** Phones that show a template's words. */
export const phonesShowing = statement({
  name: 'locking.phones_showing',
  takes: { template_id: uuid },
  gives: { device_id: uuid },
  text: `
    select device_id from restrictions where org_id = $1 and template_id = $template_id and given_back_at is null order by device_id`,
});
