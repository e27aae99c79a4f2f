-- A held phone that says nothing for the days of its policy is told to its shop, once a silence: the phone's last word of which that was told.
-- Null where none was. A phone that spoke since has a later last word, so that nothing has to be taken back.
-- A million phones: no row is written; device_reports is held exclusively for a moment.
alter table device_reports add column silence_told_of timestamptz;
