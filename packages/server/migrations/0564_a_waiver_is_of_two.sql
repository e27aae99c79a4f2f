-- A waiver beyond what one alone may give takes two as an override does: the retailer of the mini-retailer that asked made that one, and is the same person twice.
-- Who was granted one so until now keeps it. A function: a million rows are neither read nor written, and nothing is held.
-- That who grants it is not who asked, the table says itself, and that who asks sees the customer stays.
create or replace function waiver_is_of_people() returns trigger language plpgsql set search_path = pg_catalog, public, pg_temp as $$
begin
  if (tg_op = 'INSERT' or new.state = 'granted') and not kist_shop_sees(new.org_id, new.asked_by, new.agreement_id) then
    raise exception '% of waivers is refused: who asks is nobody who sees this customer', lower(tg_op) using errcode = 'restrict_violation';
  end if;
  if new.state = 'granted' and new.decided_by <> new.asked_by and not exists (
    select from users u where u.org_id = new.org_id and u.user_id = new.decided_by and kist_is_second(new.org_id, new.asked_by, u.user_id)
      and (u.user_type = 'admin' or kist_shop_sees(new.org_id, u.user_id, new.agreement_id))) then
    raise exception '% of waivers is refused: who grants it answers neither for the shop nor for the organisation', lower(tg_op) using errcode = 'restrict_violation';
  end if;
  return new;
end $$;
