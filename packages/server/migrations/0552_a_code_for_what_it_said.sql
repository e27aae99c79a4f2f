-- The message with a customer's code says what the sale comes to, so the code is good for those very terms: a form that is changed before the code is told
-- needs another. null: of an agreement that runs, of what is no consent, or sent before this was kept, which stands for no sale to come.
-- A million codes are none: they go after some days. A column without a value and one look through the table, which is held exclusively meanwhile.
alter table otps add column deal_hash bytea check (octet_length(deal_hash) = 32);
comment on column otps.deal_hash is 'SHA-256 of what is sold and on which terms, as the code''s message said it.';

create or replace function consent_confirmation_has_its_code() returns trigger language plpgsql set search_path = pg_catalog, public, pg_temp as $$
begin
  if not kist_code_is_used_now(new.org_id, new.otp_id, new.customer_id, 'CONSENT', new.text_hash)
    or not exists (select from otps o where o.org_id = new.org_id and o.otp_id = new.otp_id and o.deal_hash is not distinct from new.deal_hash)
    or not exists (select from customers c where c.org_id = new.org_id and c.customer_id = new.customer_id and c.mobile = new.mobile) then
    raise exception 'insert of consent_confirmations is refused: no code of this customer was used for it' using errcode = 'restrict_violation';
  end if;
  return new;
end $$;

-- A sale that is finished while its code is on its way: of that very deal the code is of what runs from then on.
grant update (deal_hash) on otps to kist_app;
create function otp_deal_runs() returns trigger language plpgsql set search_path = pg_catalog, public, pg_temp as $$
begin
  if new.deal_hash is not null or old.consumed_at is not null or old.purpose <> 'CONSENT'
    or not exists (select from agreements a where a.org_id = old.org_id and a.customer_id = old.customer_id and a.state = 'active') then
    raise exception 'update of otps is refused: what a code was sent for stays' using errcode = 'restrict_violation';
  end if;
  return new;
end $$;
create trigger otps_deal_runs before update of deal_hash on otps for each row when (new.deal_hash is distinct from old.deal_hash) execute function otp_deal_runs();
alter table otps enable always trigger otps_deal_runs;
