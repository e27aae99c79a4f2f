-- A payout of compensation that is typed twice was written twice, up to what is owed. What is paid out under a reference is paid out under it once for each
-- agreement, however it is copied. What was written before stays, also where it is there twice.
-- As 0571 but for that: no row is read or written now; each payout to come looks once more at those of its own agreement, which it has taken already.
create or replace function compensation_is_owed() returns trigger language plpgsql set search_path = pg_catalog, public, pg_temp as $$
declare owed bigint; paid bigint; typed text := upper(regexp_replace(new.reference, '\s+', '', 'g') collate "C");
begin
  -- Two payouts at once do not both see the same rest.
  perform from agreements a where a.org_id = new.org_id and a.agreement_id = new.agreement_id for update;
  if typed <> '' and exists (select from compensation_payouts p where p.org_id = new.org_id and p.agreement_id = new.agreement_id
      and upper(regexp_replace(p.reference, '\s+', '', 'g') collate "C") = typed) then
    raise exception 'insert of compensation_payouts is refused: % was written down before', new.reference using errcode = 'restrict_violation';
  end if;
  select coalesce(sum(kist_late_hours(coalesce(w.held_since, c.cured_at), coalesce(c.confirmed_at, kist_now()),
      case when w.held_since is null then (a.policy ->> 'cureWithinMinutes')::int else 0 end) * (a.policy ->> 'compensationPaisePerHour')::bigint), 0) into owed
  from agreements a join cures c on c.org_id = a.org_id and c.agreement_id = a.agreement_id
  cross join lateral (select case when c.withdrawn_at is null then c.held_since end as held_since) w
  where a.org_id = new.org_id and a.agreement_id = new.agreement_id and not (c.began_wrong and c.withdrawn_at is not null);
  select coalesce(sum(p.amount_paise), 0) into paid from compensation_payouts p where p.org_id = new.org_id and p.agreement_id = new.agreement_id;
  if paid + new.amount_paise > owed then
    raise exception 'insert of compensation_payouts is refused: % paise are owed, % were paid out', owed, paid using errcode = 'restrict_violation';
  end if;
  new.paid_at := kist_now();
  return new;
end $$;
