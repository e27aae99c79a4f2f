import type { BatchState, BatchStop, CommandState } from '@kist/contract/commands';
import { LIMITS } from '@kist/contract/limits';
import type { LockReason } from '@kist/contract/lock-policy';
import type { AuditActor } from '#server/audit/audit.ts';
import {
  as,
  bool,
  int2,
  int4,
  int8,
  jsonb,
  known,
  listOf,
  nullable,
  text,
  timestamptz,
  uuid,
} from '#server/platform/column-types.ts';
import { crossingStatement, statement } from '#server/platform/statement.ts';

/** Whose phone an order passed over, and why. */
export interface Refusal {
  customer_id: string;
  rule: string;
}

const state = as<BatchState>()(text);
const stop = as<BatchStop>()(text);
const command = as<'lock' | 'unlock'>()(text);
const reason = as<LockReason>()(text);
const UNFINISHED = `state in ('asked', 'running')`;
/** The same and those that nobody has agreed to yet; each arm by an index of its own. */
const STOPPABLE = `(${UNFINISHED} or state = 'waiting')`;
const IS_UNAPPROVED = `state = 'waiting' and created_at <= kist_now() - interval '${LIMITS.bulkApprovalMinutes} minutes'`;

export const insertBatch = statement({
  name: 'commands.insert_batch',
  takes: {
    batch_id: uuid,
    command,
    reason,
    requested_by: uuid,
    actor: jsonb<AuditActor>(),
    state,
    room: nullable(int4),
    canary: int4,
    total: int4,
    allowed: int4,
    refused: int4,
  },
  text: `
    insert into batches (org_id, batch_id, command, reason, requested_by, actor, created_at, finished_at, state, room, canary, total, allowed, refused)
    values ($1, $batch_id, $command, $reason, $requested_by, $actor, kist_now(), case when $state = 'done' then kist_now() end, $state, $room,
      $canary, $total, $allowed, $refused)`,
});

/** The longest pause that repeated trouble of one part grows to. */
const POSTPONED_AT_MOST_S = 900;

/** Cuts what is asked into parts of `size`, in the order given; where the first `canary` are a wave of their own, the others wait. */
export const insertParts = statement({
  name: 'commands.insert_batch_parts',
  takes: { batch_id: uuid, customer_ids: listOf(uuid), size: int4, canary: int4 },
  text: `
    insert into batch_parts (org_id, batch_id, no, customer_ids, wave, next_at)
    select $1, $batch_id, row_number() over (order by min(n)), array_agg(id order by n), wave, case when wave = 1 then now() else 'infinity' end
    from (
      select id, n, case when $canary = 0 or n <= $canary then 1 else 2 end as wave,
        case when n <= $canary then n - 1 else n - 1 - $canary end / $size as cut
      from unnest($customer_ids) with ordinality as t(id, n)
    ) cuts group by wave, cut`,
});

/** No part of the first wave is left. */
const FIRST_IS_OVER = `not exists (select from batch_parts f where f.org_id = $1 and f.batch_id = $batch_id and f.wave = 1 and f.done_at is null)`;

/** As many customers of the second wave as phones are wanting to the canary go with the first. Does nothing while a part of that is left, or once the second may begin. */
export const growFirstWave = statement({
  name: 'commands.grow_first_wave',
  takes: { batch_id: uuid, canary: int4 },
  text: `
    with next as (
      select p.no, p.customer_ids, $canary - (
        select coalesce(sum(f.allowed), 0)::int from batch_parts f where f.org_id = $1 and f.batch_id = $batch_id and f.wave = 1) as wanting
      from batch_parts p where p.org_id = $1 and p.batch_id = $batch_id and p.done_at is null and p.wave = 2 and p.next_at = 'infinity'
        and p.customer_ids <> '{}' and ${FIRST_IS_OVER}
      order by p.no limit 1 for update
    ), taken as (
      insert into batch_parts (org_id, batch_id, no, customer_ids, wave)
      select $1, $batch_id, (select max(m.no) from batch_parts m where m.org_id = $1 and m.batch_id = $batch_id) + 1, n.customer_ids[: n.wanting], 1
      from next n where n.wanting > 0
    )
    update batch_parts p set customer_ids = p.customer_ids[n.wanting + 1 :] from next n
    where p.org_id = $1 and p.batch_id = $batch_id and p.no = n.no and n.wanting > 0`,
});

