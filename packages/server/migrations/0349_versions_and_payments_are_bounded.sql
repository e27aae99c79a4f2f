-- The rows of a version are written, and those before it put aside, before the terms become the version's: what follows would be behind the look that is taken
-- at the version as a whole (0270), for whoever asked for that look early. And a payment is ten crore rupees at most: some of the largest amounts that a column
-- holds could not be added up any more. A payment from before stays as it is, and may be taken back; a claim that large is not posted any more.
-- A million agreements: no row is read; payments and instalments are held exclusively for a moment.
create or replace function schedule_version_is_being_made(org integer, agreement uuid, number integer) returns boolean language sql stable as $$
  select exists (select from public.schedule_versions v join public.agreements a on a.org_id = v.org_id and a.agreement_id = v.agreement_id
    where v.org_id = org and v.agreement_id = agreement and v.version = number and v.txid = pg_current_xact_id() and a.schedule_version < v.version)
$$;

create trigger payments_are_not_endless before insert on payments for each row when (new.amount_paise > 10000000000)
  execute function kist_refuse('a payment is ten crore rupees at most');
create trigger claims_are_not_endless before update of state on payments for each row
  when (new.amount_paise > 10000000000 and old.state = 'claimed' and new.state = 'posted')
  execute function kist_refuse('a payment is ten crore rupees at most');
alter table payments enable always trigger payments_are_not_endless;
alter table payments enable always trigger claims_are_not_endless;
