import type { AgentCommand, DesiredPolicy, Lease } from '@kist/contract/agent';
import { LIMITS } from '@kist/contract/limits';
import { ADVISORY_MAX_LEVEL, NO_SWITCHES } from '@kist/contract/commands';
import * as devices from '#server/devices/devices.ts';
import { earlierChannelSql, liveChannelSql } from './callers.ts';
import {
  OPEN_COMMANDS,
  UNDELIVERED_COMMANDS,
  givesBackSql,
  isCarriedSql,
  isProvenByResultSql,
  isThereSql,
} from './command-sql.ts';

/** A phone that has an order and gave no result is given it again after this long: longer than any order takes, short enough to be useful. */
const REASK_AFTER_S = 600;

/** Which of the polls in a row at which a phone does not fit somebody is told of: the second, when it is sent the same again, the third, when the shop hears. */
const UNFIT_TOLD = `(p.unfit > p.was_unfit and (p.unfit in (2, 3, 4, 8, 16) or p.unfit % 32 = 0))`;

/** Prepared under this name on every connection of the device pool. */
export const CHECKIN_NAME = 'device_checkin';

/**
 * A whole check-in of up to 200 phones, as role kist_device: $1 is a JSON array of `CheckinInput`. It
 * 1. takes only live enrolments, found by their name or by their key (no row comes back for any other: AGENT_UNKNOWN),
 * 2. writes the report unless a newer one is there (boot count, then milliseconds since boot); a revision that was never given is noted beside it and
 *    colours nothing, and polls at which the phone is not what its revision asks for are counted: another document under that number (`holds`: the digest
 *    that it says is not ours; one that says none is taken at its number), another level, other switches,
 *    `given_at`: of a phone that its vendor tells of, since when the vendor has that revision and was asked: one that was heard of there since and is not at
 *    it does not fit either. `reaches`: the right number, level and switches, whatever digest it says: that it is free is never held against a digest. `is_gone`: of a released
 *    phone level 0 under that number is enough, for the next thing it does is to destroy its key.
 * 3. moves the phone's open orders on: acknowledged one-shots, state orders whose revision is reported (delivered) and fits (verified; what gives back is
 *    verified by level and switch, whatever digest is said), those handed out now,
 * 4. notes events once, as many of a kind as a day allows, and in device_changes what somebody must act on,
 * 5. returns what the phone lacks: a newer desired document (also when it names a revision that was never given and is not what the document asks for: a
 *    number keeps nobody locked; `revisionToTake` is the same rule in TypeScript), a newer lease, its next orders.
 * A phone answers for its own orders only, and only for those it was handed: the same batch holds other phones, of other shops too.
 * What is not named (null) stays as it was. Whoever names no highest number of an order does not fetch: a vendor tells of its phones, and is given what they
 * lack by the dispatcher.
 * A channel that stands beside the one in charge reports nothing that counts and is told nothing of what the phone shall be: its events are heard, and it is
 * given the questions that the one in charge does not carry.
 * A repeated request changes nothing twice. Rows of state orders that a running bulk order holds are skipped, not waited for;
 * the next report moves them. The order of states is COMMAND_NEXT of the contract; test/command-model.ts is the same rule in TypeScript and
 * the store test runs both against each other.
 */
