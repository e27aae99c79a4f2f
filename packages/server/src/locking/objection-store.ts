import { type DisputeParty } from '@kist/contract/disputes';
import { as, int4, text, uuid } from '#server/platform/column-types.ts';
import { statement } from '#server/platform/statement.ts';

/** Answers what waits for a shop's answer. What waits for the organisation's word goes on waiting for it: no shop ends that. */
export const answerDisputes = statement({
  name: 'locking.answer_disputes_of',
  takes: { agreement_id: uuid, moved_as: as<DisputeParty>()(text), moved_by: uuid, note: text },
  gives: { n: int4 },
  text: `
    with move as (
      insert into dispute_moves (org_id, dispute_id, no, from_state, to_state, moved_as, moved_by, moved_at, reason)
      select $1, d.dispute_id, (select max(m.no) + 1 from dispute_moves m where m.org_id = $1 and m.dispute_id = d.dispute_id), 'open', 'answered',
        $moved_as, $moved_by, kist_now(), $note
      from disputes d where d.org_id = $1 and d.agreement_id = $agreement_id and d.state = 'open'
      returning dispute_id, moved_at
    ), answered as (
      update disputes d set state = 'answered', state_since = move.moved_at from move
      where d.org_id = $1 and d.dispute_id = move.dispute_id returning 1
    )
    select count(*)::int as n from answered`,
});

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
