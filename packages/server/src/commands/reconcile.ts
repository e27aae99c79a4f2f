import * as organisations from '#server/organisations/organisations.ts';
import { ADVISORY_MAX_LEVEL } from '@kist/contract/commands';
import type { OnReports } from '#server/devices/changes.ts';
import { drainChanges, organisationsLeftBehind } from '#server/devices/changes.ts';
import * as devices from '#server/devices/devices.ts';
import { isAway } from '#server/platform/database-errors.ts';
import type { Database } from '#server/platform/database.ts';
import { EXPIRING_COMMANDS, OPEN_COMMANDS, UNDELIVERED_COMMANDS, givesBackSql, isThereSql } from './command-sql.ts';
import { expire } from './commands.ts';
import { askIdle, askUnconfirmed, organisationsIdle, organisationsUnconfirmed } from './delivery-store.ts';

/** State orders healed in one run: a bulk order's rows are skipped by check-ins while it runs, and come through here at the latest. */
const HEALS_PER_RUN = 5000;
/** Open orders looked at in one run: 150,000 of a mass lock that phones have not heard of yet are gone through in six. */
const LOOKED_AT_PER_RUN = 25_000;

export interface ReconcileOptions {
  db: Database;
  onReports: OnReports;
  /** Kept by whoever calls again and again; without it a run begins at the first order. */
  place?: Place;
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

/**
 * Lost reports are normal. One run over every organisation; harmless to repeat and to run twice at once.
 * @throws what could not be done of one organisation, once the rest of it and all others are through; at once when the database is away
 */
export async function reconcile({ db, onReports, place = { after: null } }: ReconcileOptions): Promise<Reconciled> {
  const faults: unknown[] = [];
  /** What fails for one organisation holds no other up. @returns the sum */
  const each = async (orgIds: readonly number[], work: (orgId: number) => Promise<number>): Promise<number> => {
    let sum = 0;
    for (const orgId of orgIds)
      sum += await work(orgId).catch((error: unknown) => {
        if (isAway(error)) throw error;
        faults.push(error);
        return 0;
      });
    return sum;
  };
  const drained = await each(await organisationsLeftBehind(db), (orgId) => drainChanges(db, orgId, onReports));
  const healed = await heal(db, place);
  const orgs = { org_ids: await organisations.everyId(db) };
  const idsOf = (rows: readonly { org_id: number }[]) => rows.map(({ org_id }) => org_id);
  const unconfirmed = idsOf(await organisationsUnconfirmed.all(db.devicePool, orgs));
  let asked = await each(unconfirmed, (orgId) => db.transaction(orgId, (tx) => askUnconfirmed.run(tx, {})));
  const idle = idsOf(await organisationsIdle.all(db.devicePool, orgs));
  asked += await each(idle, (orgId) => db.transaction(orgId, (tx) => askIdle.run(tx, {})));
  const overdue = await organisationsWithOverdue(db);
  const expired = await each(overdue, async (orgId) => (await db.transaction(orgId, expire)).length);
  if (faults.length > 1) throw new AggregateError(faults, `${faults.length} organisations failed`);
  if (faults.length === 1) throw faults[0];
  return { drained, healed, asked, expired };
}

/** Where the last run ended among the open orders, in the order of their index; the next one goes on there, and after the last begins anew. */
export interface Place {
  after: { org_id: number; device_id: string; seq: string } | null;
}
const BEFORE_ALL = { org_id: 0, device_id: '00000000-0000-0000-0000-000000000000', seq: '0' } as const;

const IS_OPEN = `in (${OPEN_COMMANDS})`;

/** The same rule as in the check-in, from the stored reports. */
const HEAL = `
with looked as materialized (
  select o.org_id, o.device_id, o.seq, o.command_id, o.is_state, o.revision from commands o
  where o.state ${IS_OPEN} and (o.org_id, o.device_id, o.seq) > ($1, $2, $3)
  order by o.org_id, o.device_id, o.seq limit ${LOOKED_AT_PER_RUN}
), fallen as (
  select * from (
    select o.org_id, o.command_id, case
      when r.revision = d.revision and (r.policy_digest is null or r.policy_digest = ${devices.documentDigestSql('d')} or ${givesBackSql('o.type')}) and ${isThereSql(
        {
          type: 'o.type',
          level: `(r.lock_level = d.lock_level or (not r.is_strong and least(r.lock_level, ${ADVISORY_MAX_LEVEL}) = least(d.lock_level, ${ADVISORY_MAX_LEVEL})))`,
          reported: 'r.toggles',
          desired: "d.document -> 'toggles'",
        },
      )} then 'VERIFIED'
      when o.state in (${UNDELIVERED_COMMANDS}) then 'DELIVERED' end as next
    from looked l
    join device_reports r on r.org_id = l.org_id and r.device_id = l.device_id and r.revision >= l.revision
    join device_desired d on d.org_id = l.org_id and d.device_id = l.device_id and r.revision <= d.revision
    join commands o on o.org_id = l.org_id and o.command_id = l.command_id and o.state ${IS_OPEN}
    where l.is_state
    for update of o skip locked
  ) seen where next is not null limit ${HEALS_PER_RUN}
), healed as (
  update commands c set
    state = m.next, sent_at = coalesce(c.sent_at, kist_now()), delivered_at = coalesce(c.delivered_at, kist_now()),
    applied_at = case when m.next = 'VERIFIED' then coalesce(c.applied_at, kist_now()) else c.applied_at end,
    verified_at = case when m.next = 'VERIFIED' then kist_now() end, ended_at = case when m.next = 'VERIFIED' then kist_now() end
  from fallen m where c.org_id = m.org_id and c.command_id = m.command_id and c.state ${IS_OPEN}
  returning 1
)
select (select count(*)::integer from healed) as healed, (select count(*)::integer from looked) as looked, last.org_id, last.device_id, last.seq
from (select) one left join (select org_id, device_id, seq from looked order by org_id desc, device_id desc, seq desc limit 1) last on true`;

interface Looked {
  healed: number;
  looked: number;
  org_id: number | null;
  device_id: string | null;
  seq: string | null;
}

async function heal(db: Database, place: Place): Promise<number> {
  const { org_id, device_id, seq } = place.after ?? BEFORE_ALL;
  const { rows } = await db.device((tx) => tx.query<Looked>(HEAL, [org_id, device_id, seq]));
  const [run] = rows;
  if (!run) throw new Error('no answer');
  const last = run.org_id === null ? null : { org_id: run.org_id, device_id: run.device_id!, seq: run.seq! };
  // A part in which more fell through than one run heals is looked at again.
  if (run.healed < HEALS_PER_RUN) place.after = run.looked < LOOKED_AT_PER_RUN ? null : last;
  return run.healed;
}

async function organisationsWithOverdue(db: Database): Promise<number[]> {
  return db.device(async (tx) => {
    const { rows } = await tx.query<{ orgId: number }>(
      `select distinct org_id as "orgId" from commands where state in (${EXPIRING_COMMANDS}) and expires_at <= kist_now()`,
    );
    return rows.map((row) => row.orgId);
  });
}
