-- What is left of an instalment, penal charges aside: the one place in SQL, read as a column of the row (`i.left_paise`); `instalmentLeft` of the
-- agreements' rules is the same in TypeScript. A function and not a generated column: a virtual one needs PostgreSQL 18, and Kist runs from 15 on; a stored
-- one would write the twenty-four instalments of a million agreements anew under an exclusive lock. PostgreSQL puts its body in place of the call, so
-- a statement costs what the sum written out costs. A million rows change nothing here: one row of the catalogue, no lock on any table of ours.
create function left_paise(i instalments) returns bigint language sql immutable parallel safe as $$
  select i.principal_paise + i.interest_paise + i.fee_paise - i.paid_principal_paise - i.paid_interest_paise - i.paid_fee_paise
$$;
