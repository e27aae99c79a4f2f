-- A vendor that takes so many changes a day is given locks up to a part of them: a mass lock must not use up what its unlocks need. What was carried on its day
-- (UTC, as vendors count) stands beside the minute's budget.
-- One row for each organisation and vendor; the defaults are constants, so no row is written.
alter table vendor_budgets add column day date not null default '2000-01-01', add column carried integer not null default 0;
