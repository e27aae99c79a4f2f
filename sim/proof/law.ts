/**
 * What must hold of the books whatever happened, written from the rules of the ledger and not from the product's code: each statement answers a row `detail`
 * for each thing that is wrong in organisation $1. Reads tables only: no view, no function of the product but its clock.
 */
export interface Law {
  name: string;
  /** Of sales that the product made: phones that were planted have no keys and papers of their own. */
  isOfWholeSales?: true;
  sql: string;
}

/** What stands of an instalment, by bucket. */
const BUCKETS = `(values
  ('principal', i.principal_paise, i.paid_principal_paise, i.dropped_principal_paise),
  ('interest', i.interest_paise, i.paid_interest_paise, i.dropped_interest_paise),
  ('fee', i.fee_paise, i.paid_fee_paise, i.dropped_fee_paise)) as b(bucket, agreed, paid, dropped)`;
const LINES = 'journal_lines l join accounts a on a.org_id = l.org_id and a.account_id = l.account_id';
const CANCELLED = `select agreement_id from agreements where org_id = $1 and state = 'cancelled'`;
const LEFT = `(select coalesce(sum(agreed - paid - dropped), 0) from ${BUCKETS})`;

export const LAWS: readonly Law[] = [
  {
    name: 'debits are credits in every journal and unit, and a journal has two lines',
    sql: `select 'journal ' || j.journal_id as detail from journals j left join journal_lines l on l.org_id = j.org_id and l.journal_id = j.journal_id
      where j.org_id = $1 group by j.journal_id having count(l.line_no) < 2
      union all select 'journal ' || journal_id || ' in ' || unit from journal_lines where org_id = $1 group by journal_id, unit having sum(debit) <> sum(credit)
      union all select 'line ' || line_no || ' of ' || journal_id from journal_lines where org_id = $1 and ((debit > 0) = (credit > 0) or debit < 0 or credit < 0)`,
  },
  {
    name: 'a reversing journal mirrors what it takes back, line by line, and does so once',
    sql: `select 'journal ' || r.journal_id as detail from journals r where r.org_id = $1 and r.reverses_journal_id is not null and exists (
        select from journal_lines l where l.org_id = r.org_id and l.journal_id in (r.journal_id, r.reverses_journal_id)
        group by l.account_id, l.unit, l.agreement_id, l.instalment_no, l.charge_id, l.bucket, l.payment_id, l.lot having sum(l.debit) <> sum(l.credit))
      union all select 'journal ' || reverses_journal_id || ' is taken back ' || count(*) || ' times' from journals
      where org_id = $1 and reverses_journal_id is not null group by reverses_journal_id having count(*) > 1`,
  },
  {
    name: 'an effect is in the books once',
    sql: `select effect_key || ' ' || count(*) || ' times' as detail from journals where org_id = $1 group by effect_key having count(*) > 1
      union all select 'two openings of ' || l.agreement_id from (select distinct l.agreement_id, j.journal_id from journals j
        join journal_lines l on l.org_id = j.org_id and l.journal_id = j.journal_id where j.org_id = $1 and j.kind = 'agreement_opened') l
      group by l.agreement_id having count(*) > 1`,
  },
  {
    name: 'every bucket of every instalment is paid what the lines say',
    sql: `select 'instalment ' || coalesce(i.no, l.instalment_no) || ' of ' || coalesce(i.agreement_id, l.agreement_id) || ', ' || coalesce(i.bucket, l.bucket)
        || ': stored ' || coalesce(i.paid, 0) || ', lines ' || coalesce(l.paise, 0) as detail
      from (select i.agreement_id, i.no, b.bucket, b.paid from instalments i cross join lateral ${BUCKETS} where i.org_id = $1) i
      full join (select agreement_id, instalment_no, bucket, sum(credit - debit) as paise from journal_lines
        where org_id = $1 and payment_id is not null and bucket in ('principal', 'interest', 'fee') group by 1, 2, 3) l
        on l.agreement_id = i.agreement_id and l.instalment_no = i.no and l.bucket = i.bucket
      where coalesce(i.paid, 0) <> coalesce(l.paise, 0)`,
  },
  {
    name: 'what is owed is the receivable, by agreement and bucket; of a cancelled one nothing',
    sql: `select owed.agreement_id || ' ' || owed.bucket || ': rows ' || owed.paise || ', lines ' || coalesce(l.paise, 0) as detail
      from (select i.agreement_id, b.bucket, sum(b.agreed - b.paid - b.dropped) as paise from instalments i cross join lateral ${BUCKETS}
          where i.org_id = $1 group by 1, 2
        union all select g.agreement_id, 'penal', coalesce(sum(c.amount_paise - c.paid_paise - c.waived_paise) filter (where c.taken_back_at is null), 0)
          from agreements g left join charges c on c.org_id = g.org_id and c.agreement_id = g.agreement_id where g.org_id = $1 group by 1
        union all select agreement_id, 'advance', -advance_paise from agreements where org_id = $1) owed
      left join (select l.agreement_id, l.bucket, sum(l.debit - l.credit) as paise from journal_lines l where l.org_id = $1 and l.bucket is not null group by 1, 2) l
        on l.agreement_id = owed.agreement_id and l.bucket = owed.bucket
      join agreements a on a.org_id = $1 and a.agreement_id = owed.agreement_id
      where case a.state when 'cancelled' then 0 else owed.paise end <> coalesce(l.paise, 0)`,
  },
  {
    name: 'an agreement says what its instalments say',
    sql: `select g.agreement_id || ' ' || g.state || ': says ' || g.outstanding_paise || ', ' || g.paid_count || ' paid, oldest ' || coalesce(g.oldest_due_on::text, '-')
        || '; rows ' || r.owed || ', ' || r.settled || ', ' || coalesce(r.oldest::text, '-') as detail
      from agreements g cross join lateral (
        select coalesce(sum(x.owed), 0) as owed, count(*) filter (where x.owed = 0 and x.superseded_by is null) as settled, min(x.due_on) filter (where x.owed > 0) as oldest
        from (select i.due_on, i.superseded_by, ${LEFT} as owed from instalments i where i.org_id = g.org_id and i.agreement_id = g.agreement_id) x) r
      where g.org_id = $1 and (g.outstanding_paise <> r.owed or g.paid_count <> r.settled or g.oldest_due_on is distinct from r.oldest
        or (g.state = 'completed' and r.owed > 0))`,
  },
  {
    name: 'interest and fees are income as they are paid, unearned until then; penal charges as they are made; of a cancelled agreement nothing is',
    sql: `with sums as (select l.agreement_id, a.code, sum(l.credit - l.debit) as paise from ${LINES}
        where l.org_id = $1 and a.code in ('unearned_interest', 'unearned_fee', 'income_interest', 'income_fee', 'income_penal') group by 1, 2),
      wanted as (
        select i.agreement_id, s.code, sum(s.paise) as paise from instalments i cross join lateral (values
          ('unearned_interest', i.interest_paise - i.paid_interest_paise - i.dropped_interest_paise), ('income_interest', i.paid_interest_paise),
          ('unearned_fee', i.fee_paise - i.paid_fee_paise - i.dropped_fee_paise), ('income_fee', i.paid_fee_paise)) as s(code, paise)
        where i.org_id = $1 and i.agreement_id not in (${CANCELLED}) group by 1, 2
        union all select agreement_id, 'income_penal', sum(case when agreement_id in (${CANCELLED}) then waived_paise else amount_paise end)
        from charges where org_id = $1 and taken_back_at is null group by 1)
      select coalesce(w.agreement_id, s.agreement_id) || ' ' || coalesce(w.code, s.code) || ': wanted ' || coalesce(w.paise, 0) || ', lines ' || coalesce(s.paise, 0) as detail
      from wanted w full join sums s on s.agreement_id = w.agreement_id and s.code = w.code where coalesce(w.paise, 0) <> coalesce(s.paise, 0)`,
  },
  {
    name: 'a penal charge is paid and waived what the lines say; taken back it is nothing',
    sql: `select 'charge ' || c.charge_id as detail from charges c left join (
        select l.charge_id, sum(l.credit - l.debit) filter (where a.code = 'receivable_penal' and l.payment_id is not null) as paid,
          sum(l.debit - l.credit) filter (where a.code = 'waivers') as waived, sum(l.debit - l.credit) filter (where a.code = 'receivable_penal') as owed
        from ${LINES} where l.org_id = $1 and l.charge_id is not null group by 1) s on s.charge_id = c.charge_id
      left join (select charge_id, sum(amount_paise) as waived from waivers where org_id = $1 and state = 'granted' group by 1) w on w.charge_id = c.charge_id
      where c.org_id = $1 and (c.paid_paise <> coalesce(s.paid, 0) or c.paid_paise + c.waived_paise > c.amount_paise
        or coalesce(s.owed, 0) <> case when c.taken_back_at is null and c.agreement_id not in (${CANCELLED}) then c.amount_paise - c.paid_paise - c.waived_paise else 0 end
        or (c.taken_back_at is null and c.waived_paise <> coalesce(s.waived, 0))
        or (c.taken_back_at is null and c.waived_paise <> coalesce(w.waived, 0)) or (c.taken_back_at is not null and coalesce(s.waived, 0) <> 0))
      union all select 'charged twice: ' || agreement_id || ' ' || instalment_no || ' ' || charged_on from charges
      where org_id = $1 and made_by = 'rule' and taken_back_at is null group by agreement_id, instalment_no, charged_on having count(*) > 1`,
  },
  {
    name: 'a payment that stands has one journal of its amount, one taken back its mirror besides, a claim none',
    sql: `select p.payment_id || ' ' || p.state || ': ' || count(j.journal_id) || ' journals, ' || count(r.journal_id) || ' taken back' as detail
      from payments p left join journals j on j.org_id = p.org_id and j.effect_key = 'payment:' || p.payment_id
      left join journals r on r.org_id = j.org_id and r.reverses_journal_id = j.journal_id
      where p.org_id = $1 group by p.payment_id, p.state
      having count(j.journal_id) <> (p.state in ('posted', 'reversed'))::int or count(r.journal_id) <> (p.state = 'reversed')::int
      union all select p.payment_id || ' is ' || p.amount_paise || ', its till ' || coalesce(sum(l.debit), 0) from payments p
        join journals j on j.org_id = p.org_id and j.effect_key = 'payment:' || p.payment_id
        join journal_lines l on l.org_id = j.org_id and l.journal_id = j.journal_id join accounts a on a.org_id = l.org_id and a.account_id = l.account_id
      where p.org_id = $1 and a.code like 'clearing\\_%' group by p.payment_id, p.amount_paise having coalesce(sum(l.debit), 0) <> p.amount_paise
      union all select 'a journal of no payment: ' || j.effect_key from journals j where j.org_id = $1 and j.kind = 'payment'
        and not exists (select from payments p where p.org_id = j.org_id and 'payment:' || p.payment_id = j.effect_key)`,
  },
  {
    name: 'where a payment stands adds up to it, and to nothing once it is taken back',
    sql: `select p.payment_id || ' ' || p.state || ' of ' || p.amount_paise || ' stands with ' || coalesce(sum(l.credit - l.debit), 0) as detail
      from payments p left join journal_lines l on l.org_id = p.org_id and l.payment_id = p.payment_id and l.bucket is not null
        and l.journal_id not in (select journal_id from journals where org_id = $1 and kind = 'refund_owed')
      where p.org_id = $1 and p.goes_to = 'dues' group by p.payment_id, p.state, p.amount_paise
      having coalesce(sum(l.credit - l.debit), 0) <> case p.state when 'posted' then p.amount_paise else 0 end
      union all select p.payment_id || ' stands below nothing in ' || l.bucket from payments p join journal_lines l on l.org_id = p.org_id and l.payment_id = p.payment_id
      where p.org_id = $1 and l.bucket is not null group by p.payment_id, l.bucket, l.instalment_no, l.charge_id having sum(l.credit - l.debit) < 0`,
  },
  {
    name: 'each till holds what its keeper took, less what was taken back and given back',
    sql: `with taken as (
        select coalesce(posted_by, recorded_by)::text as keeper, method, sum(amount_paise) as paise from payments where org_id = $1 and state = 'posted' group by 1, 2
        union all select closed_by::text, method, -sum(amount_paise) from refund_tasks where org_id = $1 and state = 'done' group by 1, 2),
      wanted as (select keeper, case method when 'CASH' then 'clearing_cash' when 'UPI' then 'clearing_upi' else 'clearing_other' end as code, sum(paise) as paise
        from taken group by 1, 2),
      held as (select a.owner_id as keeper, a.code, sum(l.debit - l.credit) as paise from ${LINES} join journals j on j.org_id = l.org_id and j.journal_id = l.journal_id
        where l.org_id = $1 and a.code like 'clearing\\_%' and j.kind <> 'agreement_opened' group by 1, 2)
      select coalesce(w.keeper, h.keeper) || ' ' || coalesce(w.code, h.code) || ': took ' || coalesce(w.paise, 0) || ', holds ' || coalesce(h.paise, 0) as detail
      from wanted w full join held h on h.keeper = w.keeper and h.code = w.code where coalesce(w.paise, 0) <> coalesce(h.paise, 0)`,
  },
  {
    name: 'receipts, down payments and notes are numbered without a gap in each series, and a series is one person’s',
    sql: `with numbers as (
        select receipt_no as number, coalesce(posted_by, recorded_by) as keeper from payments where org_id = $1 and receipt_no is not null
        union all select note_no, reversed_by from payments where org_id = $1 and note_no is not null),
      parts as (select regexp_replace(number, '[0-9]+$', '') as series, substring(number from '[0-9]+$')::int as n, keeper from numbers)
      select series || ': ' || count(*) || ' papers, ' || count(distinct n) || ' numbers up to ' || max(n) as detail from parts group by series
      having count(*) <> count(distinct n) or count(*) <> max(n) or min(n) <> 1 or count(distinct keeper) > 1
      union all select 'no number: ' || payment_id from payments where org_id = $1
        and ((state in ('posted', 'reversed')) <> (receipt_no is not null) or (state = 'reversed') <> (note_no is not null))`,
  },
  {
    name: 'a reference of a transfer belongs to one payment that stands',
    sql: `select count(*) || ' payments hold ' || upper(regexp_replace(reference, '\\s', '', 'g')) as detail from payments
      where org_id = $1 and method = 'UPI' and state = 'posted' and btrim(reference) <> '' group by upper(regexp_replace(reference, '\\s', '', 'g')) having count(*) > 1`,
  },
  {
    name: 'agreements and payments went from state to state as they may, and stand where they went',
    sql: `with legal(thing, a, b) as (values ('agreement', '', 'active'), ('agreement', '', 'draft'), ('agreement', 'draft', 'active'), ('agreement', 'draft', 'cancelled'),
        ('agreement', 'active', 'completed'), ('agreement', 'active', 'foreclosed'), ('agreement', 'active', 'cancelled'), ('agreement', 'active', 'written_off'),
        ('agreement', 'active', 'returned'), ('agreement', 'completed', 'active'), ('agreement', 'foreclosed', 'active'), ('agreement', 'written_off', 'completed'),
        ('agreement', 'written_off', 'returned'), ('payment', '', 'claimed'), ('payment', '', 'posted'), ('payment', '', 'pending_approval'),
        ('payment', 'claimed', 'pending_approval'), ('payment', 'claimed', 'posted'), ('payment', 'claimed', 'refused'),
        ('payment', 'pending_approval', 'posted'), ('payment', 'pending_approval', 'refused'), ('payment', 'posted', 'reversed')),
      moves as (select 'agreement' as thing, agreement_id as id, no, from_state, to_state, reason from agreement_moves where org_id = $1
        union all select 'payment', payment_id, no, from_state, to_state, reason from payment_moves where org_id = $1),
      chained as (select *, row_number() over w as place, lag(to_state, 1, '') over w as before, last_value(to_state) over (w rows between unbounded preceding and unbounded following) as led
        from moves window w as (partition by thing, id order by no)),
      states as (select 'agreement' as thing, agreement_id as id, state from agreements where org_id = $1 union all select 'payment', payment_id, state from payments where org_id = $1)
      select thing || ' ' || id || ': ' || from_state || ' to ' || to_state as detail from chained c where no <> place or from_state <> before or btrim(reason) = ''
        or not exists (select from legal g where g.thing = c.thing and g.a = c.from_state and g.b = c.to_state)
      union all select s.thing || ' ' || s.id || ' is ' || s.state || ', and went to ' || coalesce(c.led, 'nothing') from states s
        left join (select distinct thing, id, led from chained) c on c.thing = s.thing and c.id = s.id where s.state is distinct from c.led`,
  },
  {
    name: 'money of an agreement that is over is owed back, once, until it was given back',
    sql: `select 'payment ' || p.payment_id || ' ' || p.state || ', task ' || coalesce(t.state, 'none') as detail from payments p
      left join refund_tasks t on t.org_id = p.org_id and t.payment_id = p.payment_id where p.org_id = $1
        and ((p.goes_to = 'suspense' and p.state in ('posted', 'reversed')
            or p.goes_to <> 'suspense' and p.state = 'posted' and p.agreement_id in (${CANCELLED})) <> (t.payment_id is not null)
          or (t.payment_id is not null and (t.amount_paise <> p.amount_paise or (p.state = 'reversed') <> (t.state = 'void'))))
      union all select 'refund of ' || t.payment_id || ' ' || t.state || ' has ' || count(j.journal_id) || ' journals' from refund_tasks t
        left join journals j on j.org_id = t.org_id and j.effect_key = 'refund_paid:' || t.payment_id where t.org_id = $1
        group by t.payment_id, t.state having count(j.journal_id) <> (t.state = 'done')::int
      union all select a.code || ' holds ' || sum(l.credit - l.debit) from ${LINES} where l.org_id = $1 and a.code in ('suspense', 'refunds_payable') group by a.code
        having sum(l.credit - l.debit) <> case a.code when 'suspense' then 0 else (select coalesce(sum(amount_paise), 0) from refund_tasks where org_id = $1 and state = 'open') end`,
  },
  {
    name: 'a wallet is never below nothing, and holds what its lines say, lot by lot',
    isOfWholeSales: true,
    sql: `with lines as (select a.owner_id, a.unit, l.lot, coalesce(sum(l.debit - l.credit) filter (where a.code = 'keys_available'), 0) as available,
          coalesce(sum(l.debit - l.credit) filter (where a.code = 'keys_reserved'), 0) as reserved
        from ${LINES} where l.org_id = $1 and a.code in ('keys_available', 'keys_reserved') group by 1, 2, 3)
      select 'wallet of ' || coalesce(w.user_id::text, l.owner_id) || ' ' || coalesce(w.lot, l.lot) || ': ' || coalesce(w.available, 0) || ' and ' || coalesce(w.reserved, 0)
        || ', lines ' || coalesce(l.available, 0) || ' and ' || coalesce(l.reserved, 0) as detail
      from (select * from wallets where org_id = $1) w full join lines l on l.owner_id = w.user_id::text and l.unit = 'KEY:' || w.plan_type and l.lot = w.lot
      where coalesce(w.available, 0) <> coalesce(l.available, 0) or coalesce(w.reserved, 0) <> coalesce(l.reserved, 0) or w.available < 0 or w.reserved < 0
      union all select 'set aside for ' || w.user_id || ' ' || w.lot || ': ' || w.reserved from wallets w where w.org_id = $1 and w.reserved <> (
        select count(*) from key_reservations r where r.org_id = w.org_id and r.user_id = w.user_id and r.plan_type = w.plan_type and r.lot = w.lot and r.state = 'reserved')
      union all select 'keys of ' || unit || ': issued ' || sum(issued) || ', there ' || sum(there) from (select l.unit,
          case when a.code = 'keys_issued' then l.credit - l.debit else 0 end as issued, case when a.code <> 'keys_issued' then l.debit - l.credit else 0 end as there
        from ${LINES} where l.org_id = $1 and l.unit like 'KEY:%') k group by unit having sum(issued) <> sum(there)`,
  },
  {
    name: 'a key set aside is spent or comes back once, and no phone enrolled without one',
    isOfWholeSales: true,
    sql: `with of as (select ref_id as customer_id, count(*) filter (where kind = 'key_reserved') as aside, count(*) filter (where kind = 'key_spent') as spent,
          count(*) filter (where kind = 'key_returned') as back from journals where org_id = $1 and kind in ('key_reserved', 'key_spent', 'key_returned') group by 1),
      rows as (select customer_id, count(*) as aside, count(*) filter (where state = 'posted') as spent, count(*) filter (where state = 'voided') as back,
          count(*) filter (where state = 'reserved') as open from key_reservations where org_id = $1 group by 1)
      select 'keys of ' || coalesce(o.customer_id, r.customer_id) as detail from of o full join rows r on r.customer_id = o.customer_id
      where (o.aside, o.spent, o.back) is distinct from (r.aside, r.spent, r.back) or r.open > 1
      union all select 'phone ' || d.device_id || ' enrolled without a key' from devices d join enrolments e on e.org_id = d.org_id and e.device_id = d.device_id
      where d.org_id = $1 and not exists (select from key_reservations r where r.org_id = d.org_id and r.customer_id = d.customer_id and r.state = 'posted')`,
  },
  {
    name: 'a sale is whole: one agreement, its down payment, its rows, what it financed in the books',
    isOfWholeSales: true,
    sql: `select 'agreement ' || g.agreement_id as detail from agreements g where g.org_id = $1 and (
        g.financed_paise <> (select coalesce(sum(i.principal_paise - i.dropped_principal_paise), 0) from instalments i where i.org_id = g.org_id and i.agreement_id = g.agreement_id)
        or g.cash_price_paise <> g.financed_paise + g.down_payment_paise
        or (g.down_payment_paise > 0) <> exists (select from payments p where p.org_id = g.org_id and p.agreement_id = g.agreement_id and p.goes_to = 'down_payment'
          and p.amount_paise = g.down_payment_paise)
        or (select count(*) from payments p where p.org_id = g.org_id and p.agreement_id = g.agreement_id and p.goes_to = 'down_payment') > 1
        or not exists (select from consents c where c.org_id = g.org_id and c.agreement_id = g.agreement_id))
      union all select 'customer ' || customer_id || ' has ' || count(*) || ' agreements' from agreements where org_id = $1 group by customer_id having count(*) > 1
      union all select 'phone ' || imei1 || ' sold ' || count(*) || ' times' from devices where org_id = $1 and released_at is null group by imei1 having count(*) > 1`,
  },
  {
    name: 'what changed of an agreement follows on what was: versions, phones and shops are chains, and it stands where the last one led',
    sql: `select 'versions of ' || g.agreement_id || ': ' || count(v.version) || ', in force ' || g.schedule_version as detail from agreements g
        left join schedule_versions v on v.org_id = g.org_id and v.agreement_id = g.agreement_id where g.org_id = $1
      group by g.agreement_id, g.schedule_version having g.schedule_version <> 1 + count(v.version) or max(v.version) <> g.schedule_version
      union all select 'version ' || v.version || ' of ' || v.agreement_id || ' lays out ' || v.principal_paise || ', its rows ' || coalesce(sum(i.principal_paise), 0) from schedule_versions v
        left join instalments i on i.org_id = v.org_id and i.agreement_id = v.agreement_id and i.version = v.version where v.org_id = $1
      group by v.version, v.agreement_id, v.principal_paise having v.principal_paise <> coalesce(sum(i.principal_paise), 0)
      union all select 'versions of ' || v.agreement_id || ' move principal' from (select agreement_id, sum(principal_paise) as paise from schedule_versions where org_id = $1 group by 1) v
        join (select agreement_id, sum(dropped_principal_paise) as paise from instalments where org_id = $1 group by 1) i on i.agreement_id = v.agreement_id where v.paise <> i.paise
      union all select 'phones of ' || x.agreement_id from (select *, lag(to_device_id) over w as before, lead(no) over w is null as is_last, row_number() over w as place
          from phone_exchanges where org_id = $1 window w as (partition by agreement_id order by no)) x join agreements g on g.org_id = $1 and g.agreement_id = x.agreement_id
        join devices d on d.org_id = $1 and d.device_id = x.from_device_id
      where x.no <> x.place or x.from_device_id <> coalesce(x.before, x.from_device_id) or x.is_last and x.to_device_id <> g.device_id or d.released_at is null
      union all select 'shops of customer ' || t.customer_id from (select *, lag(to_user_id) over w as before, lead(transfer_id) over w is null as is_last
          from customer_transfers where org_id = $1 window w as (partition by customer_id order by made_at)) t join customers c on c.org_id = $1 and c.customer_id = t.customer_id
      where t.from_user_id <> coalesce(t.before, t.from_user_id) or t.from_user_id = t.to_user_id or t.is_last and t.to_user_id <> c.owner_user_id
      union all select 'agreement ' || g.agreement_id || ' is another shop’s than its customer' from agreements g join customers c on c.org_id = g.org_id and c.customer_id = g.customer_id
      where g.org_id = $1 and g.owner_user_id <> c.owner_user_id`,
  },
  {
    name: 'every history is whole: each line rests on the one before, and each thing done with money has its line',
    sql: `with lines as (select *, lag(hash, 1, ''::bytea) over h as before, row_number() over h as place, max(seq) over (partition by subject_kind, subject_id) as last
        from audit_lines where org_id = $1 window h as (partition by subject_kind, subject_id order by seq))
      select l.subject_kind || ' ' || l.subject_id || ' breaks at ' || l.seq as detail from lines l
        left join audit_heads h on h.org_id = l.org_id and h.subject_kind = l.subject_kind and h.subject_id = l.subject_id
      where l.seq <> l.place or l.prev_hash <> l.before or h.seq is distinct from l.last or (l.seq = l.last and h.hash is distinct from l.hash)
      union all select p.payment_id || ' ' || w.action || ' ' || count(x.seq) || ' times' from payments p cross join lateral (values
          ('payment_recorded', p.state in ('posted', 'reversed')), ('payment_reversed', p.state = 'reversed'), ('claim_refused', p.state = 'refused')) as w(action, is_wanted)
        left join audit_lines x on x.org_id = p.org_id and x.subject_kind = 'agreement' and x.subject_id = p.agreement_id::text and x.action = w.action
          and x.data ->> 'payment_id' = p.payment_id::text
      where p.org_id = $1 and p.goes_to <> 'down_payment' group by p.payment_id, w.action, w.is_wanted having count(x.seq) <> w.is_wanted::int`,
  },
  {
    name: 'a day’s step is done once, and whoever owes nothing is wanted free',
    sql: `select business_on || ' ' || step as detail from daily_steps where org_id = $1 group by business_on, step having count(*) > 1
      union all select 'phone of ' || g.agreement_no || ' at level ' || w.lock_level from agreements g
        join device_desired w on w.org_id = g.org_id and w.device_id = g.device_id join locks k on k.org_id = g.org_id and k.device_id = g.device_id
      where g.org_id = $1 and k.cause in ('debt', 'override') and k.level > 0 and (g.state = 'cancelled' or not exists (select from instalments i
        where i.org_id = g.org_id and i.agreement_id = g.agreement_id and ${LEFT} > 0 and i.due_on < ((kist_now() + interval '5 hours 30 minutes') at time zone 'utc')::date))`,
  },
];
