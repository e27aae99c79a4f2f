-- What the gate was given, what it said and the lease that a phone holds are kept as written: they are read whole and never searched, and taking them
-- apart for each of 100,000 phones of a bulk lock costs more than storing them.
alter table verdicts alter column facts type json using facts::json, alter column verdict type json using verdict::json;
alter table device_desired alter column lease type json using lease::json;
