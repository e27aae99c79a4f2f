-- When a phone said that it is free of a lock says what is owed for that lock: it is written down once.
-- A trigger: a million rows are neither read nor written; the table is held exclusively for a moment.
create trigger cures_confirmed_stays before update of confirmed_at on cures for each row
  when (old.confirmed_at is not null and new.confirmed_at is distinct from old.confirmed_at) execute function kist_refuse('facts stay as they were written');
alter table cures enable always trigger cures_confirmed_stays;
