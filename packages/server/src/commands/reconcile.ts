import * as organisations from '#server/organisations/organisations.ts';
import { ADVISORY_MAX_LEVEL } from '@kist/contract/commands';
import type { OnReports } from '#server/devices/changes.ts';
import { drainChanges, organisationsLeftBehind } from '#server/devices/changes.ts';
import type { Database } from '#server/platform/database.ts';
import { isThereSql } from './command-sql.ts';
import { expire } from './commands.ts';
import { askUnconfirmed, organisationsUnconfirmed } from './delivery-store.ts';

/** State orders healed in one run: a bulk order's rows are skipped by check-ins while it runs, and come through here at the latest. */
const HEALS_PER_RUN = 5000;

export interface ReconcileOptions {
  db: Database;
  onReports: OnReports;
}

export interface Reconciled {
  /** Check-ins whose consequences somebody died over. */
  drained: number;
  /** State orders that had been obeyed without anybody noting it. */
  healed: number;
  /** Channels whose vendors are asked again. */
  asked: number;
  /** Orders given up. */
  expired: number;
}

/** Lost reports are normal. One run over every organisation; harmless to repeat and to run twice at once. */
export async function reconcile({ db, onReports }: ReconcileOptions): Promise<Reconciled> {
  let drained = 0;
  for (const orgId of await organisationsLeftBehind(db)) drained += await drainChanges(db, orgId, onReports);
  const healed = await heal(db);
  let asked = 0;
  for (const { org_id: orgId } of await organisationsUnconfirmed.all(db.devicePool, {
    org_ids: await organisations.everyId(db),
  }))
    asked += await db.transaction(orgId, (tx) => askUnconfirmed.run(tx, {}));
  let expired = 0;
  for (const orgId of await organisationsWithOverdue(db)) expired += (await db.transaction(orgId, expire)).length;
  return { drained, healed, asked, expired };
}

/** The same rule as in the check-in, from the stored reports. */
const HEAL = `
update commands c set
  state = m.next, sent_at = coalesce(c.sent_at, kist_now()), delivered_at = coalesce(c.delivered_at, kist_now()), applied_at = coalesce(c.applied_at, kist_now()),
  verified_at = case when m.next = 'VERIFIED' then kist_now() end, ended_at = case when m.next = 'VERIFIED' then kist_now() end
from (
  select * from (
    select o.org_id, o.command_id, case
      when r.revision = d.revision and ${isThereSql({
        type: 'o.type',
        level: `(r.lock_level = d.lock_level or (not r.is_strong and least(r.lock_level, ${ADVISORY_MAX_LEVEL}) = least(d.lock_level, ${ADVISORY_MAX_LEVEL})))`,
        reported: 'r.toggles',
        desired: "d.document -> 'toggles'",
      })} then 'VERIFIED'
      when o.state <> 'APPLIED' then 'APPLIED' end as next
    from commands o
    join device_reports r on r.org_id = o.org_id and r.device_id = o.device_id
    join device_desired d on d.org_id = o.org_id and d.device_id = o.device_id
    where o.is_state and o.state in ('QUEUED', 'SENT', 'DELIVERED', 'APPLIED') and r.revision between o.revision and d.revision
    for update of o skip locked
  ) seen where next is not null limit ${HEALS_PER_RUN}
) m
where c.org_id = m.org_id and c.command_id = m.command_id and c.state in ('QUEUED', 'SENT', 'DELIVERED', 'APPLIED')`;

const heal = (db: Database): Promise<number> => db.device(async (tx) => (await tx.query(HEAL)).rowCount ?? 0);

async function organisationsWithOverdue(db: Database): Promise<number[]> {
  return db.device(async (tx) => {
    const { rows } = await tx.query<{ orgId: number }>(
      `select distinct org_id as "orgId" from commands where state in ('QUEUED', 'SENT', 'DELIVERED') and expires_at <= kist_now()`,
    );
    return rows.map((row) => row.orgId);
  });
}
