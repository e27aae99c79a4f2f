-- What a shop is shown begins with its own agreements: without this index its dashboard, its dues and its books read every agreement of the organisation.
-- A million agreements: a few seconds, in which agreements can be read but not written. Who cannot spare them makes the index beforehand, as the owner of the
-- tables, with the very statement below and `concurrently` behind `index`: then there is nothing left to do here.
create index if not exists agreements_owner on agreements (org_id, owner_user_id, agreement_id);
