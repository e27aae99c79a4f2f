import {
  int4,
  int8,
  jsonb,
  known,
  manyTexts,
  nothing,
  nullable,
  text,
  timestamptz,
} from '#server/platform/column-types.ts';
import { globalStatement, statement } from '#server/platform/statement.ts';

/** Who acted, as a line keeps it. */
export interface ActorNote {
  user_id: string;
  user_type: string;
  session_id: string | undefined;
  ip: string | undefined;
}

/** One line for each subject. It reaches no table itself: `audit_append` writes for the organisation of the transaction and for no other. */
export const appendLines = globalStatement({
  name: 'audit.append_lines',
  takes: { kind: text, ids: manyTexts, actor: jsonb<ActorNote>(), action: text, datas: manyTexts },
  gives: { audit_append: nothing },
  text: 'select audit_append($kind, $ids, $actor, $action, $datas::jsonb[])',
});

/** Lines of one history, by who acted in kind. */
export const linesOf = statement({
  name: 'audit.lines_of',
  takes: { kind: text, id: text, limit: int4 },
  gives: { seq: int8, at: timestamptz, action: text, by: known(text) },
  text: `
    select seq, at, action, coalesce(actor ->> 'user_type', '') as by from audit_lines
    where org_id = $1 and subject_kind = $kind and subject_id = $id order by seq desc limit $limit`,
});

/** The number of the first line of a subject whose hash, predecessor or number does not fit; one past the end when lines were cut off. */
export const firstBadLine = statement({
  name: 'audit.first_bad_line',
  takes: { kind: text, id: text },
  gives: { bad_seq: nullable(int8) },
  text: `
    with lines as (
      select *, lag(hash, 1, ''::bytea) over w as expected_prev, row_number() over w as expected_seq
      from audit_lines where org_id = $1 and subject_kind = $kind and subject_id = $id
      window w as (order by seq)
    ), bad as (
      select expected_seq as seq from lines
      where seq <> expected_seq or prev_hash <> expected_prev
        or hash <> audit_hash(expected_prev, org_id, subject_kind, subject_id, seq, at, actor, action, data)
    ), last as (
      select coalesce(max(seq), 0) as seq, (select hash from lines order by seq desc limit 1) as hash from lines
    ), cut as (
      select last.seq + 1 as seq from last left join audit_heads h
        on h.org_id = $1 and h.subject_kind = $kind and h.subject_id = $id
      where coalesce(h.seq, 0) <> last.seq or h.hash is distinct from last.hash
    )
    select min(seq) as bad_seq from (select seq from bad union all select seq from cut) found`,
});
