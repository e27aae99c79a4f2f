import { MONEY_CAUSES, NEXT_CHECKIN, OWED_CAUSES, OWNERS_CAUSES } from '@kist/contract/agent';
import { WAITING_DISPUTES } from '@kist/contract/dispute-states';
import { LOCK_REASONS } from '@kist/contract/lock-policy';
import { listed } from '#server/platform/sql-words.ts';
import { AFTER_LAST_STEP_DAYS, LEASE_DAYS } from './lease-terms.ts';

export const INVARIANTS = ['I1', 'I2', 'I3', 'I4', 'I5', 'I6', 'I7', 'I8', 'I9', 'I10', 'I11', 'I12'] as const;
export type Invariant = (typeof INVARIANTS)[number];

/** One thing that always holds, and how the database is asked for what breaks it. */
export interface InvariantCheck {
  /** What always holds, as a person says it. */
  name: string;
  /** What a green answer proves, and what it does not. */
  proves: string;
  /**
   * A row `id`, `detail` (ids and numbers only) for each violation, of one organisation (`kist_org()`) and of the part of it whose ids lie above `$1` and
   * not above `$2` (null: open). `phone`: what only a phone says of itself, and which phone that is, by whatever records it is kept under; null: ours.
   */
  sql: string;
}

const TODAY = '(select kist_today())';
/** Written out, as what is overdue is below: who judges does not ask what is judged. */
const LEFT =
  'i.principal_paise + i.interest_paise + i.fee_paise - i.dropped_principal_paise - i.dropped_interest_paise - i.dropped_fee_paise - i.paid_principal_paise - i.paid_interest_paise - i.paid_fee_paise';
/** Ids of agreements, phones, payments and journals all begin with a time: a range of them is a part of each. */
const within = (id: string) => `($1::uuid is null or ${id} > $1) and ($2::uuid is null or ${id} <= $2)`;
/** Ids of histories are texts, most of them of the same ids. */
const withinText = (id: string) => `($1::uuid is null or ${id} > $1::text) and ($2::uuid is null or ${id} <= $2::text)`;
/** What belongs to no part is asked once, with the first. */
const ONCE = '$1::uuid is null and ($2::uuid is null or true)';
/** Two polls of a quiet phone, each at its latest. */
const TWO_POLLS = `interval '${2 * (NEXT_CHECKIN.afterS + NEXT_CHECKIN.spreadS)} seconds'`;
/**
 * A line of a history, looked up for each row: under row-level security no index is searched for an id that is turned into text on the way (the turning may
 * tell of rows that are hidden), so the text stands ready in what is joined, and the limit keeps the planner from going through all lines for each.
 */
const firstLine = (of: string) =>
  `select true as is_there from audit_lines x where x.org_id = kist_org() and ${of} limit 1`;
const RECENT = `kist_now() - interval '2 days'`;
/** What a word of before codes were kept with it names (0276). */
const BEFORE_CODES = `'00000000-0000-0000-0000-000000000000'::uuid`;
/** Which reasons a cause stands on: one never serves as another. */
const REASONS = `(values ${Object.entries(LOCK_REASONS)
  .map(([reason, { cause }]) => `('${cause}', '${reason}')`)
  .join(', ')}) as c(cause, reason)`;
/** The owner's own word, open: what a theft lock and one that the owner asked for stand on. */
const OWN_WORD = (held: string) =>
  `select from protection_reports p where p.org_id = ${held}.org_id and p.device_id = ${held}.device_id and p.closed_at is null and p.reported_by <> 'shop'
      and p.kind = case ${held}.cause when 'theft' then 'theft' else 'request' end`;
/** The end of a day in India: nothing of an instalment is taken before its day is over. */
const DAY_AFTER = (on: string) => `((${on} + 1)::timestamp at time zone 'Asia/Kolkata')`;

/**
 * One thing in one hand, however often it is on file: rows that share a number are one. Those that were let go are left out, as they are where this is asked:
 * a phone that went and came back would speak twice.
 */
const ONE_PHONE = `coalesce((select min(s.device_id::text) from devices s where s.org_id = d.org_id and s.released_at is null
      and (s.imei1 in (d.imei1, d.imei2) or s.imei2 in (d.imei1, d.imei2) or s.serial = d.serial)), d.device_id::text)`;

