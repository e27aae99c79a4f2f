-- What one person waived of a charge is added up as it stood when they did: the check of the books sees when each was decided.
-- A view; no row is read.
create or replace view waivers_view with (security_invoker = true) as
  select org_id, waiver_id, agreement_id, charge_id, amount_paise, reason, state, asked_by, asked_at, decided_by, decided_at from waivers;
