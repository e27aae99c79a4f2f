-- What opens a picture is renewed by whoever runs the installation; the account that serves may only let go of it, with the line, when its time has come. And a
-- picture is replaced now, not 31 days ago: until now a time of one's own choosing made the month in which the old one is kept nothing.
-- A million customers: no row is read or written; `documents` is held exclusively for a moment.
create function documents_open_as_they_did() returns trigger language plpgsql set search_path = pg_catalog, public, pg_temp as $$
begin
  if (new.sealed is distinct from old.sealed or new.key_sealed is distinct from old.key_sealed)
    and not (old.gone_at is null and new.gone_at is not null and new.sealed is null and new.key_sealed is null)
    and not pg_has_role(current_user, 'kist_operator', 'member') then
    raise exception 'update of documents is refused: what opens a picture is renewed by the operator alone' using errcode = 'restrict_violation';
  end if;
  return new;
end $$;
create trigger documents_open_as_they_did before update of sealed, key_sealed on documents for each row execute function documents_open_as_they_did();
alter table documents enable always trigger documents_open_as_they_did;

create function documents_are_replaced_now() returns trigger language plpgsql set search_path = pg_catalog, public, pg_temp as $$
begin
  new.replaced_at := kist_now();
  return new;
end $$;
create trigger documents_are_replaced_now before update of replaced_at on documents for each row
  when (old.replaced_at is null and new.replaced_at is not null) execute function documents_are_replaced_now();
alter table documents enable always trigger documents_are_replaced_now;