/** The first wave is over: the second begins after so many minutes. Does nothing while a part of the first is left. */
export const beginSecondWave = statement({
  name: 'commands.begin_second_wave',
  takes: { batch_id: uuid, minutes: int4 },
  text: `
    update batch_parts p set next_at = now() + make_interval(mins => $minutes)
    where p.org_id = $1 and p.batch_id = $batch_id and p.done_at is null and p.wave = 2 and p.next_at = 'infinity'
      and ${FIRST_IS_OVER}`,
});

/** The latest phones that an order to many has locked, with the order's state. */
export const lockedLast = statement({
  name: 'commands.locked_last',
  takes: { batch_id: uuid, most: int4 },
  gives: { device_id: uuid, state: as<CommandState>()(text) },
  text: `
    select c.device_id, c.state from commands c where c.org_id = $1 and c.batch_id = $batch_id and c.type = 'lock' and c.state <> 'REFUSED'
    order by c.created_at desc, c.device_id limit $most`,
});

/** An order to many that a second person has to agree to, taken for this transaction. No row where it is another one. */
export const holdWaiting = statement({
  name: 'commands.hold_waiting_batch',
  takes: { batch_id: uuid },
  gives: { requested_by: uuid, state, is_late: known(bool) },
  text: `
    select requested_by, state, ${IS_UNAPPROVED} as is_late from batches where org_id = $1 and batch_id = $batch_id for no key update`,
});

export const approveBatch = statement({
  name: 'commands.approve_batch',
  takes: { batch_id: uuid, approved_by: uuid },
  text: `update batches set state = 'asked', approved_by = $approved_by where org_id = $1 and batch_id = $batch_id and state = 'waiting'`,
});

/** The part of an order that was carried out with it: what it refused. */
export const insertDonePart = statement({
  name: 'commands.insert_done_batch_part',
  takes: { batch_id: uuid, allowed: int4, refused: int4, refusals: jsonb<readonly Refusal[]>() },
  text: `
    insert into batch_parts (org_id, batch_id, no, customer_ids, done_at, allowed, refused, refusals)
    values ($1, $batch_id, 1, '{}', kist_now(), $allowed, $refused, $refusals)`,
});

/** Orders to many that are under way anywhere, or that nobody has agreed to in time; the oldest first. */
export const unfinishedBatches = crossingStatement({
  name: 'commands.unfinished_batches',
  takes: { org_ids: listOf(int4) },
  gives: { org_id: int4, batch_id: uuid, state, is_capped: known(bool), is_lock: known(bool), canary: known(int4) },
  text: `
    select o.org_id, b.batch_id, b.state, b.is_capped, b.is_lock, b.canary from unnest($org_ids) o(org_id) cross join lateral (
      (select w.batch_id, w.state, w.room is not null as is_capped, w.command = 'lock' as is_lock, w.canary, w.created_at from batches w
        where w.org_id = o.org_id and w.${UNFINISHED} offset 0)
      union all
      (select v.batch_id, v.state, v.room is not null, true, v.canary, v.created_at from batches v
        where v.org_id = o.org_id and v.${IS_UNAPPROVED} offset 0)) b
    order by b.created_at, b.batch_id`,
});

const running = {
  command,
  reason,
  requested_by: uuid,
  actor: jsonb<AuditActor>(),
  room: nullable(int4),
  created_at: timestamptz,
};
const held = (how: 'share' | 'no key update'): string => `
    select command, reason, requested_by, actor, room, created_at from batches where org_id = $1 and batch_id = $batch_id and ${UNFINISHED} for ${how}`;

