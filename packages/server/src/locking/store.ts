import type { LockCause } from '@kist/contract/agent';
import type { LockLevel, LockReason, Verdict } from '@kist/contract/lock-policy';
import type { Tx } from '#server/platform/database.ts';
import { as, nothing, nullable, text, uuid } from '#server/platform/column-types.ts';
import { givenRows } from '#server/platform/given-rows.ts';
import { statement } from '#server/platform/statement.ts';

/** Rows in one statement: the parameter stays a few megabytes. */
const CHUNK = 5000;

async function inChunks<T>(rows: readonly T[], write: (chunk: readonly T[]) => Promise<unknown>): Promise<void> {
  for (let at = 0; at < rows.length; at += CHUNK) await write(rows.slice(at, at + CHUNK));
}

export interface VerdictInsert {
  verdict_id: string;
  device_id: string;
  agreement_id: string | null;
  command_id: string | null;
  revision: number | null;
  allowed: boolean;
  rule: string;
  facts: object;
  verdict: Verdict;
}

const VERDICTS = givenRows<VerdictInsert>({
  verdict_id: 'uuid',
  device_id: 'uuid',
  agreement_id: 'uuid',
  command_id: 'uuid',
  revision: 'bigint',
  allowed: 'boolean',
  rule: 'text',
  facts: 'json',
  verdict: 'json',
});

export async function insertVerdicts(tx: Tx, verdicts: readonly VerdictInsert[]): Promise<void> {
  await inChunks(verdicts, async (chunk) =>
    tx.query(
      `insert into verdicts (org_id, decided_at, ${VERDICTS.names}) select kist_org(), (select kist_now()), ${VERDICTS.names} from ${VERDICTS.from}`,
      await VERDICTS.parameters(chunk),
      'locking.insert_verdicts',
    ),
  );
}

export interface LockUpsert {
  device_id: string;
  cause: LockCause;
  level: LockLevel;
  agreement_id: string | null;
  reason: LockReason;
  verdict_id: string;
  /** ISO; null: now. */
  level_since: string | null;
  ends_at: string | null;
}

const LOCKS = givenRows<LockUpsert>({
  device_id: 'uuid',
  cause: 'text',
  level: 'smallint',
  agreement_id: 'uuid',
  reason: 'text',
  verdict_id: 'uuid',
  level_since: 'timestamptz',
  ends_at: 'timestamptz',
});

/** `level_since` moves only when the level does: it is what the days between two raises are counted from. */
export async function upsertLocks(tx: Tx, locks: readonly LockUpsert[]): Promise<void> {
  await inChunks(locks, async (chunk) =>
    tx.query(
      `insert into locks as l (org_id, device_id, cause, level, level_since, agreement_id, reason, verdict_id, ends_at)
       select kist_org(), device_id, cause, level, coalesce(level_since, (select kist_now())), agreement_id, reason, verdict_id, ends_at
       from ${LOCKS.from}
       on conflict (org_id, device_id, cause) do update set level = excluded.level, agreement_id = excluded.agreement_id, reason = excluded.reason,
         verdict_id = excluded.verdict_id, ends_at = excluded.ends_at,
         level_since = case when l.level = excluded.level then l.level_since else excluded.level_since end`,
      await LOCKS.parameters(chunk),
      'locking.upsert_locks',
    ),
  );
}

/** Notes when the try-out of a lock began; the first word about an agreement stays. */
export const insertTest = statement({
  name: 'locking.insert_test',
  takes: { agreement_id: uuid, device_id: uuid },
  text: `
    insert into enrolment_tests (org_id, agreement_id, device_id, started_at) values ($1, $agreement_id, $device_id, kist_now())
    on conflict do nothing`,
});

/**
 * @returns phones held by a cause whose time is over, or would be before anybody looks again: the ladder runs every five minutes, and a lock that may
 * last so long at most lasts no longer.
 */
export const endedLocks = statement({
  name: 'locking.ended_locks',
  gives: { device_id: uuid, cause: as<LockCause>()(text), reason: as<LockReason>()(text) },
  text: `
    select device_id, cause, reason from locks
    where org_id = $1 and ends_at is not null and level > 0 and ends_at <= kist_now() + interval '5 minutes' order by device_id`,
});

/** No lock for money has a cause any more: the clock until the phone's own word that it is free begins. */
export const insertCure = statement({
  name: 'locking.insert_cure',
  takes: {
    cure_id: uuid,
    agreement_id: uuid,
    device_id: uuid,
    payment_id: nullable(uuid),
  },
  text: `
    insert into cures (org_id, cure_id, agreement_id, device_id, payment_id, cured_at)
    values ($1, $cure_id, $agreement_id, $device_id, $payment_id, kist_now())`,
});

/**
 * The phone's own word that it is free ends the clock of every cure that waits for it. Only the enrolment that was live when the debt was cured can say so:
 * one that came later never held the lock that was lifted, and nobody knows whether it is the phone that did. Such a cure stays open, which is the truth.
 * A document of before the money, said while the payment was being written down, is no such word.
 * @param said.revision which document the phone has taken
 * @returns how many ended
 */
