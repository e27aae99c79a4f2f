-- The heads are looked up one by one, by their key. A plan made while the table was new and small read it whole for each of them: a shop's first mass
-- action of 100,000 took minutes, growing with the square of the phones.
alter function audit_append(text, text[], jsonb, text, jsonb[]) set enable_seqscan = off;
