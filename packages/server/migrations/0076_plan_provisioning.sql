-- How the phone of a plan is reached. Null: the plan type's own way; AMAPI is chosen here, no plan type stands for it. The two numberings share names
-- and no numbers (LINKFL is plan type 1 and provisioning type 2), so each plan type lists the ways it may name.
alter table plans add column provisioning_type integer;
alter table plans add constraint plans_provisioning_fits check (
  provisioning_type is null
  or (plan_type = 0 and provisioning_type in (0, 1))
  or (plan_type = 9 and provisioning_type = 0)
  or (plan_type in (1, 4, 6, 7, 8, 12, 13) and provisioning_type = 2)
  or (plan_type = 2 and provisioning_type = 3));
