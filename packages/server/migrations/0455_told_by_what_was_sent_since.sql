-- A text that left before money was taken back, or before the phone was exchanged, says another sum and another day: a receipt that comes late makes no notice
-- of it. Whoever counts notices sees when each was handed out; and one that nobody receipted yet may then be written anew, with what it said kept beside it.
-- A million messages: no row is read or written; notices are held exclusively for a moment.
create or replace view notice_deliveries_view with (security_invoker = true) as
  select org_id, agreement_id, notice_id, kind, no, due_on, channel, what, at, coalesce(said_at, at) as shown_at, is_number_confirmed, proof,
    least(coalesce(handed_out_at, at), at) as handed_out_at
  from notice_proofs;

create function unreceipted_text_stays() returns trigger language plpgsql set search_path = pg_catalog, public, pg_temp as $$
begin
  if new.proof -> 'before' is distinct from jsonb_build_object('body', old.body, 'created_at', old.created_at, 'sent_at', old.sent_at)
    or not exists (select from agreements a left join reversals_view v on v.org_id = a.org_id and v.agreement_id = a.agreement_id
      where a.org_id = new.org_id and a.agreement_id = new.agreement_id and greatest(v.reversed_at, a.exchanged_at) > old.created_at) then
    raise exception 'update of notices is refused: what was written to somebody stays' using errcode = 'restrict_violation';
  end if;
  return new;
end $$;
drop trigger notices_unsent_stay on notices;
drop trigger notices_text_unsent_stays on notices;
create trigger notices_unsent_stay before update of notice_id, body, language, template_id, created_at on notices for each row
  when (old.delivered_at is null and (new.notice_id, new.body, new.language, new.template_id, new.created_at)
    is distinct from (old.notice_id, old.body, old.language, old.template_id, old.created_at)) execute function unreceipted_text_stays();
alter table notices enable always trigger notices_unsent_stay;
