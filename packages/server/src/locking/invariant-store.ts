import {
  bool,
  int4,
  jsonb,
  known,
  manyTexts,
  nullable,
  text,
  timestamptz,
  uuid,
} from '#server/platform/column-types.ts';
import { statement } from '#server/platform/statement.ts';

/** What one of the invariants was found to be. */
export interface Noted {
  invariant: string;
  /** How many parts of the organisation were looked at. */
  parts: number;
  violations: number;
  /** What single phones say of themselves: shown, and colouring nothing. */
  claims: number;
  found: readonly { id: string; detail: string }[];
}

/** Notes one look at all of them. */
export const noteInvariants = statement({
  name: 'locking.note_invariants',
  takes: { check_id: uuid, noted: jsonb<readonly Noted[]>() },
  text: `
    insert into invariant_checks (org_id, check_id, invariant, checked_at, parts, violations, claims, found)
    select $1, $check_id, n.invariant, kist_now(), n.parts, n.violations, n.claims, n.found
    from jsonb_to_recordset($noted) as n(invariant text, parts integer, violations integer, claims integer, found jsonb)`,
});

/** A check every night, and two hours for one that runs late. */
const CHECK_KEEPS_HOURS = 26;

/** The last look at each of these; nobody need have looked where nothing was sold a day ago. */
export const lastOfInvariants = statement({
  name: 'locking.last_of_invariants',
  takes: { invariants: manyTexts },
  gives: {
    invariant: text,
    checked_at: nullable(timestamptz),
    violations: nullable(int4),
    claims: nullable(int4),
    found: nullable(jsonb<Noted['found']>()),
    is_fresh: known(bool),
  },
  text: `
    select n.invariant, c.checked_at, c.violations, c.claims, c.found, coalesce(c.checked_at > kist_now() - interval '${CHECK_KEEPS_HOURS} hours',
      not exists (select from agreements_view where org_id = $1 and created_at < kist_now() - interval '${CHECK_KEEPS_HOURS} hours')) as is_fresh
    from unnest($invariants) with ordinality as n(invariant, no) left join lateral (
      select * from invariant_checks where org_id = $1 and invariant = n.invariant and checked_at <= kist_now() order by checked_at desc limit 1) c on true
    order by n.no`,
});
