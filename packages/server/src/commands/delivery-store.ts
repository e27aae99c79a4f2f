import type { AgentCommand, DesiredPolicy } from '@kist/contract/agent';
import { LIMITS } from '@kist/contract/limits';
import { bool, int2, int4, int8, jsonb, known, listOf, nullable, text, uuid } from '#server/platform/column-types.ts';
import { crossingStatement, statement } from '#server/platform/statement.ts';
import { UNDELIVERED_COMMANDS, isCarriedSql } from './command-sql.ts';

/** Whoever takes a delivery has it to himself for this long; then another carries it again. */
const CARRIED_WITHIN_S = 60;
/** The last priority: what is given back comes before it. */
export const EVERYTHING = 2;

/** Which of these organisations have something that a vendor may be told now, some steps of the index each: what waits for its time wakes nobody. */
export const organisationsWaiting = crossingStatement({
  name: 'commands.organisations_waiting',
  takes: { org_ids: listOf(int4), vendor: text },
  gives: { org_id: int4 },
  text: `select o.org_id from unnest($org_ids) o(org_id) cross join lateral (
       select from generate_series(0, ${EVERYTHING}) p(priority) cross join lateral (
         select from deliveries d where d.org_id = o.org_id and d.vendor = $vendor and d.priority = p.priority and d.next_at <= kist_now() limit 1) due
       limit 1) waiting`,
});

/** Which of these organisations have channels that their vendors have not confirmed. */
export const organisationsUnconfirmed = crossingStatement({
  name: 'commands.organisations_unconfirmed',
  takes: { org_ids: listOf(int4) },
  gives: { org_id: int4 },
  text: `select o.org_id from unnest($org_ids) o(org_id) cross join lateral (
       select from deliveries d where d.org_id = o.org_id and d.asked_at is not null limit 1) waiting`,
});

/**
 * Deliveries of one organisation for a vendor that may go now, what is given back first. Of `most` priorities: 0 leaves everything that is not given back. What
 * another process has in hand is passed over.
 */
const READY = `with ready as materialized (
       select r.org_id, r.enrolment_id from generate_series(0, $most) p(priority) cross join lateral (
         select q.org_id, q.enrolment_id from deliveries q
         where q.org_id = $org_id and q.vendor = $vendor and q.priority = p.priority and q.next_at <= kist_now()
         order by q.next_at limit $limit for update skip locked) r
       limit $limit)`;

/** Takes what is ready, for so long as carrying it may take. */
export const takeWaiting = crossingStatement({
  name: 'commands.take_waiting',
  takes: { org_id: int4, vendor: text, most: int2, limit: int4 },
  gives: { enrolment_id: uuid, device_id: uuid, change_no: int4, tries: int2, troubles: int2, priority: int2 },
  text: `${READY}
     update deliveries d set next_at = (select kist_now()) + interval '${CARRIED_WITHIN_S} seconds', tries = least(d.tries + 1, 32767)
     from ready where d.org_id = $org_id and d.enrolment_id = ready.enrolment_id
     returning d.enrolment_id, d.device_id, d.change_no, d.tries, d.troubles, d.priority`,
});

/**
 * Takes what is ready off the queue, for good: its phones only need to hear of it. In a transaction that ends once they did: where it does not come to its
 * end, everything waits as before.
 */
export const takeKnocks = crossingStatement({
  name: 'commands.take_knocks',
  takes: { org_id: int4, vendor: text, most: int2, limit: int4 },
  gives: { enrolment_id: uuid, device_id: uuid },
  text: `${READY}
     update deliveries d set next_at = null, why = null, tries = least(d.tries + 1, 32767)
     from ready where d.org_id = $org_id and d.enrolment_id = ready.enrolment_id
     returning d.enrolment_id, d.device_id`,
});

/** Whether something is given back that nobody has in hand. */
export const isUnlockWaiting = crossingStatement({
  name: 'commands.is_unlock_waiting',
  takes: { org_id: int4, vendor: text },
  gives: { is_waiting: known(bool) },
  text: `select exists (select from deliveries where org_id = $org_id and vendor = $vendor and priority = 0 and next_at <= kist_now()) as is_waiting`,
});

