-- A customer's word that money was paid stood open after the customer was erased: a yes to it owed money back to nobody. So the shop answers first, as it gives
-- back first what is owed back; and nobody who is erased says so any more.
-- A million payments: no row is read or written. payments is held exclusively for a moment. An erasure to come looks up the open claims of its customer by their
-- own index.
create or replace function erasure_may_be() returns trigger language plpgsql set search_path = pg_catalog, public, pg_temp as $$
begin
  if exists (select from agreements a where a.org_id = new.org_id and a.customer_id = new.customer_id and a.state = 'active') then
    raise exception 'insert of erasures is refused: an agreement runs' using errcode = 'restrict_violation';
  end if;
  if exists (select from payments p where p.org_id = new.org_id and p.customer_id = new.customer_id and p.state = 'claimed') then
    raise exception 'insert of erasures is refused: the shop has not answered what was claimed' using errcode = 'restrict_violation';
  end if;
  if exists (select from refund_tasks r where r.org_id = new.org_id and r.customer_id = new.customer_id and r.state = 'open') then
    raise exception 'insert of erasures is refused: a refund is owed' using errcode = 'restrict_violation';
  end if;
  new.erased_at := kist_now();
  new.evidence_gone_at := null;
  return new;
end $$;
create trigger claims_are_of_somebody before insert on payments for each row when (new.state = 'claimed') execute function nothing_begins_for_erased();
alter table payments enable always trigger claims_are_of_somebody;
