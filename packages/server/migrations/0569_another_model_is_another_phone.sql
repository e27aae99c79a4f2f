-- A number that is put right before any phone was set up keeps the consent, for nobody held another phone. One that comes with another brand or model is a number of
-- another phone than the one that was agreed to: the customer signs and tells the code anew, as after an exchange. Until now such a correction kept both.
-- What was put right before stays as it was.
-- A million agreements: no row is read or written; nothing is held. Asked of each change of a phone, by keys.
create function kist_is_another_model(org integer, one uuid, other uuid) returns boolean language sql stable set search_path = pg_catalog, public, pg_temp as $$
  select exists (
    select from devices a join devices b on b.org_id = a.org_id and b.device_id = other
    where a.org_id = org and a.device_id = one
      and lower(regexp_replace(btrim(a.brand), '\s+', ' ', 'g') || '/' || regexp_replace(btrim(a.model), '\s+', ' ', 'g'))
        <> lower(regexp_replace(btrim(b.brand), '\s+', ' ', 'g') || '/' || regexp_replace(btrim(b.model), '\s+', ' ', 'g')))
$$;

create or replace function phone_changes_with_an_exchange() returns trigger language plpgsql set search_path = pg_catalog, public, pg_temp as $$
begin
  if new.state <> 'active' or not exists (
    select from phone_exchanges x
    join devices gone on gone.org_id = x.org_id and gone.device_id = x.from_device_id and gone.released_at is not null
    join devices come on come.org_id = x.org_id and come.device_id = x.to_device_id and come.released_at is null and come.customer_id = new.customer_id
    where x.org_id = new.org_id and x.agreement_id = new.agreement_id and x.txid = pg_current_xact_id()
      and x.from_device_id = old.device_id and x.to_device_id = new.device_id
      and new.exchanged_at is not distinct from case when x.was_set_up or kist_is_another_model(x.org_id, x.from_device_id, x.to_device_id) then x.made_at
        else old.exchanged_at end) then
    raise exception 'update of agreements is refused: its phone changes with an exchange' using errcode = 'restrict_violation';
  end if;
  return new;
end $$;
comment on column agreements.exchanged_at is
  'When its phone took the place of one that was set up, or a number of another model was put right: what was agreed to before spoke of that one; null: never.';
