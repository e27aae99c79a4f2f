-- A customer's word is written when it is said: dated back, an old line of the phone's history would serve for it again. A code that is used was made, and so
-- could be sent, in an earlier transaction than the one that uses it.
-- A million rows: nothing is rewritten and none is looked at; the column has no value, the lock on otps is held for that moment.
alter table otps add column made_txid xid8;
comment on column otps.made_txid is 'Who made it; null: of before this was kept.';
create function otp_is_made_before() returns trigger language plpgsql as $$
begin
  if tg_op = 'INSERT' then
    new.made_txid := pg_current_xact_id();
    return new;
  end if;
  new.made_txid := old.made_txid;
  if old.consumed_at is null and new.consumed_at is not null and old.made_txid = pg_current_xact_id() then
    raise exception 'update of otps is refused: it was made just now, and nobody was told it yet' using errcode = 'restrict_violation';
  end if;
  return new;
end $$;
create trigger otps_are_made_before before insert or update on otps for each row execute function otp_is_made_before();
alter table otps enable always trigger otps_are_made_before;

-- One moment of the clock that all of the house goes by, with room for a slow statement.
create function kist_must_be_now(said timestamptz, what text) returns void language plpgsql stable as $$
begin
  if said is null or abs(extract(epoch from said - kist_now())) > 60 then
    raise exception 'insert of % is refused: it is not said now', what using errcode = 'restrict_violation';
  end if;
end $$;
create function protection_report_is_of_now() returns trigger language plpgsql as $$
begin
  -- One of the future is set to now by another trigger.
  perform kist_must_be_now(least(new.reported_at, kist_now()), 'protection_reports');
  return new;
end $$;
create trigger protection_reports_are_of_now before insert on protection_reports for each row execute function protection_report_is_of_now();
alter table protection_reports enable always trigger protection_reports_are_of_now;
create function consent_confirmation_is_of_now() returns trigger language plpgsql as $$
begin
  perform kist_must_be_now(new.confirmed_at, 'consent_confirmations');
  return new;
end $$;
create trigger consent_confirmations_are_of_now before insert on consent_confirmations for each row execute function consent_confirmation_is_of_now();
alter table consent_confirmations enable always trigger consent_confirmations_are_of_now;
