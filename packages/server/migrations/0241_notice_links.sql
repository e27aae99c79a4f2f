-- A link to the page of an agreement's notices is reckoned from the server's own key and the agreement, so that none has to be kept. Kept is only which
-- number of link is good where it is not the first: who asks for another makes the ones before worthless. Owner: notices.
-- A new table: nothing that stands is read or held.
create table notice_link_numbers (
  org_id integer not null,
  agreement_id uuid not null,
  no integer not null check (no >= 2),
  changed_at timestamptz not null,
  changed_by uuid not null,
  primary key (org_id, agreement_id),
  foreign key (org_id, agreement_id) references agreements on delete cascade
);
comment on table notice_link_numbers is 'owner: notices';
select kist_tenant('notice_link_numbers', 'select, insert');
grant update (no, changed_at, changed_by) on notice_link_numbers to kist_app;
-- A link that was made worthless stays so.
create function link_numbers_rise() returns trigger language plpgsql as $$
begin
  if new.no <> old.no + 1 then
    raise exception 'update of notice_link_numbers is refused: % does not follow %', new.no, old.no using errcode = 'restrict_violation';
  end if;
  new.changed_at := kist_now();
  return new;
end $$;
create trigger notice_link_numbers_rise before update on notice_link_numbers for each row execute function link_numbers_rise();
alter table notice_link_numbers enable always trigger notice_link_numbers_rise;
