-- What the secrets of this installation are known by: keyed check values that reveal nothing. A start with others would seal what nobody opens again, count
-- right M-PINs as wrong and sign what no phone believes. Written once for each, by the owner's starts and by `kist setup`; never changed.
create table secret_marks (
  name text primary key check (length(name) <= 40),
  mark text not null check (length(mark) = 64),
  noted_at timestamptz not null default now()
);
grant select on secret_marks to kist_app;
grant insert on secret_marks to kist_operator;
