-- A payment that somebody says happened and nobody has proved is a payment in the state claimed: no number, no lines, until the shop says yes. Money for an
-- agreement that is over is taken into suspense, with a task to give it back. A claim rests the ladder once for each instalment.
-- A million agreements: columns and checks take a look at each payment and each hold (seconds), which are held exclusively meanwhile.
alter table payments drop constraint payments_goes_to_check;
alter table payments add constraint payments_goes_to_check check (goes_to in ('dues', 'down_payment', 'suspense'));
alter table payments alter column receipt_no drop not null, add column posted_by uuid;
alter table payments add constraint payments_numbered check ((receipt_no is null) = (state in ('claimed', 'pending_approval', 'refused')));
alter table payments add constraint payments_claims_hold_nothing check (held_reference is null or state = 'posted');

-- Until it is posted it is open which number it gets and what it goes to; after that they are facts as the rest.
drop trigger payments_facts_stay on payments;
create trigger payments_facts_stay before update of org_id, payment_id, agreement_id, customer_id, amount_paise, method, reference, paid_at, paid_on,
  recorded_at, recorded_by on payments for each row execute function kist_refuse('facts stay as they were written');
drop trigger payments_receipt_stays on payments;
drop trigger payments_goes_to_stays on payments;
create trigger payments_numbers_stay before update of receipt_no, receipt, goes_to, posted_by on payments for each row
  when (old.state not in ('claimed', 'pending_approval')) execute function kist_refuse('facts stay as they were written');
alter table payments enable always trigger payments_facts_stay;
alter table payments enable always trigger payments_numbers_stay;
grant update (receipt_no, receipt, goes_to, posted_by) on payments to kist_app;
create index payments_claimed on payments (org_id, customer_id) where state = 'claimed';

create or replace view payments_view with (security_invoker = true) as
  select org_id, payment_id, agreement_id, receipt_no, amount_paise, method, reference, paid_at, paid_on, state, reversed_at, reverse_reason, recorded_by
  from payments where goes_to = 'dues' and state in ('posted', 'reversed');

create or replace view receipts_view with (security_invoker = true) as
  select org_id, payment_id, agreement_id, receipt_no, amount_paise, method, reference, paid_at, paid_on, state, reversed_at, reverse_reason,
    coalesce(posted_by, recorded_by) as recorded_by, goes_to, note_no
  from payments;

create table refund_tasks (
  org_id integer not null,
  payment_id uuid not null,
  agreement_id uuid not null,
  customer_id uuid not null,
  amount_paise bigint not null check (amount_paise > 0),
  state text not null default 'open' check (state in ('open', 'done', 'void')),
  opened_at timestamptz not null,
  closed_at timestamptz,
  closed_by uuid,
  method text check (method in ('CASH', 'UPI', 'GATEWAY', 'OTHER')),
  reference text not null default '',
  primary key (org_id, payment_id),
  foreign key (org_id, agreement_id) references agreements,
  check ((state = 'open') = (closed_at is null)),
  check ((state = 'open') = (closed_by is null)),
  check ((state = 'done') = (method is not null))
);
create index refund_tasks_open on refund_tasks (org_id, customer_id) where state = 'open';
select kist_tenant('refund_tasks', 'select, insert');
grant update (state, closed_at, closed_by, method, reference) on refund_tasks to kist_app;
comment on table refund_tasks is 'owner: payments';
create trigger refund_tasks_facts_stay before update of org_id, payment_id, agreement_id, customer_id, amount_paise, opened_at on refund_tasks for each row
  execute function kist_refuse('facts stay as they were written');
create trigger refund_tasks_close_once before update on refund_tasks for each row when (old.state <> 'open') execute function kist_refuse('it is closed once');
create trigger refund_tasks_stay before delete on refund_tasks for each row execute function kist_refuse('what was written stays');
create trigger refund_tasks_are_not_emptied before truncate on refund_tasks for each statement execute function kist_refuse('what was written stays');
alter table refund_tasks enable always trigger refund_tasks_facts_stay;
alter table refund_tasks enable always trigger refund_tasks_close_once;
alter table refund_tasks enable always trigger refund_tasks_stay;
alter table refund_tasks enable always trigger refund_tasks_are_not_emptied;

alter table holds drop constraint holds_kind_check;
alter table holds add constraint holds_kind_check check (kind in ('hardship', 'holiday', 'medical', 'manual', 'claim'));
alter table holds add column due_on date check ((due_on is not null) = (kind = 'claim'));
create unique index holds_claim_once on holds (org_id, agreement_id, due_on) where kind = 'claim';
