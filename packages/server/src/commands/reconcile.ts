import { provisioningName } from '@kist/contract/codes';
import { ADVISORY_MAX_LEVEL } from '@kist/contract/commands';
import type { OnReports } from '#server/devices/changes.ts';
import { drainChanges, organisationsLeftBehind } from '#server/devices/changes.ts';
import type { Database } from '#server/platform/database.ts';
import type { Adapter, DeviceTarget, Lookup } from './adapter.ts';
import { isThereSql } from './command-sql.ts';
import { expire } from './commands.ts';

/** An order that nobody heard of for this long is asked for again: longer than a check-in takes on a bad line, shorter than a person waits. */
const NUDGE_AFTER_S = 300;
/** Phones called in one run. The rest are older-first in the next: a run stays short and a vendor's quota is never spent on one outage. */
const NUDGES_PER_RUN = 500;
/** State orders healed in one run: a bulk order's rows are skipped by check-ins while it runs, and come through here at the latest. */
const HEALS_PER_RUN = 5000;

export interface ReconcileOptions {
  db: Database;
  adapters: readonly Adapter[];
  onReports: OnReports;
}

export interface Reconciled {
  /** Check-ins whose consequences somebody died over. */
  drained: number;
  /** State orders that had been obeyed without anybody noting it. */
  healed: number;
  /** Phones called again. */
  nudged: number;
  /** Orders given up. */
  expired: number;
}

/** Lost reports are normal. One run over every organisation; harmless to repeat and to run twice at once. */
export async function reconcile({ db, adapters, onReports }: ReconcileOptions): Promise<Reconciled> {
  let drained = 0;
  for (const orgId of await organisationsLeftBehind(db)) drained += await drainChanges(db, orgId, onReports);
  const healed = await heal(db);
  const nudged = await nudge(db, adapters);
  let expired = 0;
  for (const orgId of await organisationsWithOverdue(db)) expired += (await db.transaction(orgId, expire)).length;
  return { drained, healed, nudged, expired };
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

/** Oldest first, each phone once, only those whose enrolment lives. */
const TAKE = `
with waiting as (
  select c.org_id, c.command_id, c.device_id, c.created_at from commands c
  where c.state in ('QUEUED', 'SENT', 'DELIVERED') and c.expires_at > kist_now()
    and greatest(c.created_at, c.asked_at, c.nudged_at) < kist_now() - interval '${NUDGE_AFTER_S} seconds'
  order by c.created_at limit ${NUDGES_PER_RUN} for update skip locked
), marked as (
  update commands c set nudged_at = kist_now() from waiting w where c.org_id = w.org_id and c.command_id = w.command_id returning c.org_id, c.device_id
)
select distinct e.org_id as "orgId", e.device_id as "deviceId", e.enrolment_id as "enrolmentId", d.provisioning_type as "provisioningType"
from marked m join enrolments e on e.org_id = m.org_id and e.device_id = m.device_id and e.ended_at is null
join devices d on d.org_id = m.org_id and d.device_id = m.device_id`;

async function nudge(db: Database, adapters: readonly Adapter[]): Promise<number> {
  const targets = await db.device(async (tx) => {
    const { rows } = await tx.query<Omit<DeviceTarget, 'provisioning'> & { provisioningType: number }>(TAKE);
    return rows.flatMap(({ provisioningType, ...row }) => {
      const provisioning = provisioningName(provisioningType);
      return provisioning ? [{ ...row, provisioning }] : [];
    });
  });
  let told = 0;
  for (const adapter of adapters) {
    const own = targets.filter((target) => adapter.provisioning.includes(target.provisioning));
    if (own.length > 0) told += (await adapter.send(own)).filter(({ outcome }) => outcome === 'told').length;
  }
  return told;
}

async function organisationsWithOverdue(db: Database): Promise<number[]> {
  return db.device(async (tx) => {
    const { rows } = await tx.query<{ orgId: number }>(
      `select distinct org_id as "orgId" from commands where state in ('QUEUED', 'SENT', 'DELIVERED') and expires_at <= kist_now()`,
    );
    return rows.map((row) => row.orgId);
  });
}

/** What the phone itself last said, for adapters of phones that come to us. */
export async function lastReport(db: Database, target: DeviceTarget): Promise<Lookup> {
  const { rows } = await db.devicePool.query<{ revision: number; lockLevel: number }>(
    `select revision, lock_level as "lockLevel" from device_reports where org_id = $1 and device_id = $2 and reported_at is not null`,
    [target.orgId, target.deviceId],
  );
  return rows[0] ?? 'unknown';
}
