import { int4, text, uuid } from '#server/platform/column-types.ts';
import { statement } from '#server/platform/statement.ts';

/** Ends what people granted, before its day. */
export const liftHolds = statement({
  name: 'locking.lift_holds_of',
  takes: { agreement_id: uuid, lifted_by: uuid, note: text },
  gives: { n: int4 },
  text: `
    with lifted as (
      update holds set lifted_at = kist_now(), lifted_by = $lifted_by, lifted_note = $note
      where org_id = $1 and agreement_id = $agreement_id and lifted_at is null and until_on >= kist_today() returning 1
    )
    select count(*)::int as n from lifted`,
});