export const CHECKIN_SQL = `
with clock as materialized (select kist_now() as now),
input as materialized (
  select * from jsonb_to_recordset($1::jsonb) as x(
    n integer, org_id integer, enrolment_id uuid, key_sha256 bytea, boot_count bigint, elapsed_ms bigint, wall_clock timestamptz, highest_seq bigint,
    revision bigint, policy_digest bytea, names_digest boolean, lock_level smallint, lock_cause text, names_cause boolean, lease_seq bigint, toggles jsonb, sims jsonb, battery smallint,
    names_battery boolean, agent_version text, location jsonb, located_at timestamptz, push_token text, names_push boolean, acks jsonb, events jsonb)
),
phone as materialized (
  select *, case when not in_charge then was_unfit when fits then 0 when revision >= desired_revision or elapsed_ms > extract(epoch from given_at) * 1000 then was_unfit + 1
      else was_unfit end as unfit,
    in_charge and (revision < desired_revision or (revision > desired_revision and not does)) as lacks from (
  select *, (does and revision = desired_revision) or not in_charge as fits from (
  select *, is_there and holds as does, is_there and revision = desired_revision as reaches,
    in_charge and is_released and lock_level = 0 and revision = desired_revision as is_gone from (
  select i.n, i.org_id, e.enrolment_id, i.boot_count, i.elapsed_ms, i.acks, i.events, i.location, i.located_at, i.highest_seq, i.highest_seq is not null as pulls,
    coalesce(i.wall_clock, r.wall_clock) as wall_clock, coalesce(i.revision, r.revision) as revision, coalesce(i.lock_level, r.lock_level) as lock_level,
    case when i.names_cause then i.lock_cause else r.lock_cause end as lock_cause, coalesce(i.lease_seq, r.lease_seq) as lease_seq,
    coalesce(i.toggles, r.toggles) as toggles, coalesce(i.sims, r.sims) as sims, case when i.names_battery then i.battery else r.battery end as battery,
    coalesce(i.agent_version, r.agent_version) as agent_version, case when i.names_push then i.push_token else r.push_token end as push_token,
    e.device_id, e.started_at, e.vendor, e.in_charge, clock.now,
    case when not e.in_charge then (select g.vendor from enrolments g where g.org_id = e.org_id and g.device_id = e.device_id and g.ended_at is null and g.in_charge)
      end as charge_vendor,
    r.reported_at as was_reported_at, r.revision as was_revision, r.lock_level as was_level, r.sims as was_sims, r.toggles as was_toggles, r.unfit_polls as was_unfit,
    e.in_charge and (i.boot_count, i.elapsed_ms) > (r.boot_count, r.elapsed_ms) as is_newer,
    case when i.highest_seq is null and (i.revision is not null or i.sims is not null) then (
      select q.asked_at from deliveries q where q.org_id = e.org_id and q.enrolment_id = e.enrolment_id and q.revision = d.revision) end as given_at,
    d.revision as desired_revision, case when r.is_strong then d.lock_level else least(d.lock_level, ${ADVISORY_MAX_LEVEL}) end as desired_level,
    case when r.is_strong then coalesce(i.lock_level, r.lock_level) else least(coalesce(i.lock_level, r.lock_level), ${ADVISORY_MAX_LEVEL}) end as reached_level,
    (i.toggles is null or i.toggles = d.document -> 'toggles') and (coalesce(i.lock_level, r.lock_level) = d.lock_level
      or (not r.is_strong and least(coalesce(i.lock_level, r.lock_level), ${ADVISORY_MAX_LEVEL}) = least(d.lock_level, ${ADVISORY_MAX_LEVEL}))) as is_there,
    i.policy_digest is null or i.policy_digest = ${devices.documentDigestSql('d')} as holds,
    case when i.names_digest then i.policy_digest else r.policy_digest end as policy_digest, d.document, d.document -> 'released' = 'true' as is_released, d.lease, d.lease_seq as desired_lease_seq
  from input i
  cross join ${liveChannelSql('i', 'c.org_id, c.enrolment_id, c.device_id, c.started_at, c.vendor, c.in_charge')} e
  join device_reports r on r.org_id = e.org_id and r.device_id = e.device_id
  join device_desired d on d.org_id = e.org_id and d.device_id = e.device_id
  cross join clock
  ) joined
  ) compared
  ) judged
),
given as materialized (
  select p.org_id, p.device_id, e.id, greatest(least(e.at, p.now), p.started_at) as at, e.kind, e.data, e.nth, e.nth <= ${LIMITS.eventsPerDayAndKind} - (
    select count(*) from device_events s where s.org_id = p.org_id and s.device_id = p.device_id and s.kind = e.kind
      and s.received_on = (p.now at time zone 'utc')::date) as is_kept
  from phone p cross join lateral rows from (jsonb_to_recordset(p.events) as (id uuid, at timestamptz, kind text, data jsonb))
    with ordinality as e(id, at, kind, data, nth)
),
reported as (
  update device_reports r set
    revision = case when p.revision > p.desired_revision then r.revision else p.revision end,
    policy_digest = p.policy_digest, claimed_revision = case when p.revision > p.desired_revision then p.revision else 0 end, unfit_polls = p.unfit,
    events_dropped = r.events_dropped + (select count(*) from given g where g.org_id = r.org_id and g.device_id = r.device_id and not g.is_kept),
    lock_level = p.lock_level, lock_cause = p.lock_cause, boot_count = p.boot_count, elapsed_ms = p.elapsed_ms,
    wall_clock = p.wall_clock, battery = p.battery, agent_version = p.agent_version, sims = p.sims, toggles = p.toggles,
    lease_seq = p.lease_seq, push_token = p.push_token, location = coalesce(p.location, r.location),
    located_at = case when p.location is null then r.located_at else least(p.located_at, p.now) end, reported_at = p.now, last_seen_at = p.now,
    told_revision = case when p.pulls then p.desired_revision else r.told_revision end,
    told_lease_seq = case when p.pulls then p.desired_lease_seq else r.told_lease_seq end,
    level_changed_at = case when r.lock_level = p.lock_level then r.level_changed_at else p.now end
  from phone p
  where r.org_id = p.org_id and r.device_id = p.device_id and p.in_charge and (p.boot_count, p.elapsed_ms) > (r.boot_count, r.elapsed_ms)
  returning r.org_id, r.device_id
),
acked as materialized (
  select p.org_id, p.device_id, a.id as command_id, max(array_position('{delivered,applied,seen,failed}'::text[], a.status)) as rank,
    max(a.code) filter (where a.status = 'failed') as code, (array_agg(a.result) filter (where a.result is not null))[1] as result
  from phone p cross join lateral jsonb_to_recordset(p.acks) as a(id uuid, status text, code text, result jsonb)
  group by p.org_id, p.device_id, a.id
),
open as materialized (
  select p.n, p.now, c.org_id, c.command_id, c.device_id, c.seq, c.type, c.args, c.state, c.is_state, c.expires_at, a.code, a.result,
    case
      when c.is_state then
        case
          when not p.is_newer or p.revision < c.revision or p.revision > p.desired_revision then
            case when p.pulls and c.state = 'QUEUED' and p.revision < p.desired_revision then 'SENT' end
          when p.revision = p.desired_revision and (p.holds or ${givesBackSql('c.type')}) and ${isThereSql({ type: 'c.type', level: 'p.reached_level = p.desired_level', reported: 'p.toggles', desired: "p.document -> 'toggles'" })} then 'VERIFIED'
          when c.state in (${UNDELIVERED_COMMANDS}) then 'DELIVERED'
        end
      when a.rank = 4 then 'FAILED'
      when a.rank = 3 or (a.rank = 2 and ${isProvenByResultSql('c.type')}) then 'VERIFIED'
      when a.rank = 2 then case when c.state <> 'APPLIED' then 'APPLIED' end
      when a.rank = 1 then case when c.state in (${UNDELIVERED_COMMANDS}) then 'DELIVERED' end
      when c.state = 'SENT' and c.seq <= p.highest_seq then 'DELIVERED'
    end as moved_to,
    p.pulls and not c.is_state and a.rank is null and c.state <> 'APPLIED' and c.expires_at > p.now and (
      c.state = 'QUEUED' or c.seq > p.highest_seq or (c.asked_at < p.now - interval '${REASK_AFTER_S} seconds')
    ) as is_wanted
  from phone p
  join commands c on c.org_id = p.org_id and c.device_id = p.device_id and c.state in (${OPEN_COMMANDS})
    and (p.in_charge or (not c.is_state and (${isCarriedSql('p.vendor', 'c.type')}) and not (${isCarriedSql('p.charge_vendor', 'c.type')})))
  left join acked a on a.org_id = c.org_id and a.device_id = c.device_id and a.command_id = c.command_id and c.state <> 'QUEUED' and not c.is_state
),
step as materialized (
  select *, coalesce(moved_to, case when is_handed and state = 'QUEUED' then 'SENT' end, state) as next from (
    select *, is_wanted and row_number() over (partition by n, is_wanted order by seq) <= ${LIMITS.commandsPerCheckin} as is_handed from open
  ) placed
  where moved_to is not null or is_handed
),
free as materialized (
  select c.org_id, c.command_id from commands c
  where (c.org_id, c.command_id) in (select s.org_id, s.command_id from step s where s.is_state)
  for update skip locked
),
moved as (
  update commands c set state = s.next,
    sent_at = coalesce(c.sent_at, s.now),
    delivered_at = case when s.next = 'SENT' then c.delivered_at else coalesce(c.delivered_at, s.now) end,
    applied_at = case when s.next in ('APPLIED', 'VERIFIED') then coalesce(c.applied_at, s.now) else c.applied_at end,
    verified_at = case when s.next = 'VERIFIED' then s.now end,
    ended_at = case when s.next in ('VERIFIED', 'FAILED') then s.now end,
    asked_at = case when s.is_handed then s.now else c.asked_at end,
    attempts = least(c.attempts + s.is_handed::integer, 32767),
    result = coalesce(s.result, c.result),
    fail_code = case when s.next = 'FAILED' then coalesce(s.code, 'PHONE_REFUSED') end
  from step s
  where c.org_id = s.org_id and c.command_id = s.command_id and c.state in (${OPEN_COMMANDS})
    and (not s.is_state or exists (select from free f where f.org_id = c.org_id and f.command_id = c.command_id))
  returning s.n, s.now, c.org_id, c.device_id, c.command_id, c.type, c.state, c.result, c.fail_code
),
noted as (
  insert into device_events (org_id, device_id, event_id, at, kind, data)
  select org_id, device_id, id, at, kind, data from given where is_kept
  on conflict do nothing
  returning org_id, device_id, event_id, at, kind, data
),
changed as (
  insert into device_changes (org_id, change_id, device_id, at, changes)
  select org_id, gen_random_uuid(), device_id, min(now), coalesce((array_agg(value) filter (where part = 'report'))[1], '{}')
    || case when bool_or(part = 'event') then jsonb_build_object('events', jsonb_agg(value order by value ->> 'at', nth) filter (where part = 'event')) else '{}' end
    || case when bool_or(part = 'command') then jsonb_build_object('commands', jsonb_agg(value) filter (where part = 'command')) else '{}' end
  from (
    select p.org_id, p.device_id, p.now, 'report' as part, null::bigint as nth, jsonb_strip_nulls(jsonb_build_object(
      'first', case when p.was_reported_at is null then true end,
      'level', case when p.was_level <> p.lock_level then jsonb_build_object('from', p.was_level, 'to', p.lock_level, 'cause', p.lock_cause) end,
      'settled', case when p.reaches and (p.was_revision < p.revision or p.was_level <> p.lock_level or p.was_toggles <> p.toggles)
        then jsonb_build_object('revision', p.revision, 'level', p.lock_level) end,
      'gone', case when p.is_gone then true end,
      'unfit', case when ${UNFIT_TOLD} then jsonb_build_object('polls', p.unfit, 'desired', p.desired_revision, 'revision', p.revision, 'level', p.lock_level,
        'isFree', p.reaches and p.lock_level = 0 and p.toggles = '${JSON.stringify(NO_SWITCHES)}') end,
      'sims', case when p.was_reported_at is not null and p.was_sims <> p.sims then jsonb_build_object('from', p.was_sims, 'to', p.sims) end)) as value
    from phone p
    where p.is_newer and (p.was_reported_at is null or p.was_level <> p.lock_level or p.was_sims <> p.sims
      or (p.reaches and (p.was_revision < p.revision or p.was_toggles <> p.toggles)) or p.is_gone or ${UNFIT_TOLD})
    union all
    select e.org_id, e.device_id, (select now from clock), 'event', g.nth, jsonb_build_object('id', e.event_id, 'kind', e.kind, 'at', e.at, 'data', e.data)
    from noted e
    join (select org_id, device_id, id, min(nth) as nth from given group by org_id, device_id, id) g on (g.org_id, g.device_id, g.id) = (e.org_id, e.device_id, e.event_id)
    union all
    select m.org_id, m.device_id, m.now, 'command', null, jsonb_strip_nulls(
      jsonb_build_object('id', m.command_id, 'type', m.type, 'state', m.state, 'result', m.result, 'code', m.fail_code))
    from moved m where m.state in ('APPLIED', 'VERIFIED', 'FAILED')
  ) news
  group by org_id, device_id
  returning device_id
)
select 'phone' as kind, p.n, p.device_id as "deviceId", to_char(p.now at time zone 'utc', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"') as "serverTime",
  case when p.lacks then case when p.revision > p.desired_revision and p.revision - p.desired_revision <= ${devices.MAX_LEAP} then p.revision + 1 else p.desired_revision end
    end as "desiredRevision",
  case when p.lacks then p.document end as "document",
  case when p.in_charge and p.lease_seq < p.desired_lease_seq then p.lease end as "lease",
  p.fits as "isSettled", null::json as "command"
from phone p
union all
select 'order', s.n, s.device_id, null, null, null, null, null, json_build_object('id', s.command_id, 'seq', s.seq, 'type', s.type, 'args', s.args,
  'expires_at', to_char(s.expires_at at time zone 'utc', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"'))
from step s where s.is_handed
union all
select 'moved', m.n, m.device_id, null, null, null, null, null, null from moved m
union all
select 'changed', null, c.device_id, null, null, null, null, null, null from changed c`;

