-- A penal charge is within the rule that its agreement was signed under: what was charged of an instalment in all is at most what the rule has come to by its
-- day, and at most the rule's share of what is overdue. The service reckons so; now whoever writes a charge is held to it.
-- A million agreements: nothing is read or written; the guard holds for what is written from now on.
create function kist_penal_limit(rule jsonb, due_on date, charged_on date, overdue_paise bigint) returns numeric language sql immutable parallel safe as $$
  select case when charged_on - due_on > (rule ->> 'grace_days')::int then
    least((1 + (charged_on - due_on - (rule ->> 'grace_days')::int - 1) / (rule ->> 'every_days')::int) * (rule ->> 'charge_paise')::numeric,
      round(overdue_paise * (rule ->> 'cap_bps')::numeric / 10000)) else 0 end
$$;
comment on function kist_penal_limit is 'What may be charged of an instalment in all by a day; penal.ts: penalCharge.';

create or replace function charges_are_booked() returns trigger language plpgsql as $$
begin
  if exists (
    with keyed as materialized (select c.*, case c.made_by when 'rule' then 'penal:' || c.agreement_id || ':' || c.instalment_no || ':' || c.charged_on
      else 'penal:hand:' || c.charge_id end as effect_key from added c)
    select from keyed c
      left join lateral (select * from journals j where j.org_id = c.org_id and j.effect_key = c.effect_key limit 1) j on j.kind = 'penal_charged'
      left join lateral (select l.debit from journal_lines l where l.org_id = c.org_id and l.journal_id = j.journal_id and l.charge_id = c.charge_id
        and l.bucket = 'penal' limit 1) l on true
    where l.debit is distinct from c.amount_paise or c.waived_paise <> 0 or c.taken_back_at is not null) then
    raise exception 'insert of charges is refused: a charge comes after its journal' using errcode = 'restrict_violation';
  end if;
  if exists (
    select from (select org_id, agreement_id, instalment_no, max(charged_on) as charged_on from added group by 1, 2, 3) n
      left join lateral (select a.penal from agreements a where a.org_id = n.org_id and a.agreement_id = n.agreement_id and a.state = 'active' limit 1) a on true
      left join lateral (select i.due_on, i.left_paise from instalments i
        where i.org_id = n.org_id and i.agreement_id = n.agreement_id and i.no = n.instalment_no limit 1) i on true
      cross join lateral (select sum(c.amount_paise) as paise from charges c
        where c.org_id = n.org_id and c.agreement_id = n.agreement_id and c.instalment_no = n.instalment_no and c.taken_back_at is null) made
    where (n.charged_on <= (select kist_today()) and made.paise <= kist_penal_limit(a.penal, i.due_on, n.charged_on, i.left_paise)) is not true) then
    raise exception 'insert of charges is refused: a charge keeps to its rule' using errcode = 'restrict_violation';
  end if;
  return null;
end $$;
