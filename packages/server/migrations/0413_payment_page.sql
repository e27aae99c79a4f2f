-- The page of an organisation's own on which its customers pay; offered where its flag of a payment gateway is on. Under https, whoever writes it: customers are led there.
-- A row an organisation, tens of them: `organisations` is held exclusively for a moment, and nothing in it is written anew.
alter table organisations
  add column payment_url text constraint organisations_payment_url check (payment_url ~ '^https://[^[:space:][:cntrl:]"<>\\]+$' and length(payment_url) <= 400);
grant update (payment_url) on organisations to kist_operator;