/** A row of the answer. 'phone' once for each that was known; 'order' for each order handed out; 'moved' and 'changed' name phones somebody watches or must act on. */
export type CheckinRow =
  | {
      kind: 'phone';
      n: number;
      deviceId: string;
      serverTime: string;
      desiredRevision: number | null;
      document: DesiredPolicy | null;
      lease: Lease | null;
      isSettled: boolean;
    }
  | { kind: 'order'; n: number; deviceId: string; command: AgentCommand }
  | { kind: 'moved' | 'changed'; deviceId: string };

/** One phone's part of $1: column names of the statement's `input`. */
export interface CheckinInput {
  n: number;
  org_id: number;
  /** Of the channel, or the key that it is found by. */
  enrolment_id: string | null;
  key_sha256: string | null;
  boot_count: number;
  elapsed_ms: number;
  wall_clock: string | null;
  highest_seq: number | null;
  revision: number | null;
  /** As `bytea` reads it. */
  policy_digest: string | null;
  names_digest: boolean;
  lock_level: number | null;
  lock_cause: string | null;
  names_cause: boolean;
  lease_seq: number | null;
  toggles: Record<string, boolean> | null;
  sims: readonly object[] | null;
  battery: number | null;
  names_battery: boolean;
  agent_version: string | null;
  location: object | null;
  located_at: string | null;
  push_token: string | null;
  names_push: boolean;
  acks: readonly object[];
  events: readonly object[];
}

