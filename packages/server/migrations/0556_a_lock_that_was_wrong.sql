-- A lock that is found to have been wrong owes the customer money for every hour, as one that was taken off too late does: it is said with the answer to a
-- complaint, or follows from money that was there before the phone was locked; the clock until the phone's own word that it is free knows since when it should
-- not have been held.
-- A million cures, some complaints: two columns that are nothing or a constant, no row is written anew. The check of cures is looked over once (a second for a
-- million); both tables are held exclusively meanwhile.
alter table cures
  add column held_since timestamptz,
  add constraint cures_held_since_check check (held_since <= cured_at);
grant update (held_since) on cures to kist_app;
alter table disputes add column is_upheld boolean not null default false;
grant update (is_upheld) on disputes to kist_app;

create trigger cures_held_since_stays before update of held_since on cures for each row
  when (old.held_since is not null and new.held_since is distinct from old.held_since) execute function kist_refuse('facts stay as they were written');
alter table cures enable always trigger cures_held_since_stays;

-- Whoever answers says so with the answer, and it stays said.
create function dispute_is_upheld_with_its_answer() returns trigger language plpgsql set search_path = pg_catalog, public, pg_temp as $$
begin
  if not new.is_upheld or tg_op = 'INSERT' or new.state not in ('answered', 'closed') or old.state not in ('open', 'escalated') then
    raise exception '% of disputes is refused: it is upheld by its answer', lower(tg_op) using errcode = 'restrict_violation';
  end if;
  return new;
end $$;
create trigger disputes_begin_unheard before insert on disputes for each row when (new.is_upheld) execute function dispute_is_upheld_with_its_answer();
create trigger disputes_are_upheld_by_an_answer before update of is_upheld on disputes for each row
  when (new.is_upheld is distinct from old.is_upheld) execute function dispute_is_upheld_with_its_answer();
alter table disputes enable always trigger disputes_begin_unheard;
alter table disputes enable always trigger disputes_are_upheld_by_an_answer;