const MONEY = {
  I1: {
    name: 'one journal for each acknowledged payment',
    proves: 'Every payment that stands or stood is booked once, and every payment that a client was answered is there.',
    sql: `
    select p.payment_id as id, p.state || ', journals ' || count(j.journal_id) as detail
    from payments p left join journals j on j.org_id = p.org_id and j.effect_key = 'payment:' || p.payment_id and j.kind = 'payment'
    where p.org_id = kist_org() and ${within('p.payment_id')} and p.state in ('posted', 'reversed') group by p.payment_id, p.state having count(j.journal_id) <> 1
    union all
    select (k.reply -> 'data' ->> 'payment_id')::uuid, 'acknowledged and not there' from idempotency_keys k
    where k.org_id = kist_org() and ${within('k.key')} and k.status between 200 and 299 and k.reply -> 'data' ->> 'payment_id' ~ '^[0-9a-fA-F-]{36}$'
      and not exists (select from payments p where p.org_id = k.org_id and p.payment_id = (k.reply -> 'data' ->> 'payment_id')::uuid)`,
  },
  I2: {
    name: 'debits are credits',
    proves: 'Every journal balances in each unit and has two lines at least.',
    sql: `
    select l.journal_id as id, l.unit || ': debits ' || sum(l.debit) || ', credits ' || sum(l.credit) as detail from journal_lines l
    where l.org_id = kist_org() and ${within('l.journal_id')} group by l.journal_id, l.unit having sum(l.debit) <> sum(l.credit)
    union all
    select j.journal_id, 'lines ' || count(l.line_no) from journals j left join journal_lines l on l.org_id = j.org_id and l.journal_id = j.journal_id
    where j.org_id = kist_org() and ${within('j.journal_id')} group by j.journal_id having count(l.line_no) < 2`,
  },
  I3: {
    name: 'dues recomputed are dues stored',
    proves:
      'What an agreement owes follows from its instalments, and what every bucket of each was paid follows from the ledger’s lines.',
    sql: `
    select a.agreement_id as id, 'stored ' || a.outstanding_paise || '/' || coalesce(a.oldest_due_on::text, '-') || ', recomputed '
      || coalesce(o.paise, 0) || '/' || coalesce(o.oldest::text, '-') as detail
    from agreements a left join (
      select i.agreement_id, sum(${LEFT}) as paise, min(i.due_on) filter (where ${LEFT} > 0) as oldest from instalments i
      where i.org_id = kist_org() and ${within('i.agreement_id')} group by i.agreement_id) o using (agreement_id)
    where a.org_id = kist_org() and ${within('a.agreement_id')} and (a.outstanding_paise <> coalesce(o.paise, 0) or a.oldest_due_on is distinct from o.oldest)
    union all
    select coalesce(i.agreement_id, l.agreement_id), coalesce(i.bucket, l.bucket) || ' of instalment ' || coalesce(i.no, l.instalment_no) || ': stored '
      || coalesce(i.paid, 0) || ', lines ' || coalesce(l.paise, 0)
    from (
      select i.agreement_id, i.no, b.bucket, b.paid from instalments i cross join lateral (values ('principal', i.paid_principal_paise),
        ('interest', i.paid_interest_paise), ('fee', i.paid_fee_paise)) as b(bucket, paid) where i.org_id = kist_org() and ${within('i.agreement_id')}) i
    full join (
      select l.agreement_id, l.instalment_no, l.bucket, sum(l.credit - l.debit) as paise from journal_lines l where l.org_id = kist_org()
        and l.agreement_id is not null and ${within('l.agreement_id')} and l.payment_id is not null and l.bucket in ('principal', 'interest', 'fee') group by 1, 2, 3) l
      on l.agreement_id = i.agreement_id and l.instalment_no = i.no and l.bucket = i.bucket
    where coalesce(i.paid, 0) <> coalesce(l.paise, 0)`,
  },
} satisfies Partial<Record<Invariant, InvariantCheck>>;

