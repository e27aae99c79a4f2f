-- The server's account may do what a service of it does and nothing else: it deletes from the few tables of things that end, and of the books and of what a
-- lock stands on it changes the named columns alone. What is paid follows the lines of the ledger, whoever asks; a delivery of a notice and the word of a
-- dispute are added to and never taken back.
-- A million agreements change nothing here: no row is read or written; each table is held exclusively for a moment.
do $$ declare tab text; begin
  for tab in select format('%I', relname) from pg_class where relnamespace = 'public'::regnamespace and relkind in ('r', 'p') and relname <> all (array[
    'customers', 'device_changes', 'documents', 'idempotency_keys', 'otps', 'outbox', 'proof_tokens', 'rate_limits', 'seen_requests', 'sessions', 'trusted_devices']) loop
    execute format('revoke delete on %s from kist_app', tab);
  end loop;
end $$;

do $$ declare tab text; may text; begin
  for tab, may in values
    ('agreements', 'state, oldest_due_on, oldest_due_paise, outstanding_paise, paid_count, advance_paise, completed_at, version'),
    ('instalments', 'paid_principal_paise, paid_interest_paise, paid_fee_paise, paid_on'),
    ('charges', 'paid_paise'),
    ('payments', 'state, reversed_at, reversed_by, reverse_reason, held_reference'),
    ('counters', 'last'),
    ('wallets', 'available, reserved'),
    ('key_reservations', 'state, expires_at, settled_at'),
    ('key_balances', 'keys'),
    ('audit_heads', 'seq, hash'),
    ('cures', 'confirmed_at'),
    ('disputes', 'closed_at, closed_by, outcome'),
    ('protection_reports', 'closed_at'),
    ('notices', 'notice_id, language, body, created_at, sent_at, delivered_at, seen_at, failed_at, provider_ref, command_id, proof'),
    ('notifications', 'read_at') loop
    execute format('revoke update on %I from kist_app', tab);
    execute format('grant update (%s) on %I to kist_app', may, tab);
  end loop;
  foreach tab in array array['holds', 'batches', 'documents'] loop
    execute format('revoke update on %I from kist_app', tab);
  end loop;
end $$;

-- What is paid of an instalment or a charge is what the lines of payments say of it, from the moment it is written.
create function paid_is_what_lines_say() returns trigger language plpgsql as $$
declare off text;
begin
  if tg_table_name = 'instalments' then
    select k.agreement_id || ' ' || k.no || ' ' || k.bucket into off from (
      select c.org_id, c.agreement_id, c.no, b.bucket, b.paid from changed c, lateral (values
        ('principal', c.paid_principal_paise), ('interest', c.paid_interest_paise), ('fee', c.paid_fee_paise)) as b(bucket, paid)
    ) k left join (
      select l.org_id, l.agreement_id, l.instalment_no, l.bucket, sum(l.credit - l.debit) as paise
      from (select distinct org_id, agreement_id from changed) a join journal_lines l on l.org_id = a.org_id and l.agreement_id = a.agreement_id
      where l.payment_id is not null and l.bucket in ('principal', 'interest', 'fee') group by 1, 2, 3, 4
    ) s on s.org_id = k.org_id and s.agreement_id = k.agreement_id and s.instalment_no = k.no and s.bucket = k.bucket
    where k.paid <> coalesce(s.paise, 0) limit 1;
  else
    select c.charge_id::text into off from changed c left join (
      select l.org_id, l.charge_id, sum(l.credit - l.debit) as paise
      from (select distinct org_id, agreement_id from changed) a join journal_lines l on l.org_id = a.org_id and l.agreement_id = a.agreement_id
      where l.payment_id is not null and l.bucket = 'penal' group by 1, 2
    ) s on s.org_id = c.org_id and s.charge_id = c.charge_id
    where c.paid_paise <> coalesce(s.paise, 0) limit 1;
  end if;
  if off is not null then
    raise exception '% of % is refused: what is paid of % is not what the lines say', lower(tg_op), tg_table_name, off using errcode = 'restrict_violation';
  end if;
  return null;
end $$;
create trigger instalments_are_what_lines_say after update on instalments referencing new table as changed
  for each statement execute function paid_is_what_lines_say();
create trigger charges_are_what_lines_say after update on charges referencing new table as changed
  for each statement execute function paid_is_what_lines_say();
alter table instalments enable always trigger instalments_are_what_lines_say;
alter table charges enable always trigger charges_are_what_lines_say;
-- Nothing is paid of what is just being written.
create function begins_unpaid() returns trigger language plpgsql as $$
begin
  raise exception 'insert of % is refused: it begins unpaid', tg_table_name using errcode = 'restrict_violation';
end $$;
create trigger instalments_begin_unpaid before insert on instalments for each row
  when (new.paid_principal_paise <> 0 or new.paid_interest_paise <> 0 or new.paid_fee_paise <> 0) execute function begins_unpaid();
create trigger charges_begin_unpaid before insert on charges for each row when (new.paid_paise <> 0) execute function begins_unpaid();
alter table instalments enable always trigger instalments_begin_unpaid;
alter table charges enable always trigger charges_begin_unpaid;