export const POLL_NAME = 'device_poll';
/** Is there anything a phone was not handed yet? $1: JSON array of {n, org_id, enrolment_id, key_sha256}; no row for an enrolment that is not live. */
export const POLL_SQL = `
select i.n, e.device_id as "deviceId", (e.in_charge and (d.revision > greatest(r.revision, r.told_revision) or d.lease_seq > greatest(r.lease_seq, r.told_lease_seq)))
  or exists (select from commands c where c.org_id = e.org_id and c.device_id = e.device_id and c.state = 'QUEUED' and not c.is_state
    and c.expires_at > kist_now() and (e.in_charge or ((${isCarriedSql('e.vendor', 'c.type')}) and not exists (
      select from enrolments g where g.org_id = e.org_id and g.device_id = e.device_id and g.ended_at is null and g.in_charge
        and ${isCarriedSql('g.vendor', 'c.type')})))) as "isWaiting"
from jsonb_to_recordset($1::jsonb) as i(n integer, org_id integer, enrolment_id uuid, key_sha256 bytea)
cross join ${liveChannelSql('i', 'c.org_id, c.device_id, c.vendor, c.in_charge')} e
join device_reports r on r.org_id = e.org_id and r.device_id = e.device_id
join device_desired d on d.org_id = e.org_id and d.device_id = e.device_id`;

