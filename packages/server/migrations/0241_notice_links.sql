-- A link to the page of an agreement's notices is reckoned from the server's own key and the agreement, so that none has to be kept. Kept is only which
-- number of link is good where it is not the first: who asks for another makes the ones before worthless. Owner: notices.
-- A new table: nothing that stands is read or held.
create table notice_link_numbers (
  org_id integer not null,
  agreement_id uuid not null,
  no integer not null check (no between 2 and 1000),
  changed_at timestamptz not null,
  changed_by uuid not null,
  primary key (org_id, agreement_id),
  foreign key (org_id, agreement_id) references agreements on delete cascade
);
comment on table notice_link_numbers is 'owner: notices';
select kist_tenant('notice_link_numbers', 'select, insert');
grant update (no, changed_at, changed_by) on notice_link_numbers to kist_app;
