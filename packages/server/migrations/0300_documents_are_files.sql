-- What is kept of a customer is a file beside the database, sealed under a data key of its own, which stands here sealed (`key_sealed`: a new key of the ring
-- touches rows alone). Pictures of before stay in their rows (`sealed`). One that another took the place of says since when; after 30 days its bytes go and its
-- line stays, but never what a consent refers to, whoever asks.
-- A million customers with six documents each: three columns without a default, and a check that reads each row once, some ten seconds in which the table is
-- held exclusively (its pictures, which lie apart, are not read); three indexes, some seconds each.
alter table documents
  add column image_name text check (char_length(image_name) between 1 and 80),
  add column key_sealed bytea check (octet_length(key_sealed) = 65),
  add column replaced_at timestamptz,
  add column gone_at timestamptz,
  alter column sealed drop not null,
  add constraint documents_lie_somewhere check (num_nonnulls(sealed, key_sealed) = case when gone_at is null then 1 else 0 end);
create index documents_kept on documents (org_id, customer_id) include (bytes) where gone_at is null;
create index consents_document on consents (org_id, document_id) where document_id is not null;
create index documents_replaced on documents (org_id, replaced_at) where replaced_at is not null and gone_at is null;
grant update (sealed, key_sealed, replaced_at, gone_at) on documents to kist_app;

create trigger documents_replaced_once before update of replaced_at on documents for each row
  when (old.replaced_at is not null) execute function kist_refuse('it was replaced once');
create function kist_is_agreed_on(org integer, document uuid) returns boolean language sql stable as $$
  select exists (select from consents s where s.org_id = org and s.document_id = document)
$$;
create function documents_go_late() returns trigger language plpgsql as $$
begin
  if old.gone_at is not null or new.gone_at is null or old.replaced_at is null or old.replaced_at > kist_now() - interval '30 days'
    or kist_is_agreed_on(old.org_id, old.document_id) then
    raise exception 'update of documents is refused: what is in use, what was just replaced and what a consent refers to stays' using errcode = 'restrict_violation';
  end if;
  return new;
end $$;
create trigger documents_go_late before update of gone_at on documents for each row execute function documents_go_late();
alter table documents enable always trigger documents_replaced_once;
alter table documents enable always trigger documents_go_late;

-- Files that no row names yet, or names no more: written before the file is, taken out with the row that names it. What is due is deleted, file first.
create table loose_files (
  org_id integer not null references org_directory,
  file_key text not null,
  due_at timestamptz not null,
  primary key (org_id, file_key)
);
create index loose_files_due on loose_files (org_id, due_at);
select kist_tenant('loose_files', 'select, insert, delete');
comment on table loose_files is 'owner: documents';
