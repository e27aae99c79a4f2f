import {
  bool,
  bytea,
  date,
  int4,
  int8,
  known,
  nothing,
  nullable,
  text,
  timestamptz,
  uuid,
} from '#server/platform/column-types.ts';
import { globalStatement, statement } from '#server/platform/statement.ts';

/** Writes down the heads that moved since the last root. A line is dated before it is seen by others, at most by a statement's time-out: an hour is plenty. */
export const noteHeads = statement({
  name: 'audit.note_heads',
  takes: { day: date },
  text: `
    with last as (select max(at) - interval '1 hour' as since from audit_roots where org_id = $1),
    moved as (
      select distinct l.subject_kind, l.subject_id from audit_lines l, last
      where l.org_id = $1 and (last.since is null or l.at >= last.since)
    )
    insert into audit_root_heads (org_id, day, subject_kind, subject_id, seq, hash)
    select h.org_id, $day, h.subject_kind, h.subject_id, h.seq, h.hash
    from moved join audit_heads h using (subject_kind, subject_id)
    where h.org_id = $1 and not exists (
      select from audit_root_heads r
      where r.org_id = $1 and r.subject_kind = h.subject_kind and r.subject_id = h.subject_id and r.seq >= h.seq
    )`,
});

/** The day's root over the heads written down for it: the database makes it (migration 0126). None where the day or a later one has its root. */
export const closeDay = statement({
  name: 'audit.close_day',
  takes: { day: date },
  text: `
    insert into audit_roots (org_id, day, at, heads, prev_root, root)
    select $1, $day, kist_now(), 0, '', ''`,
});

/** The roots of an organisation are made one after the other, in whichever process. */
export const takeTurn = globalStatement({
  name: 'audit.take_turn',
  takes: { organisation: int4 },
  gives: { pg_advisory_xact_lock: nothing },
  text: `select pg_advisory_xact_lock(hashtextextended('audit.root', $organisation))`,
});

/** Whether today has its root already. */
export const today = statement({
  name: 'audit.today',
  gives: { day: date, is_closed: known(bool) },
  text: 'select kist_today() as day, exists (select from audit_roots where org_id = $1 and day >= kist_today()) as is_closed',
});

/** Roots from the newest back. */
export const roots = statement({
  name: 'audit.roots',
  takes: { before: nullable(date), limit: int4 },
  gives: { day: date, at: timestamptz, heads: int8, prev_root: bytea, root: bytea },
  text: `
    select day, at, heads, prev_root, root from audit_roots
    where org_id = $1 and day < coalesce($before, 'infinity'::date) order by day desc limit $limit`,
});

/** A root has a day. Some thousand rows are looked at, for a person. */
export const dayOfRoot = statement({
  name: 'audit.day_of_root',
  takes: { root: bytea },
  gives: { day: date },
  text: 'select day from audit_roots where org_id = $1 and root = $root order by day desc limit 1',
});

/** Whether the root of a day still follows from the heads written down for it and from the root before. */
export const isRootWhole = statement({
  name: 'audit.is_root_whole',
  takes: { day: date },
  gives: { root: known(bytea), expected: nullable(bytea) },
  text: `
    select r.root, case when r.prev_root = coalesce(
      (select p.root from audit_roots p where p.org_id = $1 and p.day < $day order by p.day desc limit 1), ''::bytea)
      then audit_root_of(r.org_id, r.day, r.prev_root) end as expected
    from audit_roots r where r.org_id = $1 and r.day = $day`,
});

/** The end of the next slice of subjects that a root knows. */
export const rootedSliceEnd = statement({
  name: 'audit.rooted_slice_end',
  takes: { kind: nullable(text), id: nullable(text), size: int4 },
  gives: { subject_kind: text, subject_id: text },
  text: `
    select subject_kind, subject_id from audit_root_heads
    where org_id = $1 and ($kind::text is null or (subject_kind, subject_id) > ($kind, $id))
    order by subject_kind, subject_id offset $size limit 1`,
});

const inSlice = `($kind::text is null or (subject_kind, subject_id) > ($kind, $id))
      and ($to_kind::text is null or (subject_kind, subject_id) <= ($to_kind, $to_id))`;
const SLICE = { kind: nullable(text), id: nullable(text), to_kind: nullable(text), to_id: nullable(text) };

/** Subjects of a slice whose line of a rooted number is gone or another: a chain deleted with its head, or cut off. */
export const missing = statement({
  name: 'audit.missing',
  takes: SLICE,
  gives: { subject_kind: text, subject_id: text, seq: int8, day: date },
  text: `
    select r.subject_kind, r.subject_id, min(r.seq) as seq, min(r.day) as day
    from (select * from audit_root_heads where org_id = $1 and ${inSlice}) r
      left join audit_lines l on l.org_id = $1 and l.subject_kind = r.subject_kind and l.subject_id = r.subject_id and l.seq = r.seq
    where l.hash is distinct from r.hash
    group by 1, 2 order by 1, 2 limit 100`,
});