/** An order under way: nobody stops it before this transaction has ended. No row once it is over. */
export const holdBatch = statement({
  name: 'commands.hold_batch',
  takes: { batch_id: uuid },
  gives: running,
  text: held('share'),
});

/** The same of one whose locks are counted: its parts follow one another. */
export const holdCapped = statement({
  name: 'commands.hold_capped_batch',
  takes: { batch_id: uuid },
  gives: running,
  text: held('no key update'),
});

/** What the parts that were carried out have allowed. */
export const allowedSoFar = statement({
  name: 'commands.allowed_so_far',
  takes: { batch_id: uuid },
  gives: { allowed: int8 },
  text: `select coalesce(sum(allowed), 0) as allowed from batch_parts where org_id = $1 and batch_id = $batch_id and done_at is not null`,
});

/** Of the parts after the canary, one in so many looks at what the ones before have done; and each until one of them is done. */
const WATCHED_ONE_IN = 50;

/** The next part that nobody is carrying out. */
export const takePart = statement({
  name: 'commands.take_batch_part',
  takes: { batch_id: uuid },
  gives: { no: int4, customer_ids: listOf(uuid), is_watched: known(bool) },
  text: `
    select no, customer_ids, wave = 2 and (no % ${WATCHED_ONE_IN} = 0 or not exists (
      select from batch_parts d where d.org_id = $1 and d.batch_id = $batch_id and d.wave = 2 and d.done_at is not null)) as is_watched
    from batch_parts where org_id = $1 and batch_id = $batch_id and done_at is null and next_at <= now()
    order by no limit 1 for update skip locked`,
});

export const finishPart = statement({
  name: 'commands.finish_batch_part',
  takes: { batch_id: uuid, no: int4, allowed: int4, refused: int4, refusals: jsonb<readonly Refusal[]>() },
  text: `
    update batch_parts set customer_ids = '{}', done_at = kist_now(), allowed = $allowed, refused = $refused, refusals = $refusals
    where org_id = $1 and batch_id = $batch_id and no = $no`,
});

export const startBatch = statement({
  name: 'commands.start_batch',
  takes: { batch_id: uuid },
  text: `update batches set state = 'running' where org_id = $1 and batch_id = $batch_id and state = 'asked'`,
});

/** What was done of an order that is over, counted when no part of it is under way any more. */
const counted = (column: 'allowed' | 'refused'): string =>
  `${column} = (select coalesce(sum(p.${column}), 0) from batch_parts p where p.org_id = $1 and p.batch_id = b.batch_id and p.done_at is not null)`;
const COUNTED = `finished_at = kist_now(), ${counted('allowed')}, ${counted('refused')}`;

/** No part is left. */
export const finishBatch = statement({
  name: 'commands.finish_batch',
  takes: { batch_id: uuid },
  gives: { total: int4, allowed: int4, refused: int4 },
  text: `
    update batches b set state = 'done', ${COUNTED}
    where b.org_id = $1 and b.batch_id = $batch_id and b.${UNFINISHED}
      and not exists (select from batch_parts p where p.org_id = $1 and p.batch_id = $batch_id and p.done_at is null)
    returning total, allowed, refused`,
});

/** Waits for the parts under way; none begins afterwards. */
export const stopBatch = statement({
  name: 'commands.stop_batch',
  takes: { batch_id: uuid, stopped_for: stop, refusal_note: nullable(text) },
  gives: { requested_by: uuid },
  text: `
    update batches set state = 'stopped', stopped_for = $stopped_for, refusal_note = $refusal_note
    where org_id = $1 and batch_id = $batch_id and command = 'lock' and ${STOPPABLE}
    returning requested_by`,
});

/** The same of every lock of many of this organisation. */
export const stopLocks = statement({
  name: 'commands.stop_locks',
  takes: { stopped_for: stop },
  text: `update batches set state = 'stopped', stopped_for = $stopped_for where org_id = $1 and command = 'lock' and ${STOPPABLE}`,
});

