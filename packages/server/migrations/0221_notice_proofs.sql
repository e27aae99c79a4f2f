-- What proves that somebody was told: rows that are added and never moved. The gate counts from `at`, the server's own moment; what a phone says of when
-- it was stands beside as `said_at` and counts for nothing. A row comes from its notice alone, by a trigger: no statement of the server can make one.
-- A million agreements: one row for each delivered message, 10 to 20 seconds a million; writes to notices wait meanwhile, reads do not.

-- A message in the hands of a number proves something only where its holder confirmed that number by a code. Nobody has yet: false for all.
create view number_confirmations_view with (security_invoker = true) as
  select org_id, customer_id, false as is_confirmed from customers;
comment on view number_confirmations_view is 'owner: customers';
grant select on number_confirmations_view to kist_app;

create table notice_proofs (
  org_id integer not null,
  proof_id uuid not null,
  notice_id uuid not null,
  agreement_id uuid not null,
  kind text not null,
  no integer not null,
  due_on date not null,
  channel text not null check (channel in ('sms', 'phone')),
  what text not null check (what in ('delivered', 'seen')),
  at timestamptz not null,
  handed_out_at timestamptz,
  said_at timestamptz,
  -- Of a text message: whether its number was confirmed then. Null of what a phone showed.
  is_number_confirmed boolean check ((channel = 'sms') = (is_number_confirmed is not null)),
  proof jsonb not null,
  primary key (org_id, proof_id),
  foreign key (org_id, agreement_id) references agreements
);
comment on table notice_proofs is 'owner: notices';
create index notice_proofs_agreement on notice_proofs (org_id, agreement_id, kind, due_on);
select kist_tenant('notice_proofs', 'select, insert');

create function notice_proved() returns trigger language plpgsql as $$
begin
  if new.proof is not null and new.delivered_at is not null and (tg_op = 'INSERT' or old.delivered_at is distinct from new.delivered_at) then
    insert into notice_proofs (org_id, proof_id, notice_id, agreement_id, kind, no, due_on, channel, what, at, handed_out_at, said_at, is_number_confirmed, proof)
    values (new.org_id, gen_random_uuid(), new.notice_id, new.agreement_id, new.kind, new.no, new.due_on, new.channel, 'delivered', new.delivered_at,
      case when tg_op = 'UPDATE' then old.sent_at end, (new.proof ->> 'said_at')::timestamptz,
      case new.channel when 'sms' then coalesce((select is_confirmed from number_confirmations_view where org_id = new.org_id and customer_id = new.customer_id), false) end,
      new.proof - 'before');
  end if;
  if new.seen_at is not null and new.proof is not null and (tg_op = 'INSERT' or old.seen_at is null) then
    insert into notice_proofs (org_id, proof_id, notice_id, agreement_id, kind, no, due_on, channel, what, at, handed_out_at, is_number_confirmed, proof)
    values (new.org_id, gen_random_uuid(), new.notice_id, new.agreement_id, new.kind, new.no, new.due_on, new.channel, 'seen', new.seen_at, new.sent_at,
      case new.channel when 'sms' then false end, new.proof - 'before');
  end if;
  return null;
end $$;
create trigger notice_proved after insert or update of delivered_at, seen_at on notices for each row execute function notice_proved();
alter table notices enable always trigger notice_proved;

do $$ declare org integer; begin
  for org in select org_id from org_directory loop
    perform set_config('kist.org_id', org::text, true);
    insert into notice_proofs (org_id, proof_id, notice_id, agreement_id, kind, no, due_on, channel, what, at, handed_out_at, is_number_confirmed, proof)
    select n.org_id, gen_random_uuid(), n.notice_id, n.agreement_id, n.kind, n.no, n.due_on, n.channel, 'delivered', n.delivered_at, n.sent_at,
      case n.channel when 'sms' then false end, n.proof - 'before'
    from notices n where n.org_id = org and n.delivered_at is not null and n.proof is not null;
  end loop;
  perform set_config('kist.org_id', '', true);
end $$;

-- The server's moment: never one to come, and never before the message existed but where it was planted by the owner of the tables.
create function notice_proof_fits() returns trigger language plpgsql as $$
begin
  if pg_trigger_depth() < 2 then
    raise exception 'insert of notice_proofs is refused: a proof comes from its notice' using errcode = 'restrict_violation';
  end if;
  new.at := least(new.at, kist_now());
  new.said_at := least(greatest(new.said_at, new.handed_out_at), new.at);
  return new;
end $$;
create trigger notice_proof_fits before insert on notice_proofs for each row execute function notice_proof_fits();
alter table notice_proofs enable always trigger notice_proof_fits;
create trigger notice_proofs_stay before update or delete on notice_proofs for each row execute function kist_refuse('what was written stays');
alter table notice_proofs enable always trigger notice_proofs_stay;
create trigger notice_proofs_are_not_emptied before truncate on notice_proofs for each statement execute function kist_refuse('what was written stays');
alter table notice_proofs enable always trigger notice_proofs_are_not_emptied;

-- Since when the gate may count a message as received, and by what; for a history, when it was as far as anybody can tell.
create view notice_deliveries_view with (security_invoker = true) as
  select org_id, agreement_id, notice_id, kind, no, due_on, channel, what, at, coalesce(said_at, at) as shown_at, is_number_confirmed, proof
  from notice_proofs;
comment on view notice_deliveries_view is 'owner: notices';
grant select on notice_deliveries_view to kist_app;
