import { date, int4, listOf, text, timestamptz, uuid } from '#server/platform/column-types.ts';
import { statement } from '#server/platform/statement.ts';

/** Every agreement of a customer, the one that counts first: the newest, a cancelled one last. */
export const agreementsKept = statement({
  name: 'agreements.agreements_kept',
  takes: { customer_id: uuid },
  gives: { agreement_id: uuid },
  text: `
    select agreement_id from agreements
    where org_id = $1 and customer_id = $customer_id order by (state = 'cancelled'), created_at desc`,
});

/** How schedules were changed, and why. */
export const versionsKept = statement({
  name: 'agreements.versions_kept',
  takes: { agreement_ids: listOf(uuid) },
  gives: {
    agreement_id: uuid,
    version: int4,
    effective_on: date,
    cause: text,
    reason: text,
    made_at: timestamptz,
  },
  text: `
    select agreement_id, version, effective_on, cause, reason, made_at from schedule_versions
    where org_id = $1 and agreement_id = any($agreement_ids) order by made_at desc, version desc`,
});

/** From which state to which agreements went, and why. */
export const movesKept = statement({
  name: 'agreements.moves_kept',
  takes: { agreement_ids: listOf(uuid) },
  gives: { agreement_id: uuid, from_state: text, to_state: text, reason: text, moved_at: timestamptz },
  text: `
    select agreement_id, from_state, to_state, reason, moved_at from agreement_moves
    where org_id = $1 and agreement_id = any($agreement_ids) order by moved_at desc, no desc`,
});
