import { ADVISORY_MAX_LEVEL } from '@kist/contract/commands';
import { MONEY_CAUSES, OWED_CAUSES, OWNERS_CAUSES } from '@kist/contract/agent';
import { WAITING_DISPUTES } from '@kist/contract/dispute-states';
import { listed } from '#server/platform/sql-words.ts';
import { AFTER_LAST_STEP_DAYS, LEASE_DAYS } from './lease-terms.ts';
import {
  type Invariant,
  type InvariantCheck,
  DAY_AFTER,
  ONE_PHONE,
  OWN_WORD,
  REASONS,
  RECENT,
  TODAY,
  TWO_POLLS,
  within,
  AT_ONCE,
} from './invariant-words-sql.ts';

/** Of what is held, and of the phones. */
export const LOCKS = {
  I4: {
    name: 'no restriction without a verdict that allowed it',
    proves:
      'No phone is wanted at a level, or without a switch, that no stored verdict of the gate allowed for that very cause, and none at another level than the highest of its causes; a verdict stands for the lock or the switch that it was given for, of that agreement, and for no later one; what is held or taken for its owner stands on the owner’s own word, and an override of the last two days on an ask that another person agreed to; the document that is signed says the level that is wanted, and names the cause it is held for.',
    sql: `
    select w.device_id as id, 'level ' || w.lock_level || ', causes ' || coalesce(l.level, 0) || ', verdict ' || coalesce(v.level::text, 'none') as detail
    from device_desired w
    left join (select device_id, max(level) as level from locks where org_id = kist_org() and ${within('device_id')} group by device_id) l using (device_id)
    left join lateral (
      select max((v.verdict ->> 'requested_level')::int) as level from locks k join verdicts v on v.org_id = k.org_id and v.verdict_id = k.verdict_id
      where k.org_id = kist_org() and k.device_id = w.device_id and v.device_id = k.device_id and v.allowed and v.revision <= w.revision
        and (v.verdict ->> 'requested_level')::int = k.level) v on true
    where w.org_id = kist_org() and ${within('w.device_id')} and w.lock_level > 0 and (l.level is distinct from w.lock_level or v.level is distinct from w.lock_level::int)
    union all
    select l.device_id, l.cause || ' at level ' || l.level || ' without a verdict of its own' from locks l
    where l.org_id = kist_org() and ${within('l.device_id')} and l.level > 0 and not exists (
      select from verdicts v join ${REASONS} on c.cause = l.cause and c.reason = v.facts -> 'request' ->> 'reason'
      where v.org_id = l.org_id and v.verdict_id = l.verdict_id and v.device_id = l.device_id and v.allowed and (v.verdict ->> 'requested_level')::int = l.level)
    union all
    -- A verdict stands for the lock that it was given for, not for one of later.
    select l.device_id, l.cause || ' at level ' || l.level || ' on a verdict of ' || v.decided_at from locks l
    join verdicts v on v.org_id = l.org_id and v.verdict_id = l.verdict_id
    where l.org_id = kist_org() and ${within('l.device_id')} and l.level > 0
      and (v.decided_at < l.level_since - ${AT_ONCE} or (l.cause in (${listed(OWED_CAUSES)}) and v.agreement_id is distinct from l.agreement_id))
    union all
    select x.device_id, x.taken || ' on a verdict of ' || v.decided_at from restrictions x
    join verdicts v on v.org_id = x.org_id and v.verdict_id = x.verdict_id
    where x.org_id = kist_org() and ${within('x.device_id')} and x.given_back_at is null and v.decided_at < x.taken_at - ${AT_ONCE}
    union all
    select l.device_id, l.cause || ' at level ' || l.level || ' without its owner’s word' from locks l
    where l.org_id = kist_org() and ${within('l.device_id')} and l.level > 0 and l.cause in (${listed(OWNERS_CAUSES)}) and not exists (${OWN_WORD('l')})
    union all
    -- Where it is milder than it was, on the ask of before.
    select l.device_id, l.cause || ' at level ' || l.level || ', agreed to by nobody' from locks l
    where l.org_id = kist_org() and ${within('l.device_id')} and l.level > 0 and l.cause = 'override' and l.level_since > ${RECENT} and not exists (
      select from override_asks o where o.org_id = l.org_id and o.device_id = l.device_id and o.agreement_id = l.agreement_id
        and o.state = 'agreed' and o.decided_at <= l.level_since + ${AT_ONCE})
    union all
    select w.device_id, 'the document names ' || coalesce(w.document -> 'lock' ->> 'cause', 'no cause') || ' for level ' || w.lock_level from device_desired w
    where w.org_id = kist_org() and ${within('w.device_id')} and w.lock_level > 0
      and exists (select from locks l where l.org_id = w.org_id and l.device_id = w.device_id and l.level = w.lock_level) and not exists (
      select from locks l where l.org_id = w.org_id and l.device_id = w.device_id and l.level = w.lock_level and l.cause = w.document -> 'lock' ->> 'cause')
    union all
    -- What is signed is the document, not the column beside it.
    select w.device_id, 'document at level ' || coalesce(w.document #>> '{lock,level}', '0') || ', wanted ' || w.lock_level from device_desired w
    where w.org_id = kist_org() and ${within('w.device_id')} and coalesce((w.document #>> '{lock,level}')::int, 0) <> w.lock_level
    union all
    select w.device_id, s.name || ' taken without a verdict' from device_desired w cross join lateral jsonb_each(w.document -> 'toggles') s(name, is_on)
    where w.org_id = kist_org() and ${within('w.device_id')} and s.is_on = 'true' and not exists (
      select from restrictions x join verdicts v on v.org_id = x.org_id and v.verdict_id = x.verdict_id
      join ${REASONS} on c.cause = x.cause and c.reason = v.facts -> 'request' ->> 'reason'
      where x.org_id = w.org_id and x.device_id = w.device_id and x.taken = s.name and x.given_back_at is null and v.device_id = x.device_id
        and v.allowed and v.revision <= w.revision and v.facts -> 'request' ->> 'taking' = x.taken)
    union all
    select x.device_id, x.taken || ' taken for ' || x.cause || ' without its owner’s word' from restrictions x
    where x.org_id = kist_org() and ${within('x.device_id')} and x.given_back_at is null and x.cause in (${listed(OWNERS_CAUSES)}) and not exists (${OWN_WORD('x')})`,
  },
  I5: {
    name: 'nothing is held for a debt that is none',
    proves:
      'Where nothing is overdue, nothing with cause debt is wanted; what is held for one is held for an instalment that is so late still, on notices that were delivered and with consent, and of a completed or cancelled agreement the phone was let go. No lease lets its phone take a step before the days past due that its policy gives, or without a notice that the step needs: delivered, with its days to pay over by then, or one that the phone itself must show first; none outside the automatic hours, while a complaint waits, before a hold is over or on a phone that was let go; none is valid beyond its time; no enrolment test outlives its end or is on a phone that is late.',
    sql: `
    select l.device_id as id, l.cause || ' at level ' || l.level as detail
    from locks l join agreements a on a.org_id = l.org_id and a.agreement_id = l.agreement_id
    where l.org_id = kist_org() and ${within('l.device_id')} and l.cause in (${listed(MONEY_CAUSES)}) and l.level > 0
      and (a.state <> 'active' or a.oldest_due_on is null or a.oldest_due_on >= ${TODAY})
    union all
    -- Its grounds may have gone since: an instalment that was paid leaves a younger one, a notice that was taken back none.
    select l.device_id, 'debt at level ' || l.level || ', days past due ' || ${TODAY} - a.oldest_due_on
    from locks l join agreements a on a.org_id = l.org_id and a.agreement_id = l.agreement_id
    where l.org_id = kist_org() and ${within('l.device_id')} and l.cause = 'debt' and l.level > 0
      and ${TODAY} - a.oldest_due_on < (a.policy -> 'steps' -> (l.level - 1) ->> 'fromDpd')::int
    union all
    select l.device_id, 'debt at level ' || l.level || ' without notice ' || n.no
    from locks l join agreements a on a.org_id = l.org_id and a.agreement_id = l.agreement_id
    cross join lateral jsonb_array_elements_text(a.policy -> 'steps' -> (l.level - 1) -> 'needsNotices') n(no)
    where l.org_id = kist_org() and ${within('l.device_id')} and l.cause = 'debt' and l.level > 0 and not exists (
      select from notice_deliveries_view m where m.org_id = a.org_id and m.agreement_id = a.agreement_id and m.kind = 'notice' and m.no = n.no::int
        and m.due_on = a.oldest_due_on and m.is_number_confirmed is not false and m.at <= l.level_since + ${AT_ONCE})
    union all
    select l.device_id, l.cause || ' at level ' || l.level || ' without consent'
    from locks l left join agreements a on a.org_id = l.org_id and a.agreement_id = l.agreement_id
    where l.org_id = kist_org() and ${within('l.device_id')} and l.cause in (${listed(MONEY_CAUSES)}) and l.level > 0 and not exists (
      select from consents k where k.org_id = l.org_id and k.agreement_id = l.agreement_id
        and kist_consent_counts(k.document_id, k.confirmation_id, kist_needs_consent_code(a.policy), k.accepted_at, a.exchanged_at))
    union all
    -- A cancellation lets its phone go in the same transaction; of one from before they had a journal of their own the phone waits for the shop.
    select d.device_id, 'agreement ' || a.agreement_id || ' is ' || a.state || ', its phone not let go' from agreements a
    join devices d on d.org_id = a.org_id and d.device_id = a.device_id
    where a.org_id = kist_org() and ${within('d.device_id')} and d.released_at is null
      and (a.state = 'completed' or (a.state = 'cancelled' and exists (select from journals j where j.org_id = a.org_id and j.effect_key = 'cancelled:' || a.agreement_id)))
      and not exists (select from agreements b where b.org_id = a.org_id and b.device_id = a.device_id and b.state = 'active')
      and not exists (select from locks l where l.org_id = a.org_id and l.device_id = a.device_id and l.level > 0 and l.cause in (${listed(OWNERS_CAUSES)}))
      and not exists (select from restrictions x where x.org_id = a.org_id and x.device_id = a.device_id and x.given_back_at is null and x.cause in (${listed(OWNERS_CAUSES)}))
    union all
    select l.device_id, l.cause || ' at level ' || l.level || ', over since ' || coalesce(l.ends_at::text, '-')
    from locks l left join agreements a on a.org_id = l.org_id and a.agreement_id = l.agreement_id
    where l.org_id = kist_org() and ${within('l.device_id')} and l.cause = 'enrolment_test' and l.level > 0
      and (a.state is distinct from 'active' or a.oldest_due_on < ${TODAY} or l.ends_at is null or l.ends_at < kist_now() - interval '10 minutes')
    union all
    -- Of a cancelled one the phone is let go in the same transaction, which ends its lease.
    select w.device_id, 'a lease with a step to level ' || (s.step ->> 'level') || ' at ' || (s.step ->> 'at')
    from device_desired w join devices d on d.org_id = w.org_id and d.device_id = w.device_id and d.released_at is null
    left join agreements a on a.org_id = w.org_id and a.device_id = w.device_id and a.state in ('active', 'cancelled')
    cross join lateral json_array_elements(w.lease -> 'ladder') s(step)
    where w.org_id = kist_org() and ${within('w.device_id')} and w.lease is not null and (s.step ->> 'level')::int > 0
      and (a.agreement_id is null or a.oldest_due_on is null
        -- Levels stand in the order of their numbers.
        or (s.step ->> 'at')::timestamptz < ${DAY_AFTER("a.oldest_due_on + greatest(0, coalesce((a.policy -> 'steps' -> ((s.step ->> 'level')::int - 1) ->> 'fromDpd')::int, 1) - 1)")})
    union all
    select w.device_id, 'a lease with steps, ' || case when d.released_at is not null then 'let go' else 'a complaint waits' end
    from device_desired w join devices d on d.org_id = w.org_id and d.device_id = w.device_id
    left join agreements a on a.org_id = w.org_id and a.device_id = w.device_id and a.state = 'active'
    where w.org_id = kist_org() and ${within('w.device_id')} and w.lease is not null and json_array_length(w.lease -> 'ladder') > 0
      and (d.released_at is not null
        or exists (select from disputes q where q.org_id = a.org_id and q.agreement_id = a.agreement_id and q.state in (${listed(WAITING_DISPUTES)})))
    union all
    -- Whoever holds a ladder renews the lease with it.
    select w.device_id, 'a lease with a step to level ' || (s.step ->> 'level') || ' at ' || (s.step ->> 'at') || ', held until ' || h.until_on
    from device_desired w join agreements a on a.org_id = w.org_id and a.device_id = w.device_id and a.state = 'active'
    join holds h on h.org_id = a.org_id and h.agreement_id = a.agreement_id and h.lifted_at is null and h.until_on >= ${TODAY}
    cross join lateral json_array_elements(w.lease -> 'ladder') s(step)
    where w.org_id = kist_org() and ${within('w.device_id')} and w.lease is not null and (s.step ->> 'at')::timestamptz < ${DAY_AFTER('h.until_on')}
    union all
    select w.device_id, 'a lease until ' || (w.lease ->> 'valid_until') from device_desired w
    where w.org_id = kist_org() and ${within('w.device_id')} and w.lease is not null
      and (w.lease ->> 'valid_until')::timestamptz > greatest(greatest(kist_now(), w.changed_at) + interval '${LEASE_DAYS + 1} days',
        (select max((s.step ->> 'at')::timestamptz) from json_array_elements(w.lease -> 'ladder') s(step)) + interval '${AFTER_LAST_STEP_DAYS + 1} days')
    union all
    select w.device_id, 'a lease with a step to level ' || (s.step ->> 'level') || ' at ' || (s.step ->> 'at') || ', outside its hours'
    from device_desired w join agreements a on a.org_id = w.org_id and a.device_id = w.device_id and a.state = 'active'
    cross join lateral json_array_elements(w.lease -> 'ladder') s(step)
    where w.org_id = kist_org() and ${within('w.device_id')} and w.lease is not null
      and (extract(hour from (s.step ->> 'at')::timestamptz at time zone 'Asia/Kolkata') < (a.policy #>> '{automaticHours,fromHour}')::int
        or extract(hour from (s.step ->> 'at')::timestamptz at time zone 'Asia/Kolkata') >= (a.policy #>> '{automaticHours,toHour}')::int)
    union all
    select w.device_id, 'a lease with a step to level ' || (s.step ->> 'level') || ' without notice ' || n.no
    from device_desired w join devices d on d.org_id = w.org_id and d.device_id = w.device_id and d.released_at is null
    join agreements a on a.org_id = w.org_id and a.device_id = w.device_id and a.state = 'active'
    cross join lateral json_array_elements(w.lease -> 'ladder') s(step)
    cross join lateral jsonb_array_elements_text(a.policy -> 'steps' -> ((s.step ->> 'level')::int - 1) -> 'needsNotices') n(no)
    where w.org_id = kist_org() and ${within('w.device_id')} and w.lease is not null and n.no is distinct from s.step ->> 'notice_no'
      and not exists (select from notice_deliveries_view m
        where m.org_id = a.org_id and m.agreement_id = a.agreement_id and m.kind = 'notice' and m.no = n.no::int and m.due_on = a.oldest_due_on
          and m.at < (s.step ->> 'at')::timestamptz - make_interval(days => coalesce(
            (select (q.notice ->> 'minDaysToPay')::int from jsonb_array_elements(a.policy -> 'notices') q(notice) where q.notice ->> 'no' = n.no), 0)))
    union all
    select x.device_id, x.taken || ' taken for debt' from restrictions x left join agreements a on a.org_id = x.org_id and a.agreement_id = x.agreement_id
    where x.org_id = kist_org() and ${within('x.device_id')} and x.cause = 'debt' and x.given_back_at is null
      and (a.agreement_id is null or a.state <> 'active' or a.oldest_due_on is null or a.oldest_due_on >= ${TODAY})`,
  },
  I6: {
    name: 'revisions only rise',
    proves:
      'No phone stands at, and no verdict was given for, a revision above the one that is wanted. What a phone claims beyond it is noted elsewhere.',
    sql: `
    select r.device_id as id, 'reported ' || r.revision || ', wanted ' || w.revision as detail
    from device_reports r join device_desired w using (org_id, device_id) where r.org_id = kist_org() and ${within('r.device_id')} and r.revision > w.revision
    union all
    select v.device_id, 'verdict for ' || max(v.revision) || ', wanted ' || w.revision from verdicts v join device_desired w using (org_id, device_id)
    where v.org_id = kist_org() and ${within('v.device_id')} and v.revision > w.revision group by v.device_id, w.revision`,
  },
  I7: {
    name: 'a lock belongs to the agreement that sold this phone',
    proves:
      'Whatever is held or taken for a debt, or tried out, names the agreement of this very phone, which is its customer’s phone; one that was let go is held by nothing, and its document says so.',
    sql: `
    select l.device_id as id, l.cause || ' of agreement ' || coalesce(l.agreement_id::text, '-') as detail
    from locks l left join agreements a on a.org_id = l.org_id and a.agreement_id = l.agreement_id
    where l.org_id = kist_org() and ${within('l.device_id')} and l.cause in (${listed(OWED_CAUSES)}) and l.level > 0 and a.device_id is distinct from l.device_id
    union all
    select d.device_id, 'agreement ' || a.agreement_id || ' of customer ' || a.customer_id || ', phone of ' || coalesce(d.customer_id::text, '-')
    from agreements a join devices d on d.org_id = a.org_id and d.device_id = a.device_id
    where a.org_id = kist_org() and ${within('d.device_id')} and a.state = 'active' and d.released_at is null and d.customer_id is distinct from a.customer_id
    union all
    select d.device_id, case when d.released_at is null then 'not let go, and its document says so' else 'let go, and its document does not say so' end
    from devices d join device_desired w on w.org_id = d.org_id and w.device_id = d.device_id
    where d.org_id = kist_org() and ${within('d.device_id')} and (d.released_at is not null) <> (w.document -> 'released' is not distinct from 'true')
    union all
    select l.device_id, l.cause || ' at level ' || l.level || ' of a phone that was let go' from locks l join devices d on d.org_id = l.org_id and d.device_id = l.device_id
    where l.org_id = kist_org() and ${within('l.device_id')} and l.level > 0 and d.released_at is not null
    union all
    select x.device_id, x.taken || ' of agreement ' || x.agreement_id from restrictions x join agreements a on a.org_id = x.org_id and a.agreement_id = x.agreement_id
    where x.org_id = kist_org() and ${within('x.device_id')} and x.cause = 'debt' and x.given_back_at is null and a.device_id <> x.device_id
    union all
    select x.device_id, x.taken || ' of a phone that was let go' from restrictions x join devices d on d.org_id = x.org_id and d.device_id = x.device_id
    where x.org_id = kist_org() and ${within('x.device_id')} and x.given_back_at is null and d.released_at is not null`,
  },
  I11: {
    name: 'phones in reach are what they shall be',
    proves:
      'No phone that asked us, and no vendor that keeps a phone for us, was left without the newest document, none is taken to fit that is at another level, and each that has a channel has one in charge of it; what each said was acted on within the hour; no vendor refuses the account under which it keeps phones. Phones that were given it and say for more than two polls that they are otherwise, by level, switches or document, are shown; one alone is its own trouble, two are ours; what was let go says nothing here, and one phone is one by its numbers.',
    sql: `
    select w.device_id as id, 'given ' || r.told_revision || ', wanted ' || w.revision || ' since ' || w.changed_at as detail, null as phone
    from device_desired w join device_reports r using (org_id, device_id)
    join enrolments e on e.org_id = w.org_id and e.device_id = w.device_id and e.ended_at is null and e.in_charge and e.handle is null
    where w.org_id = kist_org() and ${within('w.device_id')} and r.told_revision < w.revision and r.last_seen_at > w.changed_at + ${TWO_POLLS}
    union all
    select w.device_id, 'its vendor given ' || coalesce(v.revision, 0) || ', wanted ' || w.revision || ' since ' || w.changed_at, null
    from device_desired w
    join enrolments e on e.org_id = w.org_id and e.device_id = w.device_id and e.ended_at is null and e.in_charge and e.handle is not null
    left join deliveries v on v.org_id = e.org_id and v.enrolment_id = e.enrolment_id
    where w.org_id = kist_org() and ${within('w.device_id')} and coalesce(v.revision, 0) < w.revision and w.changed_at < kist_now() - ${TWO_POLLS}
    union all
    select w.device_id, 'its vendor given level ' || v.level || ', wanted ' || w.lock_level || ' at ' || w.revision, null
    from device_desired w
    join enrolments e on e.org_id = w.org_id and e.device_id = w.device_id and e.ended_at is null and e.in_charge and e.handle is not null
    join deliveries v on v.org_id = e.org_id and v.enrolment_id = e.enrolment_id
    where w.org_id = kist_org() and ${within('w.device_id')} and (v.revision > w.revision or (v.revision = w.revision and v.level <> w.lock_level))
    union all
    select w.device_id, 'given ' || r.told_revision || ', wanted ' || w.revision, null
    from device_desired w join device_reports r using (org_id, device_id)
    where w.org_id = kist_org() and ${within('w.device_id')} and r.told_revision > w.revision
    union all
    -- Whoever heard it would have counted that it does not fit.
    select w.device_id, 'says level ' || r.lock_level || ', wanted ' || w.lock_level || ' at ' || w.revision || ', and is taken to fit', null
    from device_desired w join device_reports r using (org_id, device_id)
    join enrolments e on e.org_id = w.org_id and e.device_id = w.device_id and e.ended_at is null and e.in_charge
    where w.org_id = kist_org() and ${within('w.device_id')} and r.reported_at is not null and r.revision = w.revision and r.unfit_polls = 0
      and case when r.is_strong then r.lock_level <> w.lock_level else least(r.lock_level, ${ADVISORY_MAX_LEVEL}) <> least(w.lock_level, ${ADVISORY_MAX_LEVEL}) end
    union all
    select w.device_id, 'says ' || r.revision || ' at level ' || r.lock_level || ', wanted ' || w.revision || ' at level ' || w.lock_level, ${ONE_PHONE}
    from device_desired w join device_reports r using (org_id, device_id)
    join devices d on d.org_id = w.org_id and d.device_id = w.device_id and d.released_at is null
    join enrolments e on e.org_id = w.org_id and e.device_id = w.device_id and e.ended_at is null and e.in_charge
    where w.org_id = kist_org() and ${within('w.device_id')} and r.last_seen_at > kist_now() - interval '1 day'
      and (r.unfit_polls > 2 or r.revision < w.revision and (r.told_revision = w.revision or e.handle is not null) and r.last_seen_at > w.changed_at + ${TWO_POLLS})
    union all
    select e.device_id, 'its vendor refuses the account since ' || b.refused_since, null from vendor_budgets b
    join enrolments e on e.org_id = b.org_id and e.vendor = b.vendor and e.ended_at is null and e.in_charge
    where b.org_id = kist_org() and ${within('e.device_id')} and b.refused_since < kist_now() - ${TWO_POLLS}
    union all
    select c.device_id, 'said something at ' || c.at || ' that nothing followed on', null from device_changes c
    where c.org_id = kist_org() and ${within('c.device_id')} and c.at < kist_now() - interval '1 hour'
    union all
    select e.device_id, 'channels ' || count(*) || ', none in charge', null from enrolments e
    where e.org_id = kist_org() and ${within('e.device_id')} and e.ended_at is null group by e.device_id having not bool_or(e.in_charge)`,
  },
  I12: {
    name: 'a fleet unlock leaves nothing',
    proves:
      'Nothing that was held or taken when the organisation’s fleet was last unlocked is so still, but for an owner’s own theft report.',
    sql: `
    with fleet as materialized (
      select (data ->> 'mark')::uuid as mark from audit_lines
      where org_id = kist_org() and subject_kind = 'organisation' and subject_id = kist_org()::text and action = 'fleet_unlocked' order by seq desc limit 1
    )
    select l.device_id as id, l.cause || ' at level ' || l.level || ' by verdict ' || l.verdict_id as detail from locks l, fleet
    where l.org_id = kist_org() and ${within('l.device_id')} and l.cause <> 'theft' and l.level > 0 and l.verdict_id < fleet.mark
    union all
    select x.device_id, x.taken || ' by verdict ' || x.verdict_id from restrictions x, fleet
    where x.org_id = kist_org() and ${within('x.device_id')} and x.cause <> 'theft' and x.given_back_at is null and x.verdict_id < fleet.mark`,
  },
} satisfies Partial<Record<Invariant, InvariantCheck>>;
