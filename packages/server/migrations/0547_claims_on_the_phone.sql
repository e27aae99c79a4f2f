-- The button "I have paid" on the phone names no sum, so it is no payment; until now it rang the shop's bell and left nothing that the shop could find again, count
-- or answer. It is kept, one open at a time for an agreement, until a payment comes, the customer says the same with a sum, the shop answers no, or the
-- agreement is cancelled. Of who was erased nothing is said any more.
-- A new table, as many rows as presses that found none open; payments, agreements and erasures, of which no row is read, are held exclusively for a
-- moment, and a payment or a cancellation to come looks up the one open claim of its agreement.
create table phone_claims (
  org_id integer not null,
  claim_id uuid not null,
  agreement_id uuid not null,
  customer_id uuid not null,
  -- When we heard of it.
  said_at timestamptz not null,
  -- `told`: said again with a sum, as a payment that is claimed; `paid`: a payment came; `over`: the agreement was cancelled, or who said it erased.
  state text not null default 'open' check (state in ('open', 'told', 'paid', 'refused', 'over')),
  ended_at timestamptz,
  answered_by uuid,
  -- What the shop answered; the customer reads it.
  reason text,
  primary key (org_id, claim_id),
  foreign key (org_id, agreement_id) references agreements,
  foreign key (org_id, customer_id) references customers,
  foreign key (org_id, answered_by) references users,
  check ((state = 'open') = (ended_at is null) and (state = 'refused') = (answered_by is not null) and (state = 'refused') = (reason is not null) and reason <> '')
);
create unique index phone_claims_open on phone_claims (org_id, agreement_id) where state = 'open';
create index phone_claims_agreement on phone_claims (org_id, agreement_id, said_at);
create index phone_claims_customer on phone_claims (org_id, customer_id) where state = 'open';
select kist_tenant('phone_claims', 'select, insert');
grant update (state, ended_at, answered_by, reason) on phone_claims to kist_app;
comment on table phone_claims is 'owner: locking';

create trigger phone_claims_stay before delete on phone_claims for each row execute function kist_refuse('what was written stays');
create trigger phone_claims_are_not_emptied before truncate on phone_claims for each statement execute function kist_refuse('what was written stays');
create trigger phone_claims_facts_stay before update of org_id, claim_id, agreement_id, customer_id, said_at on phone_claims
  for each row execute function kist_refuse('facts stay as they were written');
create function phone_claim_ends_once() returns trigger language plpgsql set search_path = pg_catalog, public, pg_temp as $$
begin
  if tg_op = 'INSERT' then
    new.said_at := kist_now();
    if new.state <> 'open' then
      raise exception 'insert of phone_claims is refused: it is answered after it was said' using errcode = 'restrict_violation';
    end if;
    if kist_is_erased(new.org_id, new.customer_id) then
      raise exception 'insert of phone_claims is refused: the customer was erased' using errcode = 'restrict_violation';
    end if;
    return new;
  end if;
  if new.state = old.state then
    -- The words of the shop about somebody who was erased.
    if (new.ended_at, new.answered_by) is distinct from (old.ended_at, old.answered_by)
      or new.reason is distinct from old.reason and (new.reason <> '—' or not kist_is_erased(old.org_id, old.customer_id)) then
      raise exception 'update of phone_claims is refused: facts stay as they were written' using errcode = 'restrict_violation';
    end if;
    return new;
  end if;
  if old.state <> 'open' then
    raise exception 'update of phone_claims is refused: % does not follow on %', new.state, old.state using errcode = 'restrict_violation';
  end if;
  if new.state = 'refused' and kist_is_erased(old.org_id, old.customer_id) then
    raise exception 'update of phone_claims is refused: the customer was erased' using errcode = 'restrict_violation';
  end if;
  new.ended_at := kist_now();
  return new;
end $$;
create trigger phone_claims_end_once before insert or update on phone_claims for each row execute function phone_claim_ends_once();
alter table phone_claims enable always trigger phone_claims_stay;
alter table phone_claims enable always trigger phone_claims_are_not_emptied;
alter table phone_claims enable always trigger phone_claims_facts_stay;
alter table phone_claims enable always trigger phone_claims_end_once;

-- Any payment of the agreement is the shop's yes, whoever records it and however: told by the payment's own statement, which every payment is.
create function payment_ends_phone_claim() returns trigger language plpgsql set search_path = pg_catalog, public, pg_temp as $$
begin
  update phone_claims p set state = 'paid', ended_at = kist_now()
  where p.org_id = new.org_id and p.agreement_id = new.agreement_id and p.state = 'open';
  return null;
end $$;
create trigger payments_end_phone_claims after insert or update of state on payments for each row when (new.state = 'posted') execute function payment_ends_phone_claim();
alter table payments enable always trigger payments_end_phone_claims;

-- Nothing waits for an answer of an agreement that was cancelled, nor of somebody who was erased.
create function phone_claim_is_over() returns trigger language plpgsql set search_path = pg_catalog, public, pg_temp as $$
begin
  update phone_claims p set state = 'over', ended_at = kist_now()
  where p.org_id = new.org_id and p.customer_id = new.customer_id and p.state = 'open'
    and (tg_table_name = 'erasures' or p.agreement_id::text = to_jsonb(new) ->> 'agreement_id');
  return null;
end $$;
create trigger agreements_end_phone_claims after update of state on agreements for each row when (new.state = 'cancelled') execute function phone_claim_is_over();
create trigger erasures_end_phone_claims after insert on erasures for each row execute function phone_claim_is_over();
alter table agreements enable always trigger agreements_end_phone_claims;
alter table erasures enable always trigger erasures_end_phone_claims;

-- What waits for the shop's answer: for what is to be done first.
create view open_phone_claims_view with (security_invoker = true) as
  select org_id, customer_id, agreement_id, claim_id from phone_claims where state = 'open';
grant select on open_phone_claims_view to kist_app;
comment on view open_phone_claims_view is 'owner: locking';
