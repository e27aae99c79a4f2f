-- What is kept of an organisation's pictures is counted as it comes and goes: a shop's are summed over its own customers, an organisation's would be a look at
-- millions. And what a customer's own file is made of is found by the customer.
-- A million pictures are read once to begin with; documents is held exclusively from then on, some seconds. Four indexes are built by one reading of each table,
-- which is held against writing meanwhile: cures and refunds of a million agreements are some seconds, the other two are small.
create table document_totals (
  org_id integer primary key references org_directory,
  documents bigint not null check (documents >= 0),
  bytes bigint not null check (bytes >= 0)
);
select kist_tenant('document_totals', 'select, insert');
grant update (documents, bytes) on document_totals to kist_app;
comment on table document_totals is 'owner: documents';

-- Whoever changes them meanwhile waits, and is counted by the triggers below.
lock table documents in exclusive mode;
-- `no force`: the owner's own look at rows of every organisation, in this transaction only.
alter table documents no force row level security;
alter table document_totals no force row level security;
insert into document_totals (org_id, documents, bytes) select org_id, count(*), sum(bytes) from documents where gone_at is null group by org_id;
alter table documents force row level security;
alter table document_totals force row level security;

-- Never below nothing: a count that went wrong stands in the way of nobody's erasure.
create function document_totals_add(org integer, more bigint, more_bytes bigint) returns void language plpgsql set search_path = pg_catalog, public, pg_temp as $$
begin
  update document_totals t set documents = greatest(t.documents + more, 0), bytes = greatest(t.bytes + more_bytes, 0) where t.org_id = org;
  if found then return; end if;
  insert into document_totals as t (org_id, documents, bytes) values (org, greatest(more, 0), greatest(more_bytes, 0))
  on conflict (org_id) do update set documents = greatest(t.documents + more, 0), bytes = greatest(t.bytes + more_bytes, 0);
end $$;
create function document_totals_follow() returns trigger language plpgsql set search_path = pg_catalog, public, pg_temp as $$
begin
  if tg_op = 'INSERT' then
    perform document_totals_add(c.org_id, count(*), sum(c.bytes)) from came c where c.gone_at is null group by c.org_id;
  elsif tg_op = 'DELETE' then
    perform document_totals_add(w.org_id, -count(*), -sum(w.bytes)) from went w where w.gone_at is null group by w.org_id;
  else
    perform document_totals_add(d.org_id, sum(d.more), sum(d.bytes)) from (
      select c.org_id, 1 as more, c.bytes from came c where c.gone_at is null
      union all select w.org_id, -1, -w.bytes from went w where w.gone_at is null
    ) d group by d.org_id having sum(d.more) <> 0 or sum(d.bytes) <> 0;
  end if;
  return null;
end $$;
create trigger document_totals_rise after insert on documents referencing new table as came for each statement execute function document_totals_follow();
create trigger document_totals_turn after update on documents referencing old table as went new table as came
  for each statement execute function document_totals_follow();
create trigger document_totals_fall after delete on documents referencing old table as went for each statement execute function document_totals_follow();
alter table documents enable always trigger document_totals_rise;
alter table documents enable always trigger document_totals_turn;
alter table documents enable always trigger document_totals_fall;

-- Written by the triggers above and by nobody: a statement of its own stands one level higher.
create function totals_follow_documents() returns trigger language plpgsql set search_path = pg_catalog, public, pg_temp as $$
begin
  if pg_trigger_depth() < 2 then
    raise exception '% of % is refused: a total follows the documents', lower(tg_op), tg_table_name using errcode = 'restrict_violation';
  end if;
  return null;
end $$;
create trigger totals_follow_documents before insert or update or delete or truncate on document_totals
  for each statement execute function totals_follow_documents();
alter table document_totals enable always trigger totals_follow_documents;

create index cures_agreement on cures (org_id, agreement_id);
create index refund_tasks_customer on refund_tasks (org_id, customer_id);
create index number_changes_customer on number_changes (org_id, customer_id, changed_at);
create index protection_reports_device on protection_reports (org_id, device_id);
