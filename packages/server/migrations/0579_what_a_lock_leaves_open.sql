-- Who was locked wrongly could be erased while the complaint waited for its answer, or while money was owed for the lock: to nobody, from then on. So a complaint
-- is answered first and its days are over, the phone says that it is free as long as it still can, and what is owed for locks is paid out.
-- What is owed is reckoned in one place now, for a payout and for an erasure. Functions alone: no row of a million is read or written, nothing is held. An erasure
-- to come looks up the agreements of its customer, and by their own indexes their complaints, clocks and payouts.
create function kist_owed_for_locks(org integer, agreement uuid) returns bigint language sql stable set search_path = pg_catalog, public, pg_temp as $$
  select coalesce(sum(kist_late_hours(coalesce(w.held_since, c.cured_at), coalesce(c.confirmed_at, kist_now()),
    case when w.held_since is null then (a.policy ->> 'cureWithinMinutes')::int else 0 end) * (a.policy ->> 'compensationPaisePerHour')::bigint), 0)::bigint
  from agreements a join cures c on c.org_id = a.org_id and c.agreement_id = a.agreement_id
  cross join lateral (select case when c.withdrawn_at is null then c.held_since end as held_since) w
  where a.org_id = org and a.agreement_id = agreement and not (c.began_wrong and c.withdrawn_at is not null)
$$;
comment on function kist_owed_for_locks is 'All that is owed by now for locks of an agreement, paid out or not; wrongful.ts: reckonLocks.';

create or replace function compensation_is_owed() returns trigger language plpgsql set search_path = pg_catalog, public, pg_temp as $$
declare owed bigint; paid bigint; typed text := upper(regexp_replace(new.reference, '\s+', '', 'g') collate "C");
begin
  -- Two payouts at once do not both see the same rest.
  perform from agreements a where a.org_id = new.org_id and a.agreement_id = new.agreement_id for update;
  if typed <> '' and exists (select from compensation_payouts p where p.org_id = new.org_id and p.agreement_id = new.agreement_id
      and upper(regexp_replace(p.reference, '\s+', '', 'g') collate "C") = typed) then
    raise exception 'insert of compensation_payouts is refused: % was written down before', new.reference using errcode = 'restrict_violation';
  end if;
  owed := kist_owed_for_locks(new.org_id, new.agreement_id);
  select coalesce(sum(p.amount_paise), 0) into paid from compensation_payouts p where p.org_id = new.org_id and p.agreement_id = new.agreement_id;
  if paid + new.amount_paise > owed then
    raise exception 'insert of compensation_payouts is refused: % paise are owed, % were paid out', owed, paid using errcode = 'restrict_violation';
  end if;
  new.paid_at := kist_now();
  return new;
end $$;

create function kist_open_of_locks(org integer, customer uuid) returns text language sql stable set search_path = pg_catalog, public, pg_temp as $$
  select case
    when exists (
      select from agreements a join disputes d on d.org_id = a.org_id and d.agreement_id = a.agreement_id
      where a.org_id = org and a.customer_id = customer and (d.state in ('open', 'undecided', 'escalated')
        -- An answer can be taken further for some days, until another agreement follows.
        or d.state in ('answered') and d.state_since > kist_now() - interval '7 days' and a.state in ('active', 'completed') and not exists (
          select from agreements n where n.org_id = a.org_id and n.customer_id = a.customer_id and n.state <> 'cancelled' and n.created_at > a.created_at))
    ) then 'DISPUTE_OPEN'
    when exists (
      select from agreements a join cures c on c.org_id = a.org_id and c.agreement_id = a.agreement_id
      where a.org_id = org and a.customer_id = customer and c.confirmed_at is null and not (c.began_wrong and c.withdrawn_at is not null)
        -- Only the enrolment that held the lock can say that it is off: once that is over nobody waits for it.
        and exists (select from enrolments e where e.org_id = c.org_id and e.device_id = c.device_id and e.in_charge and e.ended_at is null
          and coalesce(e.charged_at, e.started_at) <= c.cured_at)
    ) then 'UNLOCK_OPEN'
    when exists (
      select from agreements a
      where a.org_id = org and a.customer_id = customer and kist_owed_for_locks(a.org_id, a.agreement_id) > (
        select coalesce(sum(p.amount_paise), 0) from compensation_payouts p where p.org_id = a.org_id and p.agreement_id = a.agreement_id)
    ) then 'COMPENSATION_OPEN'
  end
$$;
comment on function kist_open_of_locks is 'What locks of a customer''s phones have left open, by the word that refuses an erasure for it (privacy.ts: ERASURE_REFUSALS); null: nothing.';

create or replace function erasure_may_be() returns trigger language plpgsql set search_path = pg_catalog, public, pg_temp as $$
declare open_of_locks text;
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
  open_of_locks := kist_open_of_locks(new.org_id, new.customer_id);
  if open_of_locks is not null then
    raise exception 'insert of erasures is refused: a lock left open %', open_of_locks using errcode = 'restrict_violation';
  end if;
  new.erased_at := kist_now();
  new.evidence_gone_at := null;
  return new;
end $$;