/**
 * Whether an order of a moment `c` is for the channel `e`: for the one in charge where it carries it, else for one beside it that does; for the one in
 * charge again where nobody does, so that it fails there and says so.
 */
const IS_ITS_OWN = `case when e.in_charge then ${isCarriedSql('e.vendor', 'c.type')} or not exists (
             select from channels_view o where o.org_id = e.org_id and o.device_id = e.device_id and o.ended_at is null and not o.in_charge
               and ${isCarriedSql('o.vendor', 'c.type')})
           else (${isCarriedSql('e.vendor', 'c.type')}) and not exists (
             select from channels_view o where o.org_id = e.org_id and o.device_id = e.device_id and o.ended_at is null and o.in_charge
               and ${isCarriedSql('o.vendor', 'c.type')}) end`;

/** What is carried to phones of vendors that keep it for them: the document as it shall be now, and the open orders. */
export const cargoOf = crossingStatement({
  name: 'commands.cargo_of',
  takes: { org_id: int4, enrolment_ids: jsonb<readonly string[]>() },
  gives: {
    enrolment_id: uuid,
    handle: nullable(text),
    provisioning_type: int4,
    revision: int8,
    document: jsonb<DesiredPolicy>(),
    orders: jsonb<AgentCommand[]>(),
    operation: nullable(text),
    carried_revision: nullable(int8),
    in_charge: bool,
  },
  text: `select e.enrolment_id, e.in_charge, e.handle, e.provisioning_type, e.desired_revision as revision, e.document,
       coalesce((select jsonb_agg(jsonb_build_object('id', c.command_id, 'seq', c.seq, 'type', c.type, 'args', c.args,
           'expires_at', to_char(c.expires_at at time zone 'utc', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"')) order by c.seq)
         from (select * from commands c where c.org_id = e.org_id and c.device_id = e.device_id and not c.is_state
           and c.state in (${UNDELIVERED_COMMANDS}) and c.expires_at > kist_now() and ${IS_ITS_OWN} order by c.seq limit ${LIMITS.commandsPerCheckin}) c), '[]') as orders,
       d.operation, d.revision as carried_revision
     from jsonb_array_elements_text($enrolment_ids) g(id)
     join channels_view e on e.org_id = $org_id and e.enrolment_id = g.id::uuid and e.ended_at is null
     join deliveries d on d.org_id = e.org_id and d.enrolment_id = e.enrolment_id`,
});

/** What became of a delivery. A change that came meanwhile (another `change_no`) leaves the row open at once, but where another process carried it already. */
interface Carried {
  enrolment_id: string;
  change_no: number;
  /** Null: done; else milliseconds until it is tried again. */
  again_ms: number | null;
  /** False: it was not tried, for its turn did not come. */
  is_tried: boolean;
  /** It takes a call of its own: what is given back goes before it from now on. */
  is_put_aside: boolean;
  operation: string | null;
  revision: number | null;
  level: number | null;
  why: string | null;
}

export const noteCarried = crossingStatement({
  name: 'commands.note_carried',
  takes: { org_id: int4, carried: jsonb<readonly Carried[]>() },
  text: `update deliveries d set
       next_at = case when d.change_no > c.change_no then case when d.next_at is not null then least(d.next_at, kist_now()) end when c.again_ms is null then null
         else kist_now() + make_interval(secs => c.again_ms / 1000.0) end,
       tries = case when c.is_tried then d.tries else greatest(0, d.tries - 1) end,
       troubles = case when d.change_no > c.change_no or not c.is_tried then d.troubles when c.again_ms is null then 0 else least(d.troubles + 1, 32767) end,
       priority = case when c.is_put_aside and d.change_no = c.change_no then greatest(d.priority, 1) else d.priority end,
       operation = case when c.revision < d.revision then d.operation else coalesce(c.operation, d.operation) end, revision = greatest(d.revision, c.revision),
       asked_at = case when c.revision is null then d.asked_at else kist_now() end, level = case when c.revision < d.revision then d.level else coalesce(c.level, d.level) end,
       why = c.why
     from jsonb_to_recordset($carried) as c(enrolment_id uuid, change_no integer, again_ms integer, is_tried boolean, is_put_aside boolean, operation text, revision bigint, level smallint, why text)
     where d.org_id = $org_id and d.enrolment_id = c.enrolment_id`,
});

