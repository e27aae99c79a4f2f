-- A signature is given under what the form said at that moment: the phone, the terms, whose loan. It is kept with the picture, as the digest that the code's message
-- has had since 0552, and a sale of anything else finds no signature. null: of what is none, of an agreement that runs, or kept before this, which no sale to come
-- may rest on. Consents that stand name their pictures and stay.
-- A million pictures: a column without a value and one look through the table (a second), which is held exclusively meanwhile.
alter table documents add column deal_hash bytea check (octet_length(deal_hash) = 32);
comment on column documents.deal_hash is 'SHA-256 of what a draft said is sold, on which terms and whose loan, when its customer signed.';
