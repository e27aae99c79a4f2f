-- Three things that the server's own account could write, and that were only seen afterwards: a paid day beside what is paid, the marks of a reversal on a payment
-- that stands, and an agreement that was given up although no journal gives one up yet. And an agreement names the reckoning that signed it; from when on
-- they all do is noted here.
-- A million agreements: the tables are held exclusively for a moment; what is there is not looked at again, which the check of the books does.
create trigger instalments_are_paid_on_a_day before insert or update on instalments for each row
  when ((new.paid_on is null) <> (new.paid_principal_paise + new.paid_interest_paise + new.paid_fee_paise + new.dropped_principal_paise + new.dropped_interest_paise
    + new.dropped_fee_paise < new.principal_paise + new.interest_paise + new.fee_paise))
  execute function kist_refuse('paid on a day is what nothing is left of');
create trigger payments_that_stand_tell_of_no_reversal before insert or update on payments for each row
  when (new.state <> 'reversed' and (new.reversed_at is not null or new.reversed_by is not null or new.reverse_reason is not null))
  execute function kist_refuse('only what was taken back says so');
create trigger agreements_come_with_nothing_given_up before insert on agreements for each row
  when (new.state in ('foreclosed', 'written_off', 'returned')) execute function kist_refuse('no journal gives it up');
create trigger agreements_are_not_given_up before update of state on agreements for each row
  when (new.state in ('foreclosed', 'written_off', 'returned') and old.state <> new.state) execute function kist_refuse('no journal gives it up');
create trigger agreements_name_their_engine before insert on agreements for each row
  when (new.schedule_engine is null) execute function kist_refuse('it names the reckoning that signed it');
alter table instalments enable always trigger instalments_are_paid_on_a_day;
alter table payments enable always trigger payments_that_stand_tell_of_no_reversal;
alter table agreements enable always trigger agreements_come_with_nothing_given_up;
alter table agreements enable always trigger agreements_are_not_given_up;
alter table agreements enable always trigger agreements_name_their_engine;

alter table agreements no force row level security;
do $$
begin
  execute format('create function kist_engines_are_named_since() returns timestamptz language sql immutable parallel safe as $f$ select %L::timestamptz $f$',
    coalesce((select max(created_at) from agreements where schedule_engine is null), '-infinity'));
end $$;
alter table agreements force row level security;
comment on function kist_engines_are_named_since() is 'Agreements that were signed later name the reckoning that signed them.';

create view customer_transfers_view with (security_invoker = true) as select org_id, customer_id, to_user_id, made_by from customer_transfers;
comment on view customer_transfers_view is 'owner: customers';
grant select on customer_transfers_view to kist_app;