const UTC_DAY = `(kist_now() at time zone 'utc')::date`;
/** Fills up an organisation's bucket at a vendor; what is used of it `spendBudget` takes out. @returns how many calls there are, at most `wanted`; `is_refused`: by what was heard last, the vendor refuses the account */
export const takeBudget = crossingStatement({
  name: 'commands.take_budget',
  takes: { org_id: int4, vendor: text, wanted: int4, per_minute: int4, burst: int4 },
  gives: { given: int4, carried_today: int4, is_refused: known(bool) },
  text: `with filled as (
       insert into vendor_budgets as b (org_id, vendor, left_over, filled_at) values ($org_id, $vendor, $burst, kist_now())
       on conflict (org_id, vendor) do update set filled_at = greatest(b.filled_at, kist_now()),
         left_over = least($burst, b.left_over + $per_minute * greatest(0, extract(epoch from kist_now() - b.filled_at)) / 60.0)
       returning org_id, vendor, left_over, day, carried, refused_since
     ) select least($wanted, floor(left_over))::integer as given, case when day = ${UTC_DAY} then carried else 0 end as carried_today, refused_since is not null as is_refused from filled`,
});
export const spendBudget = crossingStatement({
  name: 'commands.spend_budget',
  takes: { org_id: int4, vendor: text, spent: int4 },
  text: `update vendor_budgets set left_over = left_over - $spent where org_id = $org_id and vendor = $vendor`,
});
/** Changes that the vendor took: it counts them by the day. */
export const countCarried = crossingStatement({
  name: 'commands.count_carried',
  takes: { org_id: int4, vendor: text, carried: int4 },
  text: `update vendor_budgets set carried = case when day = ${UTC_DAY} then carried else 0 end + $carried, day = ${UTC_DAY}
     where org_id = $org_id and vendor = $vendor`,
});

/** A vendor that has not said for so long that its phone is what it was given is asked: longer than a phone takes to its cloud on a bad line. */
const ASKED_AFTER_S = 300;
/** Channels looked through in one run, oldest first: a run stays short, and no quota is spent on one outage. */
const ASKED_PER_RUN = 2000;

/** What fell through at vendors: of the channels not confirmed for long, those that fit meanwhile are closed and the others carried once more, which asks. */
export const askUnconfirmed = statement({
  name: 'commands.ask_unconfirmed',
  text: `with old as materialized (
       select q.org_id, q.enrolment_id from deliveries q
       where q.org_id = $1 and q.asked_at < kist_now() - interval '${ASKED_AFTER_S} seconds' and q.next_at is null
       order by q.asked_at limit ${ASKED_PER_RUN} for update skip locked
     ), judged as (
       select o.org_id, o.enrolment_id, e.ended_at is not null or (e.reported_revision = e.desired_revision and e.unfit_polls = 0) as is_closed
       from old o join channels_view e on e.org_id = o.org_id and e.enrolment_id = o.enrolment_id
     )
     update deliveries d set asked_at = case when j.is_closed then null else kist_now() end, next_at = case when j.is_closed then null else kist_now() end,
       priority = case when j.is_closed then d.priority else 1 end
     from judged j where d.org_id = $1 and j.org_id = d.org_id and d.enrolment_id = j.enrolment_id`,
});

/** An account of which nothing was asked for so long may be refused since, and nobody knows: the next unlock would be the first to hear it. */
const IDLE_AFTER = `interval '20 hours'`;