/**
 * The keys of enrolments that are live, or that their phone's next one took the place of, by the key's name; as role kist_device. $1, $2: organisations and
 * hashes, one beside the other, for whoever asks this is most often nobody and reading JSON cost more than the look. The live one comes first.
 */
export const KEY_SQL = `
with named as materialized (
  select n::integer - 1 as n, org_id, key_sha256 from unnest($1::integer[], $2::bytea[]) with ordinality as i(org_id, key_sha256, n)
)
select i.n, e.device_id as "deviceId", e.enrolment_id as "enrolmentId", e.public_key_spki as "spki"
from named i join enrolments e on e.org_id = i.org_id and e.key_sha256 = i.key_sha256 and e.ended_at is null
union all
select i.n, e.device_id, e.enrolment_id, e.public_key_spki
from named i cross join lateral (
  select c.device_id, c.enrolment_id, c.public_key_spki from enrolments c
  where c.org_id = i.org_id and c.key_sha256 = i.key_sha256 and c.ended_at is not null and c.replaced_by is not null
  order by c.ended_at desc limit 1) e`;

/** The same by the enrolment's name. $1: JSON array of {n, org_id, enrolment_id, key_sha256}. */
export const ENROLMENT_KEY_SQL = `
with named as materialized (
  select * from jsonb_to_recordset($1::jsonb) as i(n integer, org_id integer, enrolment_id uuid, key_sha256 bytea)
)
select i.n, e.device_id as "deviceId", e.enrolment_id as "enrolmentId", e.public_key_spki as "spki"
from named i cross join ${liveChannelSql('i', 'c.device_id, c.enrolment_id, c.public_key_spki')} e
union all
select i.n, e.device_id, e.enrolment_id, e.public_key_spki
from named i cross join ${earlierChannelSql('i', 'c.device_id, c.enrolment_id, c.public_key_spki')} e`;