/** Of those that were just stopped: in a statement of its own, which sees what it waited for. */
export const countStopped = statement({
  name: 'commands.count_stopped_batches',
  gives: { batch_id: uuid, requested_by: uuid, stopped_for: known(stop), total: int4, allowed: int4, refused: int4 },
  text: `update batches b set ${COUNTED} where b.org_id = $1 and b.state = 'stopped' and b.finished_at is null
    returning batch_id, requested_by, stopped_for, total, allowed, refused`,
});

/** A part that failed comes again later. One of several is halved, so that what is wrong with one phone holds up fewer and fewer others. */
export const postponePart = statement({
  name: 'commands.postpone_batch_part',
  takes: { batch_id: uuid, no: int4 },
  gives: { tries: int2 },
  text: `
    with halved as (
      insert into batch_parts (org_id, batch_id, no, customer_ids, wave, tries, next_at)
      select $1, p.batch_id, (select max(o.no) from batch_parts o where o.org_id = $1 and o.batch_id = $batch_id) + 1,
        p.customer_ids[cardinality(p.customer_ids) / 2 + 1 :], p.wave, p.tries + 1, now()
      from batch_parts p where p.org_id = $1 and p.batch_id = $batch_id and p.no = $no and p.done_at is null and cardinality(p.customer_ids) > 1
    )
    update batch_parts set tries = least(tries + 1, 1000), next_at = now() + make_interval(secs => least(power(2, least(tries, 20)), ${POSTPONED_AT_MOST_S})),
      customer_ids = case when cardinality(customer_ids) > 1 then customer_ids[: cardinality(customer_ids) / 2] else customer_ids end
    where org_id = $1 and batch_id = $batch_id and no = $no and done_at is null returning tries`,
});

/** One order to many with what was done of it so far. */
export const findBatch = statement({
  name: 'commands.find_batch',
  takes: { batch_id: uuid, most: int4 },
  gives: {
    command,
    reason,
    requested_by: uuid,
    asked_by: nullable(text),
    state,
    stopped_for: nullable(stop),
    total: int4,
    allowed: int8,
    refused: int8,
    states: known(jsonb<Record<string, number>>()),
    refusals: known(jsonb<Refusal[]>()),
  },
  text: `
    select b.command, b.reason, b.requested_by, (select u.name from users_view u where u.org_id = $1 and u.user_id = b.requested_by) as asked_by, b.state, b.stopped_for, b.total, greatest(b.allowed, p.allowed) as allowed, greatest(b.refused, p.refused) as refused,
      coalesce((select jsonb_object_agg(s.state, s.n) from (
        select c.state, count(*) as n from commands c where c.org_id = $1 and c.batch_id = $batch_id group by c.state) s), '{}') as states,
      coalesce((select jsonb_agg(r.refusal) from (
        select e.refusal from batch_parts q cross join jsonb_array_elements(q.refusals) as e(refusal)
        where q.org_id = $1 and q.batch_id = $batch_id order by q.no limit $most) r), '[]') as refusals
    from batches b cross join lateral (
      select coalesce(sum(o.allowed), 0) as allowed, coalesce(sum(o.refused), 0) as refused from batch_parts o where o.org_id = $1 and o.batch_id = b.batch_id
    ) p
    where b.org_id = $1 and b.batch_id = $batch_id`,
});

/** Which of these phones somebody has freed by an order of their own since a moment. */
export const freedSince = statement({
  name: 'commands.freed_since',
  // An order to many asks in each of its parts: by a plan of when there were few orders it would read all that its parts before have written.
  isPlannedEachTime: true,
  takes: { device_ids: listOf(uuid), since: timestamptz },
  gives: { device_id: uuid },
  text: `
    select g.device_id from unnest($device_ids) as g(device_id)
    where exists (select from commands c where c.org_id = $1 and c.device_id = g.device_id and c.created_at >= $since and c.type = 'unlock'
      and c.state <> 'REFUSED' offset 0)`,
});
