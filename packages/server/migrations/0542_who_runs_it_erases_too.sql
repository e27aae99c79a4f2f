-- A customer may ask whoever runs the installation, by letter or by telephone: an erasure says that it was asked for there.
-- A million customers: only those who were erased have a row; they are read once for the check, under a lock that holds the table for that moment.
alter table erasures
  drop constraint erasures_asked_as_check,
  add constraint erasures_asked_as_check check (asked_as in ('customer', 'shop', 'operator'));
