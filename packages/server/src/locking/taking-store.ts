import type { LockCause } from '@kist/contract/agent';
import type { Switch } from '@kist/contract/commands';
import type { LockReason } from '@kist/contract/lock-policy';
import { as, jsonb, nullable, text, uuid } from '#server/platform/column-types.ts';
import type { Tx } from '#server/platform/database.ts';
import { statement } from '#server/platform/statement.ts';

/** Names one thing that is taken. */
export interface TakenKey {
  device_id: string;
  taken: Switch;
  cause: LockCause;
}

/** Taken again by the same cause it stands on the newer verdict. */
export const insertRestriction = statement({
  name: 'locking.insert_restriction',
  takes: {
    device_id: uuid,
    taken: as<Switch>()(text),
    cause: as<LockCause>()(text),
    agreement_id: nullable(uuid),
    reason: as<LockReason>()(text),
    verdict_id: uuid,
    template_id: nullable(uuid),
  },
  text: `
    insert into restrictions (org_id, device_id, taken, cause, agreement_id, reason, verdict_id, template_id, taken_at)
    values ($1, $device_id, $taken, $cause, $agreement_id, $reason, $verdict_id, $template_id, kist_now())
    on conflict (org_id, device_id, taken, cause) do update set agreement_id = excluded.agreement_id, reason = excluded.reason,
      verdict_id = excluded.verdict_id, template_id = excluded.template_id, taken_at = excluded.taken_at, given_back_at = null`,
});

const endGiven = statement({
  name: 'locking.end_restrictions',
  takes: { rows: jsonb<readonly TakenKey[]>() },
  text: `
    update restrictions r set given_back_at = kist_now() from jsonb_to_recordset($rows) as g(device_id uuid, taken text, cause text)
    where r.org_id = $1 and r.device_id = g.device_id and r.taken = g.taken and r.cause = g.cause and r.given_back_at is null`,
});

/** These have gone back to the holder. */
export async function endRestrictions(tx: Tx, rows: readonly TakenKey[]): Promise<void> {
  if (rows.length > 0) await endGiven.run(tx, { rows });
}

/** Phones that show a template's words. */
export const phonesShowing = statement({
  name: 'locking.phones_showing',
  takes: { template_id: uuid },
  gives: { device_id: uuid },
  text: `
    select device_id from restrictions where org_id = $1 and template_id = $template_id and given_back_at is null order by device_id`,
});
