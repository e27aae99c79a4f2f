-- A note of a loose file is an order to delete it, which the night carries out. It names a file of its own organisation, by the one form that a key has, and
-- none that a picture is opened from: until now whoever could write a note could make another shop's signature go, or stop the night with a key that is none.
-- A million customers: notes live for an hour or a night, so some thousands are read once; `loose_files` is held exclusively for that moment, as notes of
-- anything else go. `documents` is not touched.
create function kist_is_file_of_picture(org integer, key text) returns boolean language sql stable as $$
  select exists (select from documents d where d.org_id = org and d.document_id = right(key, 36)::uuid and d.gone_at is null)
$$;

-- `no force`: the owner's own look at rows of every organisation, in this transaction only.
alter table loose_files no force row level security;
delete from loose_files where not (split_part(file_key, '/', 2) = org_id::text
  and file_key ~ '^documents/[0-9]{1,9}/[0-9a-f]{2}/[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$');
alter table loose_files force row level security;
alter table loose_files add constraint loose_files_are_of_their_organisation check (split_part(file_key, '/', 2) = org_id::text
  and file_key ~ '^documents/[0-9]{1,9}/[0-9a-f]{2}/[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$');

create function loose_files_are_nobodys() returns trigger language plpgsql set search_path = pg_catalog, public, pg_temp as $$
begin
  -- Before a check looks at it a key may be anything.
  if new.file_key ~ '[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$' and kist_is_file_of_picture(new.org_id, new.file_key) then
    raise exception 'insert of loose_files is refused: a picture is opened from that file' using errcode = 'restrict_violation';
  end if;
  return new;
end $$;
create trigger loose_files_are_nobodys before insert on loose_files for each row execute function loose_files_are_nobodys();
alter table loose_files enable always trigger loose_files_are_nobodys;
