import type { IsoDate } from '@kist/contract/dates';
import { type DisputeParty, type DisputeState, WAITING_DISPUTES } from '@kist/contract/dispute-states';
import {
  as,
  bool,
  date,
  int4,
  jsonb,
  known,
  nullable,
  text,
  timestamptz,
  uuid,
} from '#server/platform/column-types.ts';
import { listed } from '#server/platform/sql-words.ts';
import { statement } from '#server/platform/statement.ts';
import type { SaidBy } from './rules/disputes.ts';

const state = as<DisputeState>()(text);
const isoDate = as<IsoDate>()(date);
const party = as<DisputeParty>()(text);
const waiting = listed(WAITING_DISPUTES);

/** The instalment that a phone is restricted for, and whoever names none means. */
export const oldestUnpaid = statement({
  name: 'locking.oldest_unpaid_instalment',
  takes: { agreement_id: uuid },
  gives: { no: int4 },
  text: `
    select no from instalments_view where org_id = $1 and agreement_id = $agreement_id and no > 0 and paid_on is null and left_paise > 0
    order by due_on, no limit 1`,
});

/** No row: there is no such one. */
export const namedInstalment = statement({
  name: 'locking.named_instalment',
  takes: { agreement_id: uuid, no: int4 },
  gives: { due_on: isoDate, is_unpaid: known(bool) },
  text: `
    select due_on, paid_on is null and left_paise > 0 as is_unpaid from instalments_view
    where org_id = $1 and agreement_id = $agreement_id and no = $no and no > 0`,
});

/** All about one instalment, those of before instalments were named among them. */
export const aboutInstalment = statement({
  name: 'locking.disputes_about',
  takes: { agreement_id: uuid, instalment_no: int4 },
  gives: { dispute_id: uuid, state, state_since: timestamptz, said_by: as<SaidBy>()(text) },
  text: `
    select dispute_id, state, state_since, case channel when 'shop' then 'shop' when 'link' then 'link' else 'customer' end as said_by from disputes
    where org_id = $1 and agreement_id = $agreement_id and (instalment_no = $instalment_no or instalment_no is null) order by opened_at`,
});

/** Whether the customer has said these very words before this moment or at it: a phone that heard no answer says them once more. */
export const wasSaid = statement({
  name: 'locking.dispute_was_said',
  takes: { agreement_id: uuid, text, said_at: timestamptz },
  gives: { was_said: known(bool) },
  text: `
    select exists (
      select from disputes d join dispute_moves m on m.org_id = d.org_id and m.dispute_id = d.dispute_id
      where d.org_id = $1 and d.agreement_id = $agreement_id and m.moved_as = 'customer' and m.reason = $text and m.moved_at >= $said_at
    ) as was_said`,
});

export const insertDispute = statement({
  name: 'locking.insert_dispute',
  takes: {
    dispute_id: uuid,
    agreement_id: uuid,
    instalment_no: int4,
    text,
    channel: text,
    state,
    moved_as: party,
    moved_by: uuid,
  },
  text: `
    with move as (
      insert into dispute_moves (org_id, dispute_id, no, from_state, to_state, moved_as, moved_by, moved_at, reason)
      values ($1, $dispute_id, 1, '', $state, $moved_as, $moved_by, kist_now(), $text) returning moved_at
    )
    insert into disputes (org_id, dispute_id, agreement_id, instalment_no, text, channel, opened_at, state, state_since)
    select $1, $dispute_id, $agreement_id, $instalment_no, $text, $channel, moved_at, $state, moved_at from move`,
});

/** No row where it does not stand at `from_state` any more. */
export const moveDispute = statement({
  name: 'locking.move_dispute',
  takes: {
    dispute_id: uuid,
    from_state: state,
    to_state: state,
    moved_as: party,
    moved_by: uuid,
    reason: text,
    is_upheld: bool,
  },
  gives: { state_since: timestamptz },
  text: `
    with move as (
      insert into dispute_moves (org_id, dispute_id, no, from_state, to_state, moved_as, moved_by, moved_at, reason)
      select $1, d.dispute_id, (select max(m.no) + 1 from dispute_moves m where m.org_id = $1 and m.dispute_id = d.dispute_id), d.state, $to_state,
        $moved_as, $moved_by, kist_now(), $reason
      from disputes d where d.org_id = $1 and d.dispute_id = $dispute_id and d.state = $from_state
      returning moved_at
    )
    update disputes d set state = $to_state, state_since = move.moved_at, is_upheld = d.is_upheld or $is_upheld from move
    where d.org_id = $1 and d.dispute_id = $dispute_id returning d.state_since`,
});

