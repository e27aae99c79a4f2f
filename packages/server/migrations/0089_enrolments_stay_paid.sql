-- An enrolment that is moved to another device costs a key too. Checked at the end of the transaction, for the rows that change only.
create constraint trigger enrolments_moved_cost_a_key after update of device_id, org_id on enrolments deferrable initially deferred
  for each row execute function enrolment_cost_a_key();