/** Which of these organisations have an account at a vendor that was not used for long. */
export const organisationsIdle = crossingStatement({
  name: 'commands.organisations_idle',
  takes: { org_ids: listOf(int4) },
  gives: { org_id: int4 },
  text: `select distinct b.org_id from vendor_budgets b where b.org_id = any($org_ids) and b.filled_at < kist_now() - ${IDLE_AFTER}`,
});

/** Of each account that was not used for long the vendor is asked about one phone that is what it shall be, as about one that it has not confirmed: that changes nothing. */
export const askIdle = statement({
  name: 'commands.ask_idle',
  text: `with one as materialized (
       select p.org_id, p.enrolment_id from vendor_budgets b cross join lateral (
         select q.org_id, q.enrolment_id from deliveries q join channels_view e on e.org_id = q.org_id and e.enrolment_id = q.enrolment_id
         where q.org_id = b.org_id and q.vendor = b.vendor and q.revision is not null and e.handle is not null and e.ended_at is null and e.in_charge
           and e.reported_revision = e.desired_revision and e.unfit_polls = 0 and e.document -> 'released' is distinct from 'true'
         limit 1) p
       where b.org_id = $1 and b.filled_at < kist_now() - ${IDLE_AFTER}
         and not exists (select from deliveries w where w.org_id = b.org_id and w.vendor = b.vendor and w.next_at is not null)
     )
     update deliveries d set asked_at = kist_now(), next_at = kist_now(), priority = 1
     from one where d.org_id = $1 and one.org_id = d.org_id and d.enrolment_id = one.enrolment_id and d.next_at is null`,
});

/** Orders that a vendor was given, and those it refused for good: `orders` of a moment by their ids, and of a channel in charge all that the document says. */
export const noteOrders = crossingStatement({
  name: 'commands.note_orders',
  takes: {
    org_id: int4,
    told: jsonb<readonly { enrolment_id: string; fail_code: string | null; orders: readonly string[] }[]>(),
  },
  text: `update commands c set
       state = case when t.fail_code is null then 'SENT' else 'FAILED' end,
       sent_at = coalesce(c.sent_at, kist_now()), asked_at = kist_now(), fail_code = t.fail_code,
       ended_at = case when t.fail_code is null then null else kist_now() end
     from jsonb_to_recordset($told) as t(enrolment_id uuid, fail_code text, orders jsonb)
     join channels_view e on e.org_id = $org_id and e.enrolment_id = t.enrolment_id
     where c.org_id = $org_id and c.device_id = e.device_id and case when c.is_state then e.in_charge else t.orders ? c.command_id::text end and (c.state = 'QUEUED' or (t.fail_code is not null and c.state = 'SENT'))
       and c.expires_at > kist_now()`,
});

/** A channel's row by what its vendor calls the phone. */
export const channelByHandle = crossingStatement({
  name: 'commands.channel_by_handle',
  takes: { org_id: int4, vendor: text, handle: text },
  gives: {
    enrolment_id: uuid,
    device_id: uuid,
    operation: nullable(text),
    revision: nullable(int8),
    level: nullable(int2),
    is_let_go: known(bool),
  },
  text: `select e.enrolment_id, e.device_id, d.operation, d.revision, d.level, e.document -> 'released' is not distinct from 'true' as is_let_go from channels_view e
     left join deliveries d on d.org_id = e.org_id and d.enrolment_id = e.enrolment_id
     where e.org_id = $org_id and e.vendor = $vendor and e.handle = $handle and e.ended_at is null`,
});

/** A delivery that was taken and not carried out: it is carried anew, not asked about. Nothing when something newer waits already. */
export const carryAgain = crossingStatement({
  name: 'commands.carry_again',
  takes: { org_id: int4, enrolment_id: uuid, after_ms: int4, why: text },
  text: `update deliveries set next_at = kist_now() + make_interval(secs => $after_ms / 1000.0), revision = null, why = $why
     where org_id = $org_id and enrolment_id = $enrolment_id and next_at is null`,
});
