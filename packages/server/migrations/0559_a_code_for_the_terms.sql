-- The code by which a customer agrees is told for what the form said at that moment: the phone and the terms, as a digest. A sale of anything else
-- finds no code. null: of an agreement that runs, whose terms stand; or told before this was kept, which no sale to come may rest on.
alter table consent_confirmations add column deal_hash bytea check (octet_length(deal_hash) = 32);