/** The end of the next slice of chains. */
export const chainSliceEnd = statement({
  name: 'audit.chain_slice_end',
  takes: { kind: nullable(text), id: nullable(text), size: int4 },
  gives: { subject_kind: text, subject_id: text },
  text: `
    select subject_kind, subject_id from audit_heads
    where org_id = $1 and ($kind::text is null or (subject_kind, subject_id) > ($kind, $id))
    order by subject_kind, subject_id offset $size limit 1`,
});

/** The first line that does not fit of each broken chain of a slice, one past its end where lines or the head are gone. */
export const brokenChains = statement({
  name: 'audit.broken_chains',
  takes: SLICE,
  gives: { subject_kind: text, subject_id: text, bad_seq: known(int8) },
  text: `
    with lines as (
      select *, lag(hash, 1, ''::bytea) over w as expected_prev, row_number() over w as expected_seq
      from audit_lines where org_id = $1 and ${inSlice}
      window w as (partition by subject_kind, subject_id order by seq)
    ), chains as (
      select subject_kind, subject_id, max(seq) as last, (array_agg(hash order by seq desc))[1] as hash,
        min(expected_seq) filter (where seq <> expected_seq or prev_hash <> expected_prev
          or hash <> audit_hash(expected_prev, org_id, subject_kind, subject_id, seq, at, actor, action, data)) as bad
      from lines group by 1, 2
    ), heads as (
      select * from audit_heads where org_id = $1 and ${inSlice}
    )
    select coalesce(c.subject_kind, h.subject_kind) as subject_kind, coalesce(c.subject_id, h.subject_id) as subject_id,
      coalesce(c.bad, coalesce(c.last, 0) + 1) as bad_seq
    from chains c full join heads h on h.subject_kind = c.subject_kind and h.subject_id = c.subject_id
    where c.bad is not null or (h.seq, h.hash) is distinct from (c.last, c.hash)
    order by 1, 2 limit 100`,
});

/** How long a history is, and the last root that covers it. */
export const extent = statement({
  name: 'audit.extent',
  takes: { kind: text, id: text },
  gives: { lines: known(int8), last_at: nullable(timestamptz), rooted_on: nullable(date), rooted_lines: known(int8) },
  text: `
    select coalesce(h.seq, 0) as lines,
      (select l.at from audit_lines l where l.org_id = $1 and l.subject_kind = $kind and l.subject_id = $id and l.seq = h.seq) as last_at,
      r.day as rooted_on, coalesce(r.seq, 0) as rooted_lines
    from (select 1) one
      left join audit_heads h on h.org_id = $1 and h.subject_kind = $kind and h.subject_id = $id
      left join lateral (
        select day, seq from audit_root_heads where org_id = $1 and subject_kind = $kind and subject_id = $id
        order by seq desc limit 1
      ) r on true`,
});

/** Which lines of a history are not there, as ranges, though its head, a root or a later line knows of them; with the first root that does. */
export const missingLines = statement({
  name: 'audit.missing_lines',
  takes: { kind: text, id: text },
  gives: { from_seq: int8, to_seq: int8, known_on: nullable(date) },
  isPlannedEachTime: true,
  text: `
    with there as (
      select seq from audit_lines where org_id = $1 and subject_kind = $kind and subject_id = $id
    ), known as (
      select greatest((select max(seq) from there), (select seq from audit_heads where org_id = $1 and subject_kind = $kind and subject_id = $id),
        (select max(seq) from audit_root_heads where org_id = $1 and subject_kind = $kind and subject_id = $id)) as last
    ), gaps as (
      select n, n - row_number() over (order by n) as gap from known, generate_series(1, known.last) n where n not in (select seq from there)
    )
    select min(n) as from_seq, max(n) as to_seq, (
      select min(r.day) from audit_root_heads r where r.org_id = $1 and r.subject_kind = $kind and r.subject_id = $id and r.seq >= min(g.n)) as known_on
    from gaps g group by gap order by 1`,
});

/** Notes what a look at the chains found. */
export const noteCheck = statement({
  name: 'audit.note_check',
  takes: { check_id: uuid, is_whole: bool, faults: int4 },
  text: `
    insert into audit_checks (org_id, check_id, checked_at, is_whole, faults)
    values ($1, $check_id, kist_now(), $is_whole, $faults)`,
});

/** The last look at the chains here. One of another cluster or database is of what was there: what was changed on the way nobody has looked at. */
export const lastCheck = statement({
  name: 'audit.last_check',
  gives: { checked_at: timestamptz, is_whole: bool, faults: int4 },
  text: `
    select checked_at, is_whole, faults from audit_checks
    where org_id = $1 and cluster = kist_cluster() order by txid desc limit 1`,
});