export async function confirmCures(
  tx: Tx,
  deviceId: string,
  { at, revision }: { at: Date; revision: number },
): Promise<number> {
  const { rowCount } = await tx.query(
    `update cures u set confirmed_at = greatest(u.cured_at, $2::timestamptz)
     where u.org_id = kist_org() and u.device_id = $1 and u.confirmed_at is null and u.cured_at <= $2::timestamptz and exists (
       select from enrolments e where e.org_id = u.org_id and e.device_id = u.device_id and e.in_charge and coalesce(e.charged_at, e.started_at) <= u.cured_at
         and (e.ended_at is null or e.ended_at >= $2::timestamptz))
       and coalesce((select min(v.revision) from verdicts v where v.org_id = u.org_id and v.device_id = u.device_id and v.revision is not null
         and v.decided_at between u.cured_at - interval '1 millisecond' and u.cured_at + interval '1 millisecond'), 0) <= $3::bigint`,
    [deviceId, at, revision],
  );
  return rowCount ?? 0;
}

/** Another phone comes in the place of this one: whoever waited for its unlock waits no more, whether it ever says so or not. */
export const endCures = statement({
  name: 'locking.end_cures',
  takes: { device_id: uuid },
  text: `
    update cures set confirmed_at = greatest(cured_at, kist_now())
    where org_id = $1 and device_id = $device_id and confirmed_at is null`,
});

/** Each part by an index of its own (under row-level security none is searched by a `coalesce`). Locks of the last hour by orders to many, against the cap, with the room that those under way may still use; and all phones under management, which the cap is a share of. */
export async function bulkUse(tx: Tx): Promise<{ lockedLastHour: number; phones: number }> {
  const { rows } = await tx.query<{ lockedLastHour: number; phones: number }>(
    `select (select coalesce(sum(counts), 0)::int from (
          select coalesce(room, total) as counts from batches where org_id = kist_org() and command = 'lock' and state in ('asked', 'running')
          union all
          select allowed from batches where org_id = kist_org() and command = 'lock' and finished_at > (select kist_now() - interval '1 hour')
          union all
          select allowed from batches where org_id = kist_org() and command = 'lock' and state = 'done' and finished_at is null
            and created_at > (select kist_now() - interval '1 hour')
        ) used) as "lockedLastHour",
      (select count(*)::int from devices where org_id = kist_org() and enrolled_at is not null and released_at is null) as phones`,
  );
  return rows[0] ?? { lockedLastHour: 0, phones: 0 };
}

/** Two bulk locks of one organisation at the same time would each see the cap unused. Held to the end of the transaction. */
export const takeBulk = statement({
  name: 'locking.take_bulk',
  gives: { taken: nothing },
  text: `select pg_advisory_xact_lock(hashtextextended('locking.bulk', $1::integer)) as taken`,
});

const PART_UP_TO = 500;

/** @returns phone of each of these customers that one of these users looks after; a customer without phone or of others is absent. */
export async function phonesOfCustomers(
  tx: Tx,
  customerIds: readonly string[],
  ownerIds: readonly string[] | null,
): Promise<Map<string, string>> {
  const { rows } = await tx.query<{ customerId: string; deviceId: string }>(
    `select distinct on (c.customer_id) c.customer_id as "customerId", d.device_id as "deviceId"
     from kist_part($1::uuid[]) as w(customer_id)
     join customers c on c.org_id = kist_org() and c.customer_id = w.customer_id
     join devices d on d.org_id = kist_org() and d.customer_id = c.customer_id
     where $2::uuid[] is null or c.owner_user_id = any($2::uuid[])
     order by c.customer_id, d.released_at desc nulls first, d.created_at desc`,
    [[...customerIds], ownerIds === null ? null : [...ownerIds]],
    customerIds.length <= PART_UP_TO ? 'locking.phones_of_customers' : undefined,
  );
  return new Map(rows.map((row) => [row.customerId, row.deviceId]));
}

export type Folded = 'no' | 'kind' | 'same';

/**
 * Puts a line into the bell of each of these users.
 * @param folded leaves out what an unread line of the last day says already about the same customer: of the same kind, or to the letter
 */
export async function notifyUsers(
  tx: Tx,
  lines: readonly {
    user_id: string;
    notification_id: string;
    kind: string;
    data: object;
    customer_id: string | null;
  }[],
  folded: Folded,
): Promise<void> {
  if (lines.length === 0) return;
  await tx.query(
    `insert into notifications (org_id, user_id, notification_id, kind, data, customer_id, created_at)
     select kist_org(), user_id, notification_id, kind, data, customer_id, kist_now()
     from json_to_recordset($1::json) as n(user_id uuid, notification_id uuid, kind text, data jsonb, customer_id uuid)
     where $2 = 'no' or not exists (
       select from notifications o where o.org_id = kist_org() and o.user_id = n.user_id and o.kind = n.kind and o.customer_id is not distinct from n.customer_id
         and ($2 = 'kind' or o.data = n.data) and o.read_at is null and o.created_at > kist_now() - interval '1 day')`,
    [JSON.stringify(lines), folded],
  );
}
