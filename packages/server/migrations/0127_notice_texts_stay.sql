-- Which registered text a message is goes with its words: it is written anew with them, and stays with them once they were delivered.
-- No row is read or written; notices are held exclusively for a moment.
grant update (template_id) on notices to kist_app;

create or replace function delivery_stays() returns trigger language plpgsql as $$
begin
  if (new.delivered_at, new.proof) is distinct from (old.delivered_at, old.proof)
      and new.proof -> 'before' is distinct from jsonb_build_object('delivered_at', old.delivered_at, 'proof', old.proof)
    or (new.notice_id, new.body, new.language, new.template_id, new.created_at)
        is distinct from (old.notice_id, old.body, old.language, old.template_id, old.created_at)
      and new.proof -> 'before' is distinct from jsonb_build_object('delivered_at', old.delivered_at, 'proof', old.proof)
    or old.seen_at is not null and new.seen_at is distinct from old.seen_at
      and new.proof -> 'before' is distinct from jsonb_build_object('delivered_at', old.delivered_at, 'proof', old.proof) then
    raise exception 'update of notices is refused: what was delivered stays as it was' using errcode = 'restrict_violation';
  end if;
  return new;
end $$;
create trigger notices_text_unsent_stays before update of template_id on notices for each row when (old.delivered_at is null)
  execute function kist_refuse('what was written to somebody stays');
alter table notices enable always trigger notices_text_unsent_stays;
