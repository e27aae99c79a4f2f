-- When money that had paid an agreement's dues was last taken back: notices of before count for nothing, the ladder starts anew with a new one. A penalty's
-- own payment and money that waited in suspense reopen no instalment.
-- A million agreements: an index over the few payments that were taken back, built while payments wait, some seconds; the view reads nothing.
create index payments_reversed on payments (org_id, agreement_id, reversed_at) where reversed_at is not null;
create view reversals_view with (security_invoker = true) as
  select org_id, agreement_id, max(reversed_at) as reversed_at from payments
  where reversed_at is not null and goes_to = 'dues' and for_charge_id is null group by org_id, agreement_id;
grant select on reversals_view to kist_app;
comment on view reversals_view is 'owner: payments';

-- Orders that the gate refused, with the rule that did: the first of the two who must want an override finds the second here. Reads nothing.
create view refused_orders_view with (security_invoker = true) as
  select org_id, device_id, type, reason, requested_by, created_at, verdict ->> 'rule' as rule from commands where state = 'REFUSED' and requested_by is not null;
grant select on refused_orders_view to kist_app;
comment on view refused_orders_view is 'owner: commands';
