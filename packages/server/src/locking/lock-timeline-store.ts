import { COUNTS } from './wrongful-store.ts';
import { nullable, timestamptz, uuid } from '#server/platform/column-types.ts';
import { SYSTEM_USER_ID } from '#server/identity/identity.ts';
import type { Tx } from '#server/platform/database.ts';
import { statement } from '#server/platform/statement.ts';

export interface StoryEvent {
  at: Date;
  kind: string;
  params: Record<string, string | number>;
}

const EVENTS = 100;
/** The organisation itself, above its shops. */
const byOf = (user: string): string => `case when ${user} = '${SYSTEM_USER_ID}' then 'organisation' else 'shop' end`;

/**
 * From the first notice to the moment the phone opened, of one agreement. Only what concerns the phone's limits: told, decided, taken, disputed, cured. Codes, amounts
 * and dates; the text of a dispute stays with the dispute.
 */
export async function readEvents(tx: Tx, agreementId: string): Promise<StoryEvent[]> {
  const { rows } = await tx.query<StoryEvent>(
    `select at, kind, params from (
       select coalesce(n.delivered_at, n.failed_at, n.sent_at, n.created_at) as at,
         n.kind || case when n.delivered_at is not null then '_delivered' when n.failed_at is not null then '_failed' else '_sent' end as kind,
         jsonb_build_object('no', n.no, 'channel', n.channel, 'due_on', n.due_on) as params
       from notices n where n.org_id = kist_org() and n.agreement_id = $1 and n.kind in ('reminder', 'notice', 'locked', 'unlocked', 'penal')
       union all
       select v.decided_at, case when not v.allowed then 'lock_refused' when (v.verdict ->> 'requested_level')::int = 0 then 'freed' else 'level' end,
         jsonb_build_object('level', (v.verdict ->> 'requested_level')::int, 'rule', v.rule, 'reason', v.verdict ->> 'reason',
           'trigger', v.verdict ->> 'trigger', 'days_past_due', (v.verdict ->> 'days_past_due')::int)
       from verdicts v where v.org_id = kist_org() and v.agreement_id = $1 and v.facts -> 'request' ->> 'taking' is null
       union all
       select m.moved_at, case m.to_state when 'open' then 'dispute_opened' else 'dispute_' || m.to_state end, jsonb_build_object('no', q.instalment_no, 'by', m.moved_as)
       from disputes q join dispute_moves m on m.org_id = q.org_id and m.dispute_id = q.dispute_id
       where q.org_id = kist_org() and q.agreement_id = $1
       union all
       select t.taken_at, 'taken', jsonb_build_object('taken', t.taken, 'reason', t.reason, 'trigger', v.verdict ->> 'trigger')
       from restrictions t join verdicts v on v.org_id = t.org_id and v.verdict_id = t.verdict_id where t.org_id = kist_org() and t.agreement_id = $1
       union all
       select t.given_back_at, 'given_back', jsonb_build_object('taken', t.taken) from restrictions t
       where t.org_id = kist_org() and t.agreement_id = $1 and t.given_back_at is not null
       union all
       select h.created_at, 'hold', jsonb_build_object('kind', h.kind, 'until_on', h.until_on, 'by', ${byOf('h.created_by')})
       from holds h where h.org_id = kist_org() and h.agreement_id = $1
       union all
       select h.lifted_at, 'hold_lifted', jsonb_build_object('kind', h.kind, 'by', ${byOf('h.lifted_by')}) from holds h where h.org_id = kist_org() and h.agreement_id = $1 and h.lifted_at is not null
       union all
       select c.cured_at, 'cured', '{}' from cures c where c.org_id = kist_org() and c.agreement_id = $1
       union all
       select c.confirmed_at, 'unlock_confirmed', jsonb_build_object('minutes', floor(extract(epoch from c.confirmed_at - c.cured_at) / 60)::int)
       from cures c where c.org_id = kist_org() and c.agreement_id = $1 and c.confirmed_at is not null
     ) e order by at desc limit ${EVENTS}`,
    [agreementId],
  );
  return rows.toReversed();
}

/** Every end of a lock of an agreement, the last first. */
export const readCures = statement({
  name: 'locking.read_cures',
  takes: { agreement_id: uuid },
  gives: { cured_at: timestamptz, confirmed_at: nullable(timestamptz), held_since: nullable(timestamptz) },
  text: `
    select c.cured_at, c.confirmed_at, case when c.withdrawn_at is null then c.held_since end as held_since from cures c
    where c.org_id = $1 and c.agreement_id = $agreement_id and ${COUNTS} order by c.cured_at desc`,
});

export const phoneOfAgreement = statement({
  name: 'locking.phone_of_agreement',
  takes: { agreement_id: uuid },
  gives: { device_id: uuid },
  text: `select device_id from agreements_view where org_id = $1 and agreement_id = $agreement_id`,
});