const LOCKS = {
  I4: {
    name: 'no restriction without a verdict that allowed it',
    proves:
      'No phone is wanted at a level, or without a switch, that no stored verdict of the gate allowed for that very cause, and none above what its causes ask for; what is held for its owner stands on the owner’s own word, and a document names the cause it is held for.',
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
    select l.device_id, l.cause || ' at level ' || l.level || ' without its owner’s word' from locks l
    where l.org_id = kist_org() and ${within('l.device_id')} and l.level > 0 and l.cause in (${listed(OWNERS_CAUSES)}) and not exists (${OWN_WORD('l')})
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
      'Where nothing is overdue, nothing with cause debt is wanted, and no lease lets its phone take a step before the days past due that its policy gives, or without a notice that the step needs: delivered, with its days to pay over by then, or one that the phone itself must show first; none outside the automatic hours, while a complaint waits or on a phone that was let go; none is valid beyond its time; no enrolment test outlives its end or is on a phone that is late.',
    sql: `
    select l.device_id as id, l.cause || ' at level ' || l.level as detail
    from locks l join agreements a on a.org_id = l.org_id and a.agreement_id = l.agreement_id
    where l.org_id = kist_org() and ${within('l.device_id')} and l.cause in (${listed(MONEY_CAUSES)}) and l.level > 0
      and (a.state <> 'active' or a.oldest_due_on is null or a.oldest_due_on >= ${TODAY})
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
      'Whatever is held or taken for a debt, or tried out, names the agreement of this very phone; a phone that was let go is held by nothing.',
    sql: `
    select l.device_id as id, l.cause || ' of agreement ' || coalesce(l.agreement_id::text, '-') as detail
    from locks l left join agreements a on a.org_id = l.org_id and a.agreement_id = l.agreement_id
    where l.org_id = kist_org() and ${within('l.device_id')} and l.cause in (${listed(OWED_CAUSES)}) and l.level > 0 and a.device_id is distinct from l.device_id
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
      'No phone that asked us, and no vendor that keeps a phone for us, was left without the newest document, and each that has a channel has one in charge of it. Phones that were given it and say for more than two polls that they are otherwise, by level, switches or document, are shown; one alone is its own trouble, two are ours; what was let go says nothing here, and one phone is one by its numbers.',
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
    select w.device_id, 'says ' || r.revision || ' at level ' || r.lock_level || ', wanted ' || w.revision || ' at level ' || w.lock_level, ${ONE_PHONE}
    from device_desired w join device_reports r using (org_id, device_id)
    join devices d on d.org_id = w.org_id and d.device_id = w.device_id and d.released_at is null
    join enrolments e on e.org_id = w.org_id and e.device_id = w.device_id and e.ended_at is null and e.in_charge
    where w.org_id = kist_org() and ${within('w.device_id')} and r.last_seen_at > kist_now() - interval '1 day'
      and (r.unfit_polls > 2 or r.revision < w.revision and (r.told_revision = w.revision or e.handle is not null) and r.last_seen_at > w.changed_at + ${TWO_POLLS})
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

const HOUSE = {
  I8: {
    name: 'every change has its line in a history without gaps',
    proves:
      'Every decision, payment, payment taken back, hold and end of one, exchange of a phone, version of a schedule, word of theft or loss and step of a complaint of the last two days has its line; every history has as many lines as its head counts, and each that a daily root knows is still there. Hashes line by line: audit verify.',
    sql: `
    with decided as materialized (
      select v.verdict_id, v.device_id::text as subject_id, v.revision, v.decided_at from verdicts v
      where v.org_id = kist_org() and ${within('v.device_id')} and v.revision is not null and v.decided_at > ${RECENT}
    ), paid as materialized (
      select p.payment_id::text as id, p.agreement_id::text as subject_id from payments p
      where p.org_id = kist_org() and ${within('p.agreement_id')} and p.state = 'posted' and p.receipt_no is not null and p.recorded_at > ${RECENT}
    ), told as materialized (
      select agreement_id::text as id, 'agreement' as kind, agreement_id::text as subject_id, array['phone_exchanged', 'phone_corrected'] as actions, made_at as at, 'exchange' as what
      from phone_exchanges where org_id = kist_org() and ${within('agreement_id')} and made_at > ${RECENT}
      union all
      select agreement_id || ' ' || version, 'agreement', agreement_id::text, array['schedule_revised', 'schedule_kept'], made_at, 'version of a schedule'
      from schedule_versions_view where org_id = kist_org() and ${within('agreement_id')} and made_at > ${RECENT}
      union all
      select report_id::text, 'device', device_id::text, array['lost_reported'], reported_at, 'word of ' || kind from protection_reports
      where org_id = kist_org() and ${within('device_id')} and reported_by <> 'shop' and reported_at > ${RECENT}
      union all
      select report_id::text, 'device', device_id::text, array['theft_lifted'], closed_at, 'end of a theft' from protection_reports
      where org_id = kist_org() and ${within('device_id')} and kind = 'theft' and reported_by <> 'shop' and closed_at > ${RECENT}
      union all
      select d.dispute_id::text, 'agreement', d.agreement_id::text, array['dispute_opened', 'dispute_moved', 'objections_ended'], m.moved_at, 'complaint ' || m.to_state
      from disputes d join dispute_moves m on m.org_id = d.org_id and m.dispute_id = d.dispute_id
      where d.org_id = kist_org() and ${within('d.agreement_id')} and m.moved_at > ${RECENT}
      union all
      select payment_id::text, 'agreement', agreement_id::text, array['payment_reversed'], reversed_at, 'payment taken back' from payments
      where org_id = kist_org() and ${within('agreement_id')} and reversed_at > ${RECENT}
      union all
      -- Who frees a phone rests its ladder with it: the decision's own line tells of that.
      select hold_id::text, 'agreement', agreement_id::text, array['hold_recorded'], created_at, 'hold' from holds
      where org_id = kist_org() and ${within('agreement_id')} and created_at > ${RECENT} and kind <> 'manual'
      union all
      select hold_id::text, 'agreement', agreement_id::text, array['hold_lifted', 'agreement_cancelled'], lifted_at, 'end of a hold' from holds
      where org_id = kist_org() and ${within('agreement_id')} and lifted_at > ${RECENT}
    )
    select d.verdict_id::text as id, 'verdict without a line, revision ' || d.revision as detail
    from decided d left join lateral (${firstLine(`x.subject_kind = 'device' and x.subject_id = d.subject_id
      and x.action in ('lock_level_decided', 'restriction_taken') and x.at >= d.decided_at - interval '1 minute'
      and x.data -> 'causes' @> jsonb_build_array(jsonb_build_object('verdict_id', d.verdict_id))`)}) x on true where x.is_there is null
    union all
    select p.id, 'payment without a line'
    from paid p left join lateral (${firstLine(`x.subject_kind = 'agreement' and x.subject_id = p.subject_id and x.data ->> 'payment_id' = p.id`)}) x on true
    where x.is_there is null
    union all
    select t.id, t.what || ' without a line' from told t
    left join lateral (select true as is_there from audit_lines x where x.org_id = kist_org() and x.subject_kind = t.kind and x.subject_id = t.subject_id
      and x.action = any(t.actions) and x.at between t.at - interval '1 minute' and t.at + interval '1 minute' limit 1) x on true where x.is_there is null
    union all
    select coalesce(h.subject_id, l.subject_id), coalesce(h.subject_kind, l.subject_kind) || ': lines ' || coalesce(l.n, 0) || ', head ' || coalesce(h.seq, 0)
    from (select subject_kind, subject_id, seq from audit_heads where org_id = kist_org() and ${withinText('subject_id')}) h
    full join (
      select subject_kind, subject_id, count(*) as n, max(seq) as last from audit_lines where org_id = kist_org() and ${withinText('subject_id')} group by 1, 2) l
      on l.subject_kind = h.subject_kind and l.subject_id = h.subject_id
    where (l.n, l.last) is distinct from (h.seq, h.seq)
    union all
    select r.subject_id, r.subject_kind || ': line ' || min(r.seq) || ' is gone, the root of ' || min(r.day) || ' knew it'
    from audit_root_heads r left join audit_lines l on l.org_id = r.org_id and l.subject_kind = r.subject_kind and l.subject_id = r.subject_id and l.seq = r.seq
    where r.org_id = kist_org() and ${withinText('r.subject_id')} and l.hash is distinct from r.hash group by r.subject_kind, r.subject_id`,
  },
  I9: {
    name: 'a code works once',
    proves:
      'No set-up code began two enrolments, or one that it was not made for, and what customers agreed to, new terms too, or said of a theft in the last two days stands on a code that was used for that alone. Codes that a phone without contact could take do not exist.',
    sql: `
    select e.device_id as id, 'enrolments of one code ' || count(*) as detail from enrolments e
    where e.org_id = kist_org() and ${within('e.device_id')} and e.token_hash is not null group by e.device_id, e.token_hash having count(*) > 1
    union all
    select e.device_id, case when t.device_id <> e.device_id then 'code of phone ' || t.device_id else 'code not marked as used' end
    from enrolments e join enrolment_tokens t on t.org_id = e.org_id and t.token_hash = e.token_hash
    where e.org_id = kist_org() and ${within('e.device_id')} and (t.device_id <> e.device_id or t.used_at is null)
    union all
    select w.id, w.what || ' without its code' from (
      select k.confirmation_id as id, 'a consent' as what, k.customer_id, k.otp_id, 'CONSENT' as purpose, k.text_hash as about from consent_confirmations k
      where k.org_id = kist_org() and ${within('k.customer_id')} and k.confirmed_at > ${RECENT}
      union all
      select v.agreement_id, 'new terms', a.customer_id, v.consent_otp_id, 'TERMS', v.consent_hash from schedule_versions_view v
      join agreements a on a.org_id = v.org_id and a.agreement_id = v.agreement_id
      where v.org_id = kist_org() and ${within('v.agreement_id')} and v.consent_otp_id is not null and v.made_at > ${RECENT}
      union all
      select p.report_id, 'a word of theft', d.customer_id, p.code_otp_id, 'THEFT_REPORT', null from protection_reports p
      join devices d on d.org_id = p.org_id and d.device_id = p.device_id
      where p.org_id = kist_org() and ${within('p.device_id')} and p.reported_by = 'customer_code' and p.reported_at > ${RECENT}
      union all
      select p.report_id, 'the end of a theft', d.customer_id, p.closed_otp_id, 'THEFT_LIFT', null from protection_reports p
      join devices d on d.org_id = p.org_id and d.device_id = p.device_id
      where p.org_id = kist_org() and ${within('p.device_id')} and p.closed_as = 'customer_code' and p.closed_at > ${RECENT}
    ) w where w.otp_id is distinct from ${BEFORE_CODES} and not exists (
      select from otps o where o.org_id = kist_org() and o.otp_id = w.otp_id and o.consumed_at is not null and o.customer_id = w.customer_id
        and o.purpose = w.purpose and o.about_hash is not distinct from w.about)`,
  },
  I10: {
    name: 'no answer holds another organisation’s data',
    proves:
      'The database shows the server’s account the rows of one organisation alone, in every table that has them. That answers do: tests, with strangers.',
    sql: `
    select c.relname::text as id, 'row-level security is not forced' as detail
    from pg_class c join pg_attribute t on t.attrelid = c.oid and t.attname = 'org_id' and not t.attisdropped
    where ${ONCE} and c.relnamespace = 'public'::regnamespace and c.relkind in ('r', 'p') and c.relname <> 'org_directory'
      and not (c.relrowsecurity and c.relforcerowsecurity)
    union all
    select p.tablename, 'policy ' || p.policyname || ' shows more' from pg_policies p
    where ${ONCE} and p.schemaname = 'public' and p.roles && array['public', 'kist_app']::name[] and p.permissive = 'PERMISSIVE'
      and (p.qual is distinct from '(org_id = kist_org())' or p.with_check is distinct from '(org_id = kist_org())')
    union all
    select c.relname, 'shows what its owner sees' from pg_class c join pg_attribute t on t.attrelid = c.oid and t.attname = 'org_id'
    where ${ONCE} and c.relnamespace = 'public'::regnamespace and c.relkind = 'v' and not coalesce(c.reloptions @> array['security_invoker=true'], false)
    union all
    select rolname, 'is not held by row-level security' from pg_roles where ${ONCE} and rolname = 'kist_app' and (rolsuper or rolbypassrls)`,
  },
} satisfies Partial<Record<Invariant, InvariantCheck>>;

/** Every invariant. */
export const CHECKS: Record<Invariant, InvariantCheck> = { ...MONEY, ...LOCKS, ...HOUSE };
