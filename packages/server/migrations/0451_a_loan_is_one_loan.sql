-- A loan is written with its agreement, of a day that has been, and is one however its number is typed: LN-1 and ln-1 are the same account at the lender.
-- Some loans: read through once for the index, held for so long.
create unique index financed_loans_once on financed_loans (org_id, financer_id, upper(normalize(loan_account_no, NFKC)));

create or replace function financed_loan_fits() returns trigger language plpgsql set search_path = pg_catalog, public, pg_temp as $$
begin
  if not exists (select from agreements a join financers f on f.org_id = a.org_id and f.financer_id = new.financer_id
    where a.org_id = new.org_id and a.agreement_id = new.agreement_id and a.financed_paise <= new.sanctioned_paise and (a.is_regulated or not f.is_regulated)) then
    raise exception 'insert of financed_loans is refused: more than was sanctioned, or another rule than the lender’s' using errcode = 'restrict_violation';
  end if;
  if new.sanctioned_on > kist_today() or not exists (select from journals j
    where j.org_id = new.org_id and j.effect_key = 'agreement:' || new.agreement_id and j.txid = pg_current_xact_id()) then
    raise exception 'insert of financed_loans is refused: a loan comes with its agreement, and was sanctioned before' using errcode = 'restrict_violation';
  end if;
  new.recorded_at := kist_now();
  return new;
end $$;
