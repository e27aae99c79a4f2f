import { bytea, date, int4, int8, known, text } from '#server/platform/column-types.ts';
import { statement } from '#server/platform/statement.ts';

/** Lines in the order of their histories, each with the very texts that its hash covers. */
export const linesAfter = statement({
  name: 'audit.lines_after',
  takes: { kind: text, id: text, seq: int8, limit: int4 },
  gives: {
    subject_kind: text,
    subject_id: text,
    seq: int8,
    at: known(text),
    actor: known(text),
    action: text,
    data: known(text),
    hash: bytea,
  },
  text: `
    select subject_kind, subject_id, seq, to_char(at at time zone 'utc', 'YYYY-MM-DD"T"HH24:MI:SS.US') as at, actor::text as actor, action, data::text as data, hash
    from audit_lines where org_id = $1 and (subject_kind, subject_id, seq) > ($kind, $id, $seq)
    order by subject_kind, subject_id, seq limit $limit`,
});

/** Roots from the oldest on. */
export const rootsAfter = statement({
  name: 'audit.roots_after',
  takes: { day: date, limit: int4 },
  gives: { day: date, heads: int8, prev_root: bytea, root: bytea },
  text: 'select day, heads, prev_root, root from audit_roots where org_id = $1 and day > $day order by day limit $limit',
});

/** The heads that a day's root is made of. */
export const rootHeadsAfter = statement({
  name: 'audit.root_heads_after',
  takes: { day: date, kind: text, id: text, limit: int4 },
  gives: { subject_kind: text, subject_id: text, seq: int8, hash: bytea },
  text: `
    select subject_kind, subject_id, seq, hash from audit_root_heads
    where org_id = $1 and day = $day and (subject_kind, subject_id) > ($kind, $id) order by subject_kind, subject_id limit $limit`,
});
