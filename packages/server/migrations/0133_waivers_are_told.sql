-- A waived late fee is told to the customer: one more kind of notice. The constraint is held for new rows only; notices are held exclusively for a moment.
alter table notices drop constraint notices_kind_check;
alter table notices add constraint notices_kind_check
  check (kind in ('reminder', 'notice', 'locked', 'unlocked', 'receipt', 'penal', 'penal_waived', 'alert')) not valid;