export const findDispute = statement({
  name: 'locking.find_dispute',
  takes: { dispute_id: uuid },
  gives: {
    dispute_id: uuid,
    agreement_id: uuid,
    device_id: uuid,
    customer_id: uuid,
    owner_user_id: uuid,
    agreement_is: known(as<'running' | 'paid' | 'over'>()(text)),
    state,
    state_since: timestamptz,
    instalment_no: nullable(int4),
    due_on: nullable(isoDate),
  },
  text: `
    select d.dispute_id, d.agreement_id, a.device_id, a.customer_id, a.owner_user_id, d.state, d.state_since, d.instalment_no, i.due_on,
      case when a.state = 'active' then 'running' when a.state = 'completed' and f.agreement_id is null then 'paid' else 'over' end as agreement_is
    from disputes d join agreements_view a on a.org_id = d.org_id and a.agreement_id = d.agreement_id
    left join instalments_view i on i.org_id = d.org_id and i.agreement_id = d.agreement_id and i.no = d.instalment_no
    left join lateral (
      select n.agreement_id from agreements_view n
      where n.org_id = a.org_id and n.customer_id = a.customer_id and n.state <> 'cancelled' and n.created_at > a.created_at limit 1
    ) f on true
    where d.org_id = $1 and d.dispute_id = $dispute_id`,
});

/** What waits for a shop's answer. What waits for the organisation's word goes on waiting for it: no shop ends that. */
export const openOf = statement({
  name: 'locking.open_disputes_of',
  takes: { agreement_id: uuid },
  gives: { dispute_id: uuid },
  text: `select dispute_id from disputes where org_id = $1 and agreement_id = $agreement_id and state = 'open' order by dispute_id`,
});

/** So many times was any dispute of an agreement moved: a message about the next move has this number. */
export const countMoves = statement({
  name: 'locking.count_dispute_moves',
  takes: { agreement_id: uuid },
  gives: { moves: int4 },
  text: `
    select count(*)::int as moves from dispute_moves m join disputes d on d.org_id = m.org_id and d.dispute_id = m.dispute_id
    where m.org_id = $1 and d.agreement_id = $agreement_id`,
});

const told = {
  dispute_id: uuid,
  state,
  state_since: timestamptz,
  instalment_no: nullable(int4),
  instalment_place: nullable(int4),
  due_on: nullable(isoDate),
  is_upheld: bool,
  moves: jsonb<{ state: DisputeState; at: string; by: DisputeParty; text: string }[]>(),
};
const TOLD = `d.dispute_id, d.state, d.state_since, d.instalment_no, kist_instalment_place(d.org_id, d.agreement_id, d.instalment_no) as instalment_place, i.due_on, d.is_upheld, m.list as moves`;
const WITH_MOVES = `
    left join instalments_view i on i.org_id = d.org_id and i.agreement_id = d.agreement_id and i.no = d.instalment_no
    cross join lateral (
      select coalesce(jsonb_agg(jsonb_build_object('state', x.to_state, 'at', to_char(x.moved_at at time zone 'utc', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"'),
        'by', x.moved_as, 'text', x.reason) order by x.no), '[]') as list
      from dispute_moves x where x.org_id = d.org_id and x.dispute_id = d.dispute_id
    ) m`;

/** Of one agreement, with everything that was said. */
export const ofAgreement = statement({
  name: 'locking.disputes_of_agreement',
  takes: { agreement_id: uuid },
  gives: told,
  text: `select ${TOLD} from disputes d ${WITH_MOVES} where d.org_id = $1 and d.agreement_id = $agreement_id order by d.opened_at desc, d.dispute_id desc limit 20`,
});

/** What waits for the organisation's word; what waits for a shop's is not among them. */
export const forOrganisation = statement({
  name: 'locking.disputes_for_organisation',
  gives: { ...told, customer_id: uuid, agreement_no: text },
  text: `
    select ${TOLD}, a.customer_id, a.agreement_no from disputes d
    join agreements_view a on a.org_id = d.org_id and a.agreement_id = d.agreement_id ${WITH_MOVES}
    where d.org_id = $1 and d.state in (${waiting}) and d.state <> 'open' order by d.state_since, d.dispute_id limit 500`,
});