-- At commit an agreement says of its money what its instalments and its lines say.
create function agreement_says_what_it_owes() returns trigger language plpgsql as $$
declare stored record; due record;
begin
  select a.state, a.outstanding_paise, a.paid_count, a.oldest_due_on, a.oldest_due_paise, a.advance_paise into stored
  from agreements a where a.org_id = new.org_id and a.agreement_id = new.agreement_id;
  select coalesce(sum(i.left_paise), 0)::bigint as outstanding, count(*) filter (where i.left_paise = 0)::int as paid,
    (array_agg(i.due_on order by i.due_on, i.no) filter (where i.left_paise > 0))[1] as oldest_on,
    coalesce((array_agg(i.left_paise order by i.due_on, i.no) filter (where i.left_paise > 0))[1], 0)::bigint as oldest,
    (select coalesce(sum(l.credit - l.debit), 0)::bigint from journal_lines l
     where l.org_id = new.org_id and l.agreement_id = new.agreement_id and l.bucket = 'advance') as advance
    into due from instalments i where i.org_id = new.org_id and i.agreement_id = new.agreement_id;
  if (stored.outstanding_paise, stored.paid_count, stored.oldest_due_on, stored.oldest_due_paise, stored.advance_paise)
    is distinct from (due.outstanding, due.paid, due.oldest_on, due.oldest, due.advance) then
    raise exception 'agreement %: what it says of its money is not what its instalments and lines say', new.agreement_id using errcode = 'restrict_violation';
  end if;
  return null;
end $$;
create constraint trigger agreement_says_what_it_owes
  after update of outstanding_paise, paid_count, oldest_due_on, oldest_due_paise, advance_paise on agreements
  deferrable initially deferred for each row execute function agreement_says_what_it_owes();
alter table agreements enable always trigger agreement_says_what_it_owes;

-- A series begins at one. A shop's number is put where the shops' own series stands.
create function counters_begin_at_one() returns trigger language plpgsql as $$
begin
  raise exception 'insert of counters is refused: % begins at 1', new.name using errcode = 'restrict_violation';
end $$;
create trigger counters_begin_at_one before insert on counters for each row when (new.last <> 1 and new.name not like 'shop:%') execute function counters_begin_at_one();
alter table counters enable always trigger counters_begin_at_one;

-- Of a message that was delivered nothing changes but when it was seen, unless the delivery came too early to count and is kept beside what follows.
create function delivery_stays() returns trigger language plpgsql as $$
begin
  if (new.delivered_at, new.proof) is distinct from (old.delivered_at, old.proof)
      and new.proof -> 'before' is distinct from jsonb_build_object('delivered_at', old.delivered_at, 'proof', old.proof)
    or (new.notice_id, new.body, new.language, new.created_at) is distinct from (old.notice_id, old.body, old.language, old.created_at)
      and new.proof -> 'before' is distinct from jsonb_build_object('delivered_at', old.delivered_at, 'proof', old.proof)
    or old.seen_at is not null and new.seen_at is distinct from old.seen_at
      and new.proof -> 'before' is distinct from jsonb_build_object('delivered_at', old.delivered_at, 'proof', old.proof) then
    raise exception 'update of notices is refused: what was delivered stays as it was' using errcode = 'restrict_violation';
  end if;
  return new;
end $$;
create trigger notices_delivered_stay before update on notices for each row when (old.delivered_at is not null) execute function delivery_stays();
alter table notices enable always trigger notices_delivered_stay;
create trigger notices_unsent_stay before update of notice_id, body, language, created_at on notices for each row when (old.delivered_at is null)
  execute function kist_refuse('what was written to somebody stays');
alter table notices enable always trigger notices_unsent_stay;
create trigger notices_facts_stay before update of org_id, agreement_id, customer_id, kind, no, due_on, channel on notices for each row
  execute function kist_refuse('facts stay as they were written');
alter table notices enable always trigger notices_facts_stay;

-- A dispute is closed once; what was disputed stays.
create trigger disputes_facts_stay before update of org_id, dispute_id, agreement_id, text, channel, opened_at on disputes for each row
  execute function kist_refuse('facts stay as they were written');
create trigger disputes_close_once before update on disputes for each row
  when (old.closed_at is not null or new.closed_at is null or new.closed_by is null or coalesce(new.outcome, '') = '')
  execute function kist_refuse('it is closed once, with who and how');
alter table disputes enable always trigger disputes_facts_stay;
alter table disputes enable always trigger disputes_close_once;

do $$ declare tab text; begin
  foreach tab in array array['notices', 'disputes', 'holds', 'verdicts'] loop
    execute format('create trigger %I before delete on %I for each row execute function kist_refuse(%L)', tab || '_stay', tab, 'what was written stays');
    execute format('create trigger %I before truncate on %I for each statement execute function kist_refuse(%L)', tab || '_are_not_emptied', tab, 'what was written stays');
    execute format('alter table %I enable always trigger %I', tab, tab || '_stay');
    execute format('alter table %I enable always trigger %I', tab, tab || '_are_not_emptied');
  end loop;
end $$;
