-- The shop's reason for refusing a claim, which the customer reads. Owner: payments.
-- A view alone: no row is read or written, and it is held exclusively for a moment.
create or replace view receipts_view with (security_invoker = true) as
  select p.org_id, p.payment_id, p.agreement_id, p.receipt_no, p.amount_paise, p.method, p.reference, p.paid_at, p.paid_on, p.state, p.reversed_at,
    p.reverse_reason, coalesce(p.posted_by, p.recorded_by) as recorded_by, p.goes_to, p.note_no,
    case when p.state = 'refused' then (
      select m.reason from payment_moves m
      where m.org_id = p.org_id and m.payment_id = p.payment_id and m.to_state = 'refused' order by m.no desc limit 1
    ) end as refuse_reason
  from payments p;
